package shapes

import (
	"bytes"
	"context"

	"caliper/model"
	"caliper/model/jsontree"
)

// Parse reads tool definitions from sources, each in any shape that caliper
// knows (see shapes.go), and joins them into one registry: tools and toolsets
// keep the order of the sources and of each file, and toolsets of one name
// become one. No sources make an empty registry.
//
// Registry.Warnings lists what is wrong with single definitions. The error is a
// Diagnostic that says why a source cannot be used; the first such source ends
// the reading. If ctx ends, the error is ctx.Err().
func Parse(ctx context.Context, sources ...model.Source) (*model.Registry, error) {
	return Reparse(ctx, new(model.Registry), sources...)
}

// Reparse returns what Parse returns for the sources. Of a source that was at
// the same index of the last registry's Sources, under the same name, only what
// changed since then is read. The result shares nothing with last but texts.
func Reparse(ctx context.Context, last *model.Registry, sources ...model.Source) (*model.Registry, error) {
	return Stream(ctx, last, nil, sources...)
}

// Part is what has been read of a source since the last Part, or since the reading
// of the source began anew.
type Part struct {
	Source     int       // its index
	First      int       // how many tools of the source were handed over before; any beyond them no longer hold
	Tools      []Heading // in the order of the source
	Read, Size int       // bytes of the source that have been read, of all
}

// Heading is what a definition says of itself: raw text, unsafe for a terminal.
// A tool of the registry may differ in its name, which an MCP server's tool gets
// a prefix of, and in its toolset, if the definition names none.
type Heading struct{ Name, Toolset, Description string }

// Stream returns what Reparse returns, and hands over what it reads while it
// reads: it calls part, which may be nil, in the goroutine of the caller, with
// the sources in their order and the tools in theirs. A source of some megabytes
// comes in parts of about one, of which the first is read in milliseconds; any
// other comes as one part, at its end. Tools whose names no call can bear are
// handed over too, although the registry has none of them, and so is what was read
// of a source that turns out to be faulty. What comes twice replaces what came
// before: see Part.First.
func Stream(ctx context.Context, last *model.Registry, part func(Part), sources ...model.Source) (*model.Registry, error) {
	return parseSources(ctx, last, part, false, sources)
}

// Once returns what Parse returns, for those who will not read the sources again. It
// is faster and takes less memory: nothing is kept for Reparse, the hashes of the
// tools are left to Tool.Content, and the texts of tools share the memory of their
// source, so that whoever keeps a text keeps the source.
func Once(ctx context.Context, part func(Part), sources ...model.Source) (*model.Registry, error) {
	return parseSources(ctx, new(model.Registry), part, true, sources)
}

// parseSources is Stream, and Once.
func parseSources(ctx context.Context, last *model.Registry, part func(Part), once bool, sources []model.Source) (*model.Registry, error) {
	b := newBuilder(sources, once)
	defer b.finisher.end()
	for i := range sources {
		read := reread(ctx, last, sources, i, b.finisher)
		if read == nil {
			var err error
			if read, err = readSource(ctx, sources, i, b.finisher, part); err != nil {
				return nil, err
			}
		}
		read.part = part
		read.handOver(len(read.text.Data))
		b.add(read)
	}
	return b.registry(ctx)
}

// readSource reads one source strictly. If its JSON is faulty, it repairs the
// source and reads it once more.
func readSource(ctx context.Context, sources []model.Source, index int, f *finisher, part func(Part)) (*reader, error) {
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
	if isRAML(t.Data) {
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
	r := newReader(ctx, source, index, t, f)
	r.part, r.once, r.notation = part, f.once, notation
	err := r.read()
	if jsontree.IsSyntax(err) {
		repaired, findings := t.Repair()
		r = newReader(ctx, source, index, repaired, f)
		r.findings, r.part, r.once, r.notation = findings, part, f.once, notation
		err = r.read()
	}
	if !r.text.IsSource() {
		for i := range r.found {
			r.found[i].function = -1
		}
	}
	switch err := err.(type) {
	case nil:
		if notation == yamlNotation && namesJSON(source.Name) {
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
		r = newReader(ctx, source, index, chat, f)
		r.part, r.once, r.notation = part, f.once, "a conversation"
		if err := r.read(); err == nil {
			for i := range r.found {
				r.found[i].function = -1
			}
			return r, nil
		}
	}
	if f, ok := asText(t); ok {
		return nil, rejection(source, f)
	}
	if toml, ok := asTOML(t, source.Name); ok {
		return nil, rejection(source, toml)
	}
	return nil, rejection(source, r.fault())
}

// handOver hands over the tools that have been read up to the offset to.
func (r *reader) handOver(to int) {
	if r.part == nil {
		return
	}
	found := r.found[min(r.handedOver, len(r.found)):]
	p := Part{Source: r.index, First: len(r.found) - len(found), Tools: make([]Heading, len(found)), Read: r.text.Origin(to), Size: len(r.source.Data)}
	for i := range found {
		t := found[i].tool
		p.Tools[i] = Heading{t.Name, t.Toolset, t.Description}
	}
	r.handedOver = len(r.found)
	r.part(p)
}

// fault returns what is wrong with a text that the strict reader refused.
func (r *reader) fault() jsontree.Fault {
	f := jsontree.FindFault(r.text.Data)
	if len(bytes.TrimSpace(r.text.Data[:f.At])) == 0 && f.Code == "json_syntax" {
		f.Code, f.Message = "unknown_format", "not JSON; "+understood()
	}
	f.At = r.text.Origin(f.At)
	return f
}

// rejection returns the error that keeps a source from being read.
func rejection(s model.Source, f jsontree.Fault) model.Diagnostic {
	return model.DiagnosticAt(s, jsontree.NewLines(s.Data), f)
}
