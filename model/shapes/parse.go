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
	b := newBuilder(sources)
	defer b.finisher.end()
	for i := range sources {
		read := reread(ctx, last, sources, i, b.finisher)
		if read == nil {
			var err error
			if read, err = readSource(ctx, sources, i, b.finisher); err != nil {
				return nil, err
			}
		}
		b.add(read)
	}
	return b.registry(ctx)
}

// readSource reads one source strictly. If its JSON is faulty, it repairs the
// source and reads it once more.
func readSource(ctx context.Context, sources []model.Source, index int, f *finisher) (*reader, error) {
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
	r := newReader(ctx, source, index, t, f)
	err := r.read()
	if jsontree.IsSyntax(err) {
		repaired, findings := t.Repair()
		r = newReader(ctx, source, index, repaired, f)
		r.findings = findings
		err = r.read()
	}
	if !r.text.IsSource() {
		for i := range r.found {
			r.found[i].function = -1
		}
	}
	switch err := err.(type) {
	case nil:
		return r, nil
	case jsontree.Fault:
		return nil, rejection(source, err)
	}
	if !jsontree.IsSyntax(err) {
		return nil, err // the context's
	}
	if other, ok := otherSyntax(t, source.Name); ok {
		return nil, rejection(source, other)
	}
	return nil, rejection(source, r.fault())
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
