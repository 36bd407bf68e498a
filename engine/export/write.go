package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// Options say what of a registry is written. The zero value is all of it.
type Options struct {
	Tools []*model.Tool            // the tools to write, in this order; nil: every tool. Of one of another registry only the definition is.
	Name  func(*model.Tool) string // the name that a tool gets; nil: its own

	// Progress is called now and then with the number of tools written and of all, and
	// at the end; nil for nobody.
	Progress func(done, total int)
}

// Lost is something that an export does not hold, or that its provider
// refuses. Its text is as untrusted as the tool's.
type Lost struct {
	Tool    string `json:"tool"` // the tool's name in the export; "" for what concerns several at once
	What    string `json:"what"`
	Refused bool   `json:"-"` // it is in the export, and the provider refuses it or advises against it
	LeftOut bool   `json:"-"` // the tool is not in the export
}

// Write returns tools of a registry in a shape, as compact JSON without a final
// newline; a dump has a line for each entry. lost, in the order of the tools,
// is what did not fit. The error is an unknown shape.
func Write(shape Shape, r *model.Registry, o Options) (data []byte, lost []Lost, err error) {
	if _, err := ParseShape(string(shape)); err != nil {
		return nil, nil, err
	}
	if o.Tools == nil {
		o.Tools = r.Tools
	}
	if o.Name == nil {
		o.Name = func(t *model.Tool) string { return t.Name }
	}
	w := &writer{Options: o, shape: shape, registry: r, named: map[string]bool{}}
	size := 0
	for _, t := range w.Tools {
		size += len(t.Function) + 192 // what a shape adds, about
	}
	// A buffer that doubles takes three times the memory, and one that grows is cleared first.
	w.out = *bytes.NewBuffer(make([]byte, 0, size))
	switch shape {
	case AsOpenAI:
		w.list(`[`, w.openAI, `]`)
	case AsAnthropic:
		w.list(`[`, w.anthropic, `]`)
	case AsGemini:
		if w.list(`[{"functionDeclarations":[`, w.gemini, `]}]`); w.written == 0 {
			w.out.Reset()
			w.out.WriteString(`[]`)
		}
	case AsBedrock:
		w.list(`{"toolConfig":{"tools":[`, w.bedrock, `]}}`)
	case AsMCP:
		w.list(`{"tools":[`, w.mcp, endOfMCP)
	case AsHermes:
		w.hermes()
	}
	if w.Progress != nil {
		w.Progress(len(w.Tools), len(w.Tools))
	}
	w.tool = ""
	for _, f := range w.facts {
		w.losef("%s of %d %s%s", f.what, f.n, words.Plural(f.n, "tool"), f.why)
	}
	if shape == AsBedrock && w.written == 0 {
		w.refusef("no tools: Bedrock wants one at least")
	}
	if shape == AsHermes {
		return w.out.Bytes(), w.lost, nil
	}
	for _, b := range RequestBreaches(w.written, w.deferred, false, limiters[shape]...) {
		w.refusef("%s", b)
	}
	for _, s := range w.registry.Toolsets {
		if s.Instructions != "" && slices.ContainsFunc(w.Tools, func(t *model.Tool) bool { return t.Toolset == s.Name }) {
			w.losef("the server's instructions of toolset %s", s.Name)
		}
	}
	return w.out.Bytes(), w.lost, nil
}

// writer writes one export.
type writer struct {
	Options
	shape    Shape
	registry *model.Registry

	out      bytes.Buffer
	lost     []Lost
	facts    []fact          // what concerns several tools at once
	named    map[string]bool // names that were written
	tool     string          // name of the tool that is being written
	written  int             // tools so far
	deferred int             // of these, loaded on demand
	defined  int             // tools so far, with those that are left out
}

// list writes an array of all tools between two texts.
func (w *writer) list(before string, tool func(*definition), after string) {
	w.out.WriteString(before)
	for _, t := range w.Tools {
		d := w.define(t)
		// A slash, as in toolset/name, which tells two tools of one name apart, would have the
		// provider refuse the whole request.
		provider := providers[w.shape]
		rule, ok := model.NameRuleOf(provider)
		if ok && !rule.Advice && strings.Contains(d.name, "/") {
			w.losef("the tool: %s refuses a request with a slash in a name", provider)
			w.lost[len(w.lost)-1].LeftOut = true
			continue
		}
		if w.written > 0 {
			w.out.WriteByte(',')
		}
		// How the name breaks the provider's rule. It stays as it is: the agent that answers the call
		// knows no other.
		if w.named[d.name] {
			w.refusef("name: another tool has it too; %s takes each once", provider)
		}
		w.named[d.name] = true
		verb := " takes "
		if rule.Advice {
			verb = " wants "
		}
		if _, odd := rule.Odd(d.name); odd {
			w.refusef("name: %s%sonly %s", provider, verb, rule.Characters())
		}
		if n := utf8.RuneCountInString(d.name); n > rule.Longest {
			w.refusef("name: %d characters; %s%s%d", n, provider, verb, rule.Longest)
		}
		if _, bad := rule.BadStart(d.name); bad {
			w.refusef("name: %s wants a letter or _ first", provider)
		}
		w.written++
		if d.Deferred {
			w.deferred++
		}
		tool(&d)
		w.lose(&d)
	}
	w.out.WriteString(after)
}

// definition is the source of a shape.
type definition struct {
	*model.Tool
	name       string   // in the export
	members    []Member // of the function object, in its order; not read for a dump with no other name and nothing beside
	parameters []byte   // compact; nil for none, and in a dump
	beside     []Member // what the source says of the tool besides, in its order
}

// define returns the parts of a tool.
func (w *writer) define(t *model.Tool) definition {
	const every = 256 // tools between two reports
	if w.Progress != nil && w.defined%every == 0 {
		w.Progress(w.defined, len(w.Tools))
	}
	w.defined++
	d := definition{Tool: t, name: w.Name(t)}
	w.tool = d.name
	var readable bool
	if d.beside, readable = besides(w.registry, t); !readable {
		w.count("what is beside the definition", ", which cannot be read again")
	}
	if w.shape == AsHermes && d.name == t.Name && len(d.beside) == 0 {
		return d // its function is written as it is
	}
	d.members, _ = readMembers(t.Function)
	if t.Parameters != nil && w.shape != AsHermes {
		d.parameters = compact(t.Parameters)
	}
	// The schema of what a tool answers has the name that the shape has for it.
	if to := map[Shape]string{AsMCP: outputSchema, AsGemini: responseSchema}[w.shape]; to != "" &&
		!slices.ContainsFunc(d.beside, func(m Member) bool { return m.Name == to }) {
		if i := slices.IndexFunc(d.beside, func(m Member) bool { return slices.Contains(outputSpellings, m.Name) }); i >= 0 {
			d.beside[i].Name = to
		}
	}
	d.beside = slices.DeleteFunc(d.beside, func(b Member) bool {
		return slices.ContainsFunc(d.members, func(m Member) bool { return m.Name == b.Name })
	})
	return d
}

// function writes the function object of a tool, under its name in the export.
func (w *writer) function(d *definition) {
	switch {
	case d.name == d.Name && d.Operation:
		w.out.Write(d.Function)
		return
	case d.name == d.Name:
		w.out.Write(compact(d.Function))
		return
	}
	w.out.WriteByte('{')
	for i, m := range d.members {
		if m.Name == "name" {
			m.Value = jsontree.Encode(d.name)
		}
		w.member(i == 0, m.Name, m.Value)
	}
	w.out.WriteByte('}')
}

// member writes a member of an object.
func (w *writer) member(first bool, name string, value []byte) {
	if !first {
		w.out.WriteByte(',')
	}
	w.out.Write(append(jsontree.AppendText(w.out.AvailableBuffer(), name), ':'))
	w.out.Write(compact(value))
}

// text writes a member that is text and is left out when empty. It is never
// the first of its object.
func (w *writer) text(name, value string) {
	if value != "" {
		w.member(false, name, jsontree.Encode(value))
	}
}

// schema returns the parameters of a tool for a provider that wants a schema
// of an object, whatever the tool has.
func (w *writer) schema(d *definition) []byte {
	if d.parameters == nil {
		w.losef("no parameters; written as an object without properties, which %s wants", providers[w.shape])
		return []byte(AnySchema)
	}
	if hasType(d.parameters) {
		return d.parameters
	}
	w.losef("parameters have no type; written as an object, which %s wants", providers[w.shape])
	out := []byte(`{"type":"object"`)
	if string(d.parameters) != "{}" {
		out = append(out, ',')
	}
	return append(out, d.parameters[1:]...)
}

// hasType reports whether parameters say what type they are.
func hasType(parameters []byte) bool {
	members, _ := readMembers(parameters)
	return slices.ContainsFunc(members, func(m Member) bool { return m.Name == "type" })
}

// compact returns JSON without the white space between its parts. Strings and
// numbers stay as they are written.
func compact(raw []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(raw))
	if json.Compact(&b, raw) != nil { // a tool that package model did not make
		return []byte("null")
	}
	return b.Bytes()
}
