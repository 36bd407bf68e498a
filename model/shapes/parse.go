package shapes

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// Parse reads tool definitions from sources, each in any shape that caliper
// knows (see shapes.go), and joins them into one registry: tools and toolsets
// keep the order of the sources and of each file, and toolsets of one name
// become one. No sources make an empty registry.
//
// Registry.Warnings lists the faults of single definitions. The error is a
// Diagnostic with the reason why a source cannot be used; the first such source ends
// the reading. If ctx ends, the error is ctx.Err().
func Parse(ctx context.Context, sources ...model.Source) (*model.Registry, error) {
	b := &builder{
		sources:   sources,
		byToolset: map[string]*model.Toolset{},
		lists:     map[string]model.Offset{},
		dropped:   map[int][]int{},
	}
	for _, s := range sources {
		b.lines = append(b.lines, jsontree.NewLines(s.Data))
	}
	ofDataSets := map[string]bool{} // names of their tools
	for i := range sources {
		r, err := readSource(ctx, sources, i)
		if err != nil {
			return nil, err
		}
		b.readers = append(b.readers, r)
		for _, t := range r.toolsets {
			b.mergeToolset(t.Toolset)
			if _, ok := b.lists[t.Name]; !ok {
				b.lists[t.Name] = model.Offset{Source: r.index, Byte: int64(t.at)}
			}
		}
		if b.core == nil {
			b.core = r.core
		}
		b.hosted = union(b.hosted, r.hosted)
		if r.isDump {
			b.mix("hermes")
		}
		if r.dataSet { // the tools that another part of a data set has too are dropped
			r.found = slices.DeleteFunc(r.found, func(f found) bool {
				known := ofDataSets[f.tool.Name]
				ofDataSets[f.tool.Name] = true
				return known
			})
		}
		b.tools = slices.Grow(b.tools, len(r.found))
		for i := range r.found {
			f := &r.found[i]
			b.tools = append(b.tools, f.tool)
			if !r.isDump {
				b.mix(f.form.name)
			}
		}
		if b.found == nil {
			b.found = r.found
		} else {
			b.found = append(b.found, r.found...)
		}
	}
	return b.registry(ctx)
}

// readSource reads one source strictly, and once more repaired if its JSON is faulty.
func readSource(ctx context.Context, sources []model.Source, index int) (*reader, error) {
	source := sources[index]
	t := jsontree.NewText(source.Data)
	switch {
	case jsontree.IsUTF16(t.Data):
		return nil, rejection(source, jsontree.Fault{Code: "not_utf8", Message: "the text is UTF-16 or UTF-32; save it as UTF-8"})
	case len(bytes.TrimSpace(t.Data)) == 0:
		return nil, rejection(source, jsontree.Fault{Code: "empty_file", Message: "file is empty"})
	}
	if t.IsEvents() {
		t = t.Events()
	}
	if bytes.HasPrefix(t.Data, []byte(raml)) {
		f, _ := asText(t)
		return nil, rejection(source, f)
	}
	notation := ""
	if yaml, fault := fromYAML(t, source.Name); fault != nil {
		return nil, rejection(source, *fault)
	} else if yaml != nil {
		t, notation = yaml, yamlNotation
	} else if table := fromCSV(t); table != nil {
		t, notation = table, "CSV"
	}
	r := newReader(ctx, source, index, t)
	r.notation = notation
	err := r.read()
	if jsontree.IsSyntax(err) {
		repaired, findings := t.Repair()
		r = newReader(ctx, source, index, repaired)
		r.findings, r.notation = findings, notation
		err = r.read()
	}
	switch err := err.(type) {
	case nil:
		// A dump that something else overwrites must not pass for a few tools.
		if notation == yamlNotation && slices.Contains([]string{".json", ".jsonc", ".jsonl"}, strings.ToLower(path.Ext(source.Name))) {
			return nil, rejection(source, jsontree.Fault{Code: "unknown_format", Message: "YAML in a file that is called JSON: call it .yaml"})
		}
		return r, nil
	case jsontree.Fault:
		return nil, rejection(source, err)
	}
	if !jsontree.IsSyntax(err) {
		return nil, err // the context's
	}
	if chat := fromChat(t); chat != nil {
		r = newReader(ctx, source, index, chat)
		r.notation = "a conversation"
		if err := r.read(); err == nil {
			return r, nil
		}
	}
	if f, ok := asText(t); ok {
		return nil, rejection(source, f)
	}
	if toml, ok := asTOML(t, source.Name); ok {
		return nil, rejection(source, toml)
	}
	f := jsontree.FindFault(r.text.Data)
	if len(bytes.TrimSpace(r.text.Data[:f.At])) == 0 && f.Code == "json_syntax" {
		f.Code, f.Message = "unknown_format", "not JSON; "+understood()
	}
	f.At = r.text.Origin(f.At)
	return nil, rejection(source, f)
}

// rejection returns the error that keeps a source from being read.
func rejection(s model.Source, f jsontree.Fault) model.Diagnostic {
	return model.DiagnosticAt(s, jsontree.NewLines(s.Data), f)
}
