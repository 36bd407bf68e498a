package model

import (
	"bytes"
	"context"
)

// Parse reads tool definitions from sources, each in any shape that caliper
// knows (see shapes.go), and joins them into one registry: tools and toolsets
// keep the order of the sources and of each file, and toolsets of one name
// become one. No sources make an empty registry.
//
// What is wrong with single definitions is told in Registry.Warnings. What
// makes a source useless is the error, a Diagnostic; the first source that has
// one ends the reading. If ctx ends, the error is ctx.Err().
func Parse(ctx context.Context, sources ...Source) (*Registry, error) {
	return new(Registry).Reparse(ctx, sources...)
}

// Reparse returns what Parse returns for the sources. Of a source that stood
// at the same place among those of r, under the same name, only what changed
// since then is read. It shares nothing with r but texts.
func (r *Registry) Reparse(ctx context.Context, sources ...Source) (*Registry, error) {
	b := newBuilder(sources)
	defer b.finisher.end()
	for i := range sources {
		read := r.reread(ctx, sources, i, b.finisher)
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

// readSource reads one source strictly, and once more after a repair if it
// does not bear that.
func readSource(ctx context.Context, sources []Source, index int, f *finisher) (*reader, error) {
	source := sources[index]
	t := newText(source.Data)
	switch {
	case isUTF16(t.data):
		return nil, rejection(source, finding{code: "not_utf8", message: "the text is UTF-16 or UTF-32; save it as UTF-8"})
	case len(bytes.TrimSpace(t.data)) == 0:
		return nil, rejection(source, finding{code: "empty_file", message: "file is empty"})
	}
	if t.isEvents() {
		t = t.events()
	}
	r := newReader(ctx, source, index, t, f)
	err := r.read()
	if isSyntax(err) {
		repaired, findings := t.repair()
		r = newReader(ctx, source, index, repaired, f)
		r.findings = findings
		err = r.read()
	}
	if r.text.copied || len(r.text.edits) > 0 {
		for i := range r.found {
			r.found[i].function = -1
		}
	}
	switch err := err.(type) {
	case nil:
		return r, nil
	case finding:
		return nil, rejection(source, err)
	}
	if !isSyntax(err) {
		return nil, err // the context's
	}
	if other, ok := t.otherSyntax(source.Name); ok {
		return nil, rejection(source, other)
	}
	return nil, rejection(source, r.fault())
}

// fault returns what is wrong with a text that the strict reader refused.
func (r *reader) fault() finding {
	f := findFault(r.text.data)
	found := finding{at: r.text.origin(f.at), path: f.path, code: f.code, message: f.message}
	if len(bytes.TrimSpace(r.text.data[:f.at])) == 0 && f.code == "json_syntax" {
		found.code, found.message = "unknown_format", "not JSON; "+understood()
	}
	return found
}

// rejection returns the error that keeps a source from being read.
func rejection(s Source, f finding) Diagnostic {
	return f.diagnostic(s, newLines(s.Data))
}
