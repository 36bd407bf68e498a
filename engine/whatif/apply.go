package whatif

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// Apply builds the snapshot that s would be if its registry were edited: the
// registry is written as a dump with the edited definitions and read again, so
// that names, scopes, costs, activation and ranks all follow. Tools keep their
// order; where none is left out, a tool keeps its Index too. Where toolsets
// list the name of a tool that is renamed, and nobody else bears it, they list
// the new one. The last edit of a tool counts. s is not changed.
//
// The positions of the new registry are those in the written dump, which is its
// only source and has the name of the first source of the old one. Explorers
// open files at positions of the old registry.
//
// The error is ctx's, or says which edit makes no definition.
func Apply(ctx context.Context, b *engine.Builder, s *engine.Snapshot, edits ...Edit) (*engine.Snapshot, error) {
	r, err := editRegistry(ctx, s.Registry, edits)
	if err != nil {
		return nil, err
	}
	in := s.Inputs()
	in.Registry = r
	return b.Build(ctx, in)
}

// editRegistry returns an edited copy of a registry.
func editRegistry(ctx context.Context, r *model.Registry, edits []Edit) (*model.Registry, error) {
	functions := make(map[*model.Tool][]byte, len(edits))
	renamed := map[string]string{}
	for _, e := range edits {
		if e.Remove {
			functions[e.Tool] = nil
			continue
		}
		changed, err := e.edited(ctx)
		if err != nil {
			return nil, err
		}
		functions[e.Tool] = changed.Function
		if len(r.Lookup(e.Tool.Name)) == 1 {
			renamed[e.Tool.Name] = changed.Name
		}
	}
	name := "edited"
	if len(r.Sources) > 0 {
		name = r.Sources[0].Name
	}
	edited, err := shapes.Parse(ctx, model.Source{Name: name, Data: dumpOf(r, functions, renamed)})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the edited registry: %w", err)
	}
	edited.Shape = r.Shape
	return edited, nil
}

// dumpedToolset is a toolset as a registry dump has it.
type dumpedToolset struct {
	Title        string   `json:"title,omitempty"`
	Description  string   `json:"description,omitempty"`
	Source       string   `json:"source,omitempty"`
	Server       string   `json:"server,omitempty"`
	Instructions string   `json:"instructions,omitempty"`
	Tools        []string `json:"tools,omitempty"`
	Includes     []string `json:"includes,omitempty"`
}

// dumpOf returns a registry as a dump, with other function objects for some of
// its tools; nil leaves the tool out.
func dumpOf(r *model.Registry, functions map[*model.Tool][]byte, renamed map[string]string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"toolsets":{`)
	for i, ts := range r.Toolsets {
		if i > 0 {
			b.WriteByte(',')
		}
		listed := make([]string, len(ts.Tools))
		for j, name := range ts.Tools {
			listed[j] = name
			if to, ok := renamed[name]; ok {
				listed[j] = to
			}
		}
		b.WriteString("\n")
		b.Write(jsontree.Encode(ts.Name))
		b.WriteByte(':')
		b.Write(jsontree.Encode(dumpedToolset{ts.Title, ts.Description, ts.Source, ts.Server, ts.Instructions, listed, ts.Includes}))
	}
	b.WriteString(`},"tools":[`)
	first := true
	for _, t := range r.Tools {
		function, ok := functions[t]
		switch {
		case !ok:
			function = t.Function
		case function == nil:
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		before, after := t.Around()
		b.WriteString("\n" + before)
		b.Write(function)
		b.WriteString(strings.TrimSuffix(after, "}"))
		writeMember(&b, "toolset", t.Toolset)
		writeMember(&b, "server", t.Server)
		writeMember(&b, "original_name", t.OriginalName)
		if !t.Available {
			b.WriteString(`,"available":false`)
		}
		b.WriteByte('}')
	}
	b.WriteString("\n]}\n")
	return b.Bytes()
}

// writeMember writes a member of text behind others, unless it is empty.
func writeMember(b *bytes.Buffer, name, text string) {
	if text != "" {
		fmt.Fprintf(b, `,"%s":%s`, name, jsontree.Encode(text))
	}
}
