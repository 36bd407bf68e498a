package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// The context of the active model, at a share of which the agent activates tool search. The agent
// finds its length by the model's id alone:
//
//  1. The id is model.model, or model.default when that one is absent or empty, trimmed. A model
//     that is given as text ("model: gpt-4") has no id, unless provider, base_url or
//     context_length stands at the top level: the loader then makes it model.default.
//  2. The part before the first colon is cut off when it is a provider, in any case, and what
//     follows is no tag of Ollama's such as 70b or latest.
//  3. In lower case, the longest pattern of modelFamilies that the id contains gives the length.
//     An id that contains none has 256,000 tokens.
//  4. Without an id the length is unknown, and tool search activates at 20,000 tokens.
//
// Source: _resolve_active_context_length of model_tools.py and get_model_context_length of
// agent/model_metadata.py at 3c231eb39 (2026-06-05), measured in testdata/context.json, without a
// network, with which the agent first asks OpenRouter.
//
// Example: "openrouter:anthropic/claude-sonnet-4.6" loses "openrouter:". It contains "claude"
// (200,000) and "claude-sonnet-4.6" (1,000,000); the longer counts: at 10 % a threshold of 100,000.
//
// One difference is on purpose: without an id model.context_length counts, with a warning that the
// agent does not read it. Beside an id it never does; a flag always does.

// ContextOrigin says where the context length comes from.
type ContextOrigin string

// The origins.
const (
	ContextFlag    ContextOrigin = "flag"    // a flag or a knob
	ContextConfig  ContextOrigin = "config"  // model.context_length
	ContextTable   ContextOrigin = "table"   // the table of ModelTableDate, by the model's id
	ContextUnknown ContextOrigin = "unknown" // no model is named
)

// Model is the active model as the file names it.
type Model struct {
	Model   string // model.model, which goes before Default
	Default string // model.default
	// ID is the key of the look-up of the context length; empty when the file
	// names no model in a way that the agent reads.
	ID     string
	Origin ContextOrigin
}

// ollamaTag is the text behind the colon of an id without a provider, as in llama3:70b.
var ollamaTag = words.LazyRegexp(`(?i)^([0-9]+\.?[0-9]*b|latest|stable|q[0-9]|fp?[0-9]|instruct|chat|coder|vision|text)`)

// ContextOf returns the context of the model with an id, and its family, empty for no known one.
func ContextOf(id string) (length int, family string) {
	if prefix, rest, ok := strings.Cut(id, ":"); ok && !strings.HasPrefix(id, "http") &&
		modelProviders[strings.ToLower(words.Strip(prefix))] && !ollamaTag().MatchString(words.Strip(rest)) {
		id = rest
	}
	id = strings.ToLower(id)
	for _, f := range modelFamilies {
		if strings.Contains(id, f.Name) {
			return f.Context, f.Name
		}
	}
	return unknownFamily, ""
}

// Family is the models whose id contains a name, for which the agent takes one context.
type Family struct {
	Name    string
	Context int // tokens
}

// Families returns the families of the agent's table by name.
func Families() []Family {
	return slices.SortedFunc(slices.Values(modelFamilies), func(a, b Family) int { return strings.Compare(a.Name, b.Name) })
}

// setModel takes the id of a model as text. What is false in Python names no model.
func setModel(r row, c *Config, v value) outcome {
	switch {
	case !v.Truthy():
		return outcome{}
	case v.Kind != yamltext.Text:
		return outcome{status: rejected, code: "not_a_model", problem: v.source() + " is not the name of a model, and the agent reads none"}
	}
	*r.at(c).(*string) = v.Text
	return outcome{}
}

// movesModel are the top-level keys that make a text in place of the section the model's id
// (_normalize_root_model_keys).
var movesModel = []string{"provider", "base_url", "context_length"}

// evaluateModel computes the context and its origin, after the rest of its section.
func (f *File) evaluateModel() {
	m := &f.Config.Model
	var source given // of the id
	for _, key := range []string{modelIDKey, KeyModel} {
		if g, ok := f.given[key]; ok && g.value.Truthy() {
			if g.value.Kind == yamltext.Text {
				m.ID = words.Strip(g.value.Text)
			}
			source = g // blank text and other kinds of value hide the other key
			break
		}
	}
	r, _ := rowOf(KeyContext)
	given, isGiven := f.given[KeyContext]
	isGiven = isGiven && (given.value.Kind != yamltext.Null || given.origin == OriginFlag)
	switch {
	case isGiven && given.origin == OriginFlag && given.value.Kind != yamltext.Null:
		f.evaluateRow(r)
		m.Origin = ContextFlag
	case m.ID != "":
		length, family := ContextOf(m.ID)
		f.Config.ContextLength, m.Origin = &length, ContextTable
		note := "by the family " + family + " of " + source.value.source() + " in the table of " + ModelTableDate
		if family == "" {
			note = "that of a model of no family in the table of " + ModelTableDate
		}
		s := Setting{Key: r.Key, Value: length, Origin: source.origin, Given: source.value.source(), Note: note}
		if source.origin == OriginFile {
			s.File, s.Line, s.Col = f.name, source.line, source.col
		}
		if family == "" {
			f.warn(source, cmp.Or(source.path, KeyModel), "unknown_model", source.value.source()+" is in no family of the agent's table of "+
				ModelTableDate+"; it takes "+formatNumber(unknownFamily)+" tokens of context for it")
		}
		if isGiven {
			s.File, s.Line, s.Col, s.Given = "", 0, 0, given.value.source()
			if given.origin == OriginFile {
				s.File, s.Line, s.Col = f.name, given.line, given.col
			}
			s.Note = fmt.Sprintf("%s is not read by the June agent beside a model; the context is %d tokens, %s", s.Given, length, s.Note)
			f.warn(given, r.Key, "context_not_read", s.Note)
		}
		f.Settings = append(f.Settings, s)
	case isGiven:
		f.evaluateRow(r)
		if n := f.Config.ContextLength; n != nil && *n > 0 {
			m.Origin = ContextConfig
			f.warn(given, r.Key, "context_not_read", given.value.source()+" is taken here, but the June agent does not read it: "+
				"it knows a context only by the model, and activates at 20000 tokens without one")
		}
	default:
		f.evaluateRow(r)
	}
}

// CodeContextUnknown is the code of the warning that no model is named.
const CodeContextUnknown = "context_unknown"

// warnUnknownContext warns of an unknown context where the mode makes it matter.
func (f *File) warnUnknownContext() {
	if f.Config.Model.Origin != ContextUnknown || f.doc == nil || f.ToolSearch.Enabled != Auto {
		return
	}
	holds := "tool search activates at 20000 tokens"
	if f.ToolSearch.Generation == September2026 {
		holds = "the listing may take listing_max_tokens, 10000 at most"
	}
	d := model.Diagnostic{File: f.name, Line: 1, Col: 1, Path: modelKey, Code: CodeContextUnknown,
		Message: "no model is named, so its context is unknown and " + holds + "; write model: {default: ...}"}
	f.Warnings = append(f.Warnings, d)
}
