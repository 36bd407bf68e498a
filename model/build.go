package model

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
)

// builder joins what was read from the sources into a registry.
type builder struct {
	r     *Registry
	found []found // parallel to r.Tools
	notes []note
	lines []*lines         // of each source
	lists map[string]place // where a toolset first lists its tools
	noted map[kind]int     // number of the builder's own notes, of those beyond maxNotes too

	finisher *finisher
}

// note is a finding and the source it is about.
type note struct {
	source int
	finding
}

// kind is what notes have in common.
type kind struct {
	source int
	code   string
}

// place is an offset in a source.
type place struct{ source, at int }

func newBuilder(sources []Source) *builder {
	b := &builder{
		r: &Registry{
			Sources:     sources,
			byName:      map[string]int{},
			bearers:     map[string][]*Tool{},
			byQualified: map[string]int{},
			byToolset:   map[string]*Toolset{},
		},
		lists:    map[string]place{},
		noted:    map[kind]int{},
		finisher: newFinisher(),
	}
	for _, s := range sources {
		b.lines = append(b.lines, newLines(s.Data))
	}
	return b
}

// add takes over one source.
func (b *builder) add(r *reader) {
	for _, t := range r.toolsets {
		b.mergeToolset(t.Toolset)
		if _, ok := b.lists[t.Name]; !ok {
			b.lists[t.Name] = place{r.index, t.at}
		}
	}
	if r.isDump {
		b.mix("hermes")
	}
	b.r.Tools = slices.Grow(b.r.Tools, len(r.found))
	for i := range r.found {
		f := &r.found[i]
		f.tool.Index = len(b.r.Tools)
		b.r.Tools = append(b.r.Tools, f.tool)
		if !r.isDump {
			b.mix(f.form.name)
		}
	}
	if b.found == nil {
		b.found = r.found
	} else {
		b.found = append(b.found, r.found...)
	}
	for _, f := range r.findings {
		b.notes = append(b.notes, note{r.index, f})
	}
	b.r.read = append(b.r.read, r)
}

// mix notes that some of the registry has a shape.
func (b *builder) mix(shape string) {
	switch b.r.Shape {
	case "":
		b.r.Shape = shape
	case shape:
	default:
		b.r.Shape = "mixed"
	}
}

// registry finishes the registry.
func (b *builder) registry(ctx context.Context) (*Registry, error) {
	b.placeTools()
	b.qualify()
	b.checkLists()
	b.checkNames()
	if err := b.finishTools(ctx); err != nil {
		return nil, err
	}
	b.warn()
	b.remember()
	return b.r, nil
}

// remember keeps what Reparse needs of the readers.
func (b *builder) remember() {
	b.r.suspects = b.finisher.suspects
	found := b.found
	for _, r := range b.r.read {
		n := len(r.found)
		r.found, found = found[:n:n], found[n:]
		r.ctx, r.text, r.finisher, r.block, r.entry, r.interned, r.envelopes = nil, nil, nil, nil, entry{}, nil, nil
	}
}

// mergeToolset adds a toolset, or what it says more to the one of its name.
func (b *builder) mergeToolset(t Toolset) *Toolset {
	old, ok := b.r.byToolset[t.Name]
	if !ok {
		b.r.byToolset[t.Name] = &t
		b.r.Toolsets = append(b.r.Toolsets, &t)
		return &t
	}
	old.Title = cmp.Or(old.Title, t.Title)
	old.Description = cmp.Or(old.Description, t.Description)
	old.Source = cmp.Or(old.Source, t.Source)
	old.Server = cmp.Or(old.Server, t.Server)
	old.Instructions = cmp.Or(old.Instructions, t.Instructions)
	old.Tools = union(old.Tools, t.Tools)
	old.Includes = union(old.Includes, t.Includes)
	return old
}

// union returns a with those of b that it lacks. It changes neither.
func union(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	a = slices.Clip(a)
	has := make(map[string]bool, len(a))
	for _, s := range a {
		has[s] = true
	}
	for _, s := range b {
		if !has[s] {
			a = append(a, s)
		}
	}
	return a
}

// qualify sets Qualified of every tool and fills the indexes by name. A name
// that several tools bear is qualified by the toolset, and numbered from #2 on
// where that is still a name of another tool.
func (b *builder) qualify() {
	r := b.r
	r.byName = make(map[string]int, len(r.Tools))
	for i, t := range r.Tools {
		t.Qualified = t.Name
		first, shared := r.byName[t.Name]
		switch {
		case !shared:
			r.byName[t.Name] = i
		case r.bearers[t.Name] == nil:
			r.bearers[t.Name] = []*Tool{r.Tools[first], t}
		default:
			r.bearers[t.Name] = append(r.bearers[t.Name], t)
		}
	}
	if len(r.bearers) == 0 {
		return
	}
	next := map[string]int{} // the number to try next
	for i, t := range r.Tools {
		if r.bearers[t.Name] == nil {
			continue
		}
		base := t.Toolset + "/" + t.Name
		name := base
		for r.isTaken(name) {
			next[base] = max(next[base], 1) + 1
			name = fmt.Sprintf("%s#%d", base, next[base])
		}
		t.Qualified = name
		r.byQualified[name] = i
		if first := r.byName[t.Name]; first != i {
			b.note(i, "duplicate_name", func() string {
				return fmt.Sprintf("another tool bears this name, at %s; a call by it is ambiguous; this one is shown as %s", b.whereIs(first), name)
			})
		}
	}
}

// isTaken reports whether a name is some tool's Name or Qualified.
func (r *Registry) isTaken(name string) bool {
	_, raw := r.byName[name]
	_, qualified := r.byQualified[name]
	return raw || qualified
}

// note adds a warning about the name of the tool of an index.
func (b *builder) note(index int, code string, message func() string) {
	f := &b.found[index]
	if source := f.tool.At.Source; b.tells(source, code) {
		b.notes = append(b.notes, note{source, finding{f.name, code, f.path("name"), message()}})
	}
}

// tells counts a note of the builder's own, and reports whether it is told.
func (b *builder) tells(source int, code string) bool {
	k := kind{source, code}
	b.noted[k]++
	return b.noted[k] <= maxNotes
}

// noteRest says how many notes of each kind were not told.
func (b *builder) noteRest() {
	order := func(x, y kind) int { return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.code, y.code)) }
	for _, k := range slices.SortedFunc(maps.Keys(b.noted), order) {
		if rest := b.noted[k] - maxNotes; rest > 0 {
			b.notes = append(b.notes, note{k.source, finding{at: len(b.r.Sources[k.source].Data), code: k.code, message: morePlaces(rest)}})
		}
	}
}

// whereIs returns the position of the name of the tool of an index as file:line:col.
func (b *builder) whereIs(index int) string {
	f := &b.found[index]
	source := f.tool.At.Source
	line, col := b.lines[source].position(f.name)
	return Diagnostic{File: b.r.Sources[source].Name, Line: line, Col: col}.Position()
}

// warn turns the notes into warnings, in the order of the sources and places.
func (b *builder) warn() {
	b.noteRest()
	slices.SortStableFunc(b.notes, func(x, y note) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.at, y.at))
	})
	for _, n := range b.notes {
		b.r.Warnings = append(b.r.Warnings, n.diagnostic(b.r.Sources[n.source], b.lines[n.source]))
	}
}
