package desk

import (
	"slices"
	"strings"

	"caliper/config"
)

// sampleModels are the families that stand for all in a hint.
var sampleModels = []string{"gpt-5", "claude", "deepseek"}

// contextText returns the context that the agent takes for a model.
func contextText(name string) string {
	length, _ := config.ContextOf(name)
	return shortTokens(length)
}

// ModelsWith returns the families of models for which the agent takes a context of so many
// tokens, those with the shortest names first.
func ModelsWith(length int) []string {
	var names []string
	for _, f := range config.Families() {
		if f.Context == length {
			names = append(names, f.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(a) - len(b) })
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

// About returns what is worth knowing of a value before it is taken: the context of a
// model. It is empty for other knobs.
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
