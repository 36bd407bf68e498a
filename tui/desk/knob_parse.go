package desk

import (
	"slices"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
)

// Knobs returns the knobs of settings that one typed value can hold, in order.
func Knobs() []*Knob {
	return slices.DeleteFunc(slices.Clone(table), func(k *Knob) bool { return k.habit != nil || k.Kind == config.List })
}

// Takes says in words what the knob takes.
func (k *Knob) Takes() string {
	if k.Key == config.KeyModel {
		list := make([]string, len(sampleModels))
		for i, name := range sampleModels {
			list[i] = name + " (" + contextText(name) + ")"
		}
		return "the name of a model, from which the agent takes the context: " + strings.Join(list, ", ")
	}
	return k.Spec.Takes()
}

// Complete returns the values that begin with a text, where a setting has few, and of
// models the families of the agent's table; nil for numbers and other texts.
func (k *Knob) Complete(text string) []string {
	values := k.Choices
	switch k.Kind {
	case config.Bool:
		values = []string{"yes", "no"}
	case config.Choice:
	case config.Text:
		if k.Key == config.KeyModel && text != "" {
			var names []string
			for _, f := range config.Families() {
				if strings.HasPrefix(f.Name, strings.ToLower(text)) {
					names = append(names, f.Name)
				}
			}
			return names
		}
		return nil
	default:
		return nil
	}
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !strings.HasPrefix(v, text) })
}

// Parse returns the value that a text stands for: "12", "12%", "200k", "yes", a
// choice. Files is the snapshot without knobs, whose other settings may bound the
// range. It returns why the text is no value of the knob, empty when it is.
func (k *Knob) Parse(text string, files *engine.Snapshot) (v any, why string) {
	spec := k.Spec
	if spec.AtMost != "" {
		spec = spec.Within(&files.Config)
	}
	why = k.Label + " takes " + spec.Takes()
	switch k.Kind {
	case config.Whole, config.Number:
		digits := strings.TrimSpace(strings.TrimSuffix(strings.ReplaceAll(text, ",", ""), "%"))
		scale := 1.0
		switch {
		case strings.HasSuffix(digits, "k"):
			digits, scale = digits[:len(digits)-1], 1e3
		case strings.HasSuffix(digits, "m"):
			digits, scale = digits[:len(digits)-1], 1e6
		}
		n, err := strconv.ParseFloat(digits, 64)
		n *= scale
		if err != nil || !(n >= spec.Least && n <= spec.Most) || k.Kind == config.Whole && n != float64(int(n)) {
			return nil, why
		}
		if k.Kind == config.Whole {
			return int(n), ""
		}
		return n, ""
	case config.Bool:
		switch text {
		case "yes", "true", "on":
			return true, ""
		case "no", "false", "off":
			return false, ""
		}
		return nil, k.Label + " takes yes or no"
	case config.Choice:
		if slices.Contains(spec.Choices, text) {
			return text, ""
		}
		return nil, why
	}
	return text, ""
}

// sampleModels are the families that stand for all in a hint.
var sampleModels = []string{"gpt-5", "claude", "deepseek"}

// contextText returns the context that the agent takes for a model.
func contextText(name string) string {
	length, _ := config.ContextOf(name)
	return shortTokens(length)
}

// ModelsWith returns the families of models for which the agent takes a context of so many
// tokens, sorted by name.
func ModelsWith(length int) []string {
	var names []string
	for _, f := range config.Families() {
		if f.Context == length {
			names = append(names, f.Name)
		}
	}
	return names
}

// short returns a value as the line of its knob has it: a model without its provider.
func (k *Knob) short(v any) string {
	text := k.Text(v)
	if k.Key == config.KeyModel {
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	return text
}

// About returns the context of a model that is typed; empty for other knobs.
func (k *Knob) About(value string) string {
	if k.Key != config.KeyModel || value == "" {
		return ""
	}
	return contextText(value) + " of context"
}

// NamedElsewhere reports whether a knob is the model while the files name it in
// model.model, which goes before: trying another would have no effect.
func (s *KnobSet) NamedElsewhere(k *Knob) bool {
	return k.Key == config.KeyModel && s.state != nil && s.Files().Config.Model.Model != ""
}
