package config

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"caliper/model"
)

// The context of the active model.
//
// The agent activates tool search at a share of the context of its model,
// which it finds by the model's id alone:
//
//  1. The id is model.model, or model.default when that one is absent or
//     empty, trimmed. A model that is given as text ("model: gpt-4") has no id,
//     unless provider, base_url or context_length stands at the top level: the
//     loader then makes it model.default.
//  2. The part before the first colon is cut off when it is a provider, in any
//     case, and what follows is no tag of Ollama's such as 70b or latest.
//  3. In lower case, the longest pattern of modelFamilies that the id contains
//     gives the length. An id that contains none has 256,000 tokens.
//  4. Without an id the length is unknown, and tool search activates at 20,000
//     tokens.
//
// Source: _resolve_active_context_length of model_tools.py and
// get_model_context_length of agent/model_metadata.py at 3c231eb39
// (2026-06-05), measured in testdata/context.json. With a network the agent
// first looks the exact id up in the list of OpenRouter; this table is what
// holds without.
//
// Example: "openrouter:anthropic/claude-sonnet-4.6" loses "openrouter:". It
// contains "claude" (200,000) and "claude-sonnet-4.6" (1,000,000), of which
// the longer counts: 1,000,000 tokens, and at 10 % a threshold of 100,000.
//
// The one difference on purpose: without an id model.context_length is taken,
// with a warning that the agent does not read it.
//
// Invariants:
//   - the length is that of a family, 256,000, of a setting, or unknown
//   - case and white space around the id do not count
//   - what is said in model.context_length never changes the length beside an
//     id; a flag always does

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
	// ID is what the context length is looked up by; empty when no model is
	// named in a way that the agent reads.
	ID string
	// Family is the pattern of the table that matches the ID; empty if none does.
	Family string
	Origin ContextOrigin
}

// ollamaTag begins what follows the colon of an id that has no provider, such
// as llama3:70b.
var ollamaTag = regexp.MustCompile(`(?i)^([0-9]+\.?[0-9]*b|latest|stable|q[0-9]|fp?[0-9]|instruct|chat|coder|vision|text)`)

// ContextOf returns the context length of a model by its id, and the pattern
// that says so, empty when the id is of no known family.
func ContextOf(id string) (length int, family string) {
	if prefix, rest, ok := strings.Cut(id, ":"); ok && !strings.HasPrefix(id, "http") &&
		modelProviders[strings.ToLower(strings.TrimFunc(prefix, isSpace))] && !ollamaTag.MatchString(strings.TrimFunc(rest, isSpace)) {
		id = rest
	}
	id = strings.ToLower(id)
	for _, f := range modelFamilies {
		if strings.Contains(id, f.pattern) {
			return f.context, f.pattern
		}
	}
	return unknownFamily, ""
}

// Keys of the section model.
const (
	modelKey     = "model"
	contextKey   = modelKey + ".context_length"
	modelIDKey   = modelKey + ".model"
	modelNameKey = modelKey + ".default"
)

// modelRows are the settings of the model, the context length last.
var modelRows = []row{
	{key: modelNameKey, domain: Domain{Kind: Text}, set: func(c *Config, v value) outcome { return setModel(&c.Model.Default, v) },
		read: func(c *Config) any { return c.Model.Default }},
	{key: modelIDKey, domain: Domain{Kind: Text}, set: func(c *Config, v value) outcome { return setModel(&c.Model.Model, v) },
		read: func(c *Config) any { return c.Model.Model }},
	{key: contextKey, domain: Domain{Kind: Integer, Least: 1, Most: maxContext}, set: setContext, read: func(c *Config) any {
		if c.ContextLength == nil {
			return nil
		}
		return *c.ContextLength
	}},
}

// setModel takes the id of a model as text. A value that Python counts as false
// names no model.
func setModel(id *string, v value) outcome {
	switch {
	case !v.truthy():
		return outcome{}
	case v.kind != text:
		return outcome{fate: refused, code: "not_a_model", note: v.source() + " is not the name of a model, and the agent reads none"}
	}
	*id = v.text
	return outcome{}
}

// movesModel are the keys at the top level that make the loader move a model
// that is given as text into the section. Source: _normalize_root_model_keys.
var movesModel = []string{"provider", "base_url", "context_length"}

// model reads the section model. As text it counts only when one of
// movesModel stands beside it; its warning is then about what it means.
func (p *parser) model(e entry) {
	v, _ := resolveNode(e.val) // moved before variables are expanded
	if v.kind == mapping || !v.truthy() {
		return
	}
	for _, other := range entries(p.doc.root) {
		for _, key := range movesModel {
			if x, _ := resolveNode(other.val); other.isText && other.name == key && x.truthy() {
				p.give(modelNameKey, modelKey, v.in(p.environment), e.place(), nil)
				return
			}
		}
	}
	p.warn(e.place(), modelKey, "model_not_read",
		v.source()+" in place of the section is not read by the agent; write model: {default: ...}")
}

// settleModel works out the context length and its origin, after the settings
// of the section have been read. It returns the setting that says so.
func (f *File) settleModel() {
	r, _ := rowOf(contextKey)
	given, spoken := f.given[contextKey]
	spoken = spoken && (given.value.kind != null || given.origin == OriginFlag)
	m := &f.Config.Model
	source := f.settleID()
	switch {
	case spoken && given.origin == OriginFlag && given.value.kind != null:
		f.settleRow(r)
		m.Origin = ContextFlag
	case m.ID != "":
		length, family := ContextOf(m.ID)
		f.Config.ContextLength, m.Family, m.Origin = &length, family, ContextTable
		s := Setting{Key: r.key, Value: length, Origin: source.origin, Given: source.value.source(), Note: m.reason(source.value)}
		if source.origin == OriginFile {
			s.File, s.Line, s.Col = f.name, source.line, source.col
		}
		if family == "" {
			f.warn(source, cmp.Or(source.path, modelNameKey), "unknown_model", source.value.source()+" is in no family of the agent's table of "+
				ModelTableDate+"; it takes "+formatNumber(unknownFamily)+" tokens of context for it")
		}
		if spoken {
			s.File, s.Line, s.Col, s.Given = "", 0, 0, given.value.source()
			if given.origin == OriginFile {
				s.File, s.Line, s.Col = f.name, given.line, given.col
			}
			s.Note = fmt.Sprintf("%s is not read by the June agent beside a model; the context is %d tokens, %s", s.Given, length, s.Note)
			f.warn(given, r.key, "context_not_read", s.Note)
		}
		f.Settings = append(f.Settings, s)
	case spoken:
		f.settleRow(r)
		if n := f.Config.ContextLength; n == nil || *n < 1 {
			m.Origin = ContextUnknown
			break
		}
		m.Origin = ContextConfig
		f.warn(given, r.key, "context_not_read", given.value.source()+" is taken here, but the June agent does not read it: "+
			"it knows a context only by the model, and activates at 20000 tokens without one")
	default:
		f.settleRow(r)
		m.Origin = ContextUnknown
	}
}

// reason returns what the length goes by, in words.
func (m Model) reason(id value) string {
	if m.Family == "" {
		return "that of a model of no family in the table of " + ModelTableDate
	}
	return "by the family " + m.Family + " of " + id.source() + " in the table of " + ModelTableDate
}

// settleID finds the id of the model and returns what says it.
func (f *File) settleID() given {
	m := &f.Config.Model
	for _, key := range []string{modelIDKey, modelNameKey} {
		g, ok := f.given[key]
		if !ok || !g.value.truthy() {
			continue
		}
		if g.value.kind == text {
			m.ID = strings.TrimFunc(g.value.text, isSpace)
		}
		return g // blank text and what is no text hide the other key
	}
	return given{}
}

// CodeContextUnknown is the code of the warning that no model is named.
const CodeContextUnknown = "context_unknown"

// settleUnknown says what holds when no model is named, once the mode is known.
func (f *File) settleUnknown() {
	if f.Config.Model.Origin != ContextUnknown || f.doc == nil || f.ToolSearch.Enabled != Auto {
		return
	}
	d := model.Diagnostic{File: f.name, Line: 1, Col: 1, Path: modelKey, Code: CodeContextUnknown,
		Message: "no model is named, so its context is unknown and tool search activates at 20000 tokens; write model: {default: ...}"}
	f.Warnings = append(f.Warnings, d)
}
