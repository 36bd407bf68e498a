package shapes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// builder joins what was read from the sources into a registry.
type builder struct {
	sources   []model.Source
	readers   []*reader // of each source
	tools     []*model.Tool
	found     []found // parallel to tools
	toolsets  []*model.Toolset
	core      []string // of the first dump that has them
	hosted    []string // kinds of entries that the provider defines
	byToolset map[string]*model.Toolset
	r         *model.Registry // of tools and toolsets, once these are complete
	shape     string
	notes     []note
	lines     []*jsontree.Lines // of each source
	lists     map[string]place  // where a toolset first lists its tools
	noted     map[kind]int      // number of the builder's own notes, of those beyond jsontree.MaxFaults too

	dataSet map[string]bool // names of the tools of data sets
	dropped map[int][]int   // offsets of the queries that are left out, by source
}

// note is a finding and the source it is about.
type note struct {
	source int
	jsontree.Fault
}

// kind is a source and a code: notes of one kind are counted together.
type kind struct {
	source int
	code   string
}

// place is an offset in a source, by its index.
type place struct{ source, at int }

// add adds the tools, toolsets and findings of one source.
func (b *builder) add(r *reader) {
	for _, t := range r.toolsets {
		b.mergeToolset(t.Toolset)
		if _, ok := b.lists[t.Name]; !ok {
			b.lists[t.Name] = place{r.index, t.at}
		}
	}
	if b.core == nil {
		b.core = r.core
	}
	b.hosted = union(b.hosted, r.hosted.kinds)
	if r.isDump {
		b.mix("hermes")
	}
	if r.dataSet {
		// Drop the tools of a data set that another part of it has too.
		if b.dataSet == nil {
			b.dataSet = map[string]bool{}
		}
		r.found = slices.DeleteFunc(r.found, func(f found) bool {
			known := b.dataSet[f.tool.Name]
			b.dataSet[f.tool.Name] = true
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
	for _, f := range r.findings {
		b.notes = append(b.notes, note{r.index, f})
	}
	b.readers = append(b.readers, r)
}

// mix notes that a part of the registry has a shape.
func (b *builder) mix(shape string) {
	switch b.shape {
	case "":
		b.shape = shape
	case shape:
	default:
		b.shape = "mixed"
	}
}

// registry finishes the registry.
func (b *builder) registry(ctx context.Context) (*model.Registry, error) {
	if err := b.elsewhere(); err != nil {
		return nil, err
	}
	b.placeTools()
	b.r = model.NewRegistry(b.tools, b.toolsets)
	// Where every source is of a data set, none of its tools is one of the agent's core tools. A
	// conversation may have those of an agent.
	other := func(r *reader) bool {
		has := func(form *form) bool {
			return slices.ContainsFunc(r.found, func(f found) bool { return f.form == form })
		}
		return !r.dataSet && len(r.queries) == 0 && !has(liveMCPEntry) || has(chatEntry) || has(kernelEntry)
	}
	if b.r.Core = b.core; b.core == nil && len(b.readers) > 0 && !slices.ContainsFunc(b.readers, other) {
		b.r.Core = []string{}
	}
	b.r.Sources, b.r.Shape, b.r.Hosted = b.sources, b.shape, b.hosted
	b.r.Queries = b.joinQueries()
	// Note how many queries of each source are left out.
	for i := range b.sources {
		if at := b.dropped[i]; len(at) > 0 {
			b.notes = append(b.notes, note{i, jsontree.Fault{At: at[0], Code: "unlabelled_query",
				Message: words.CountOf(len(at), "query has", "queries have") + " no text, no label, a label that names no tool of the registry, or the id of another: left out"}})
		}
	}
	// Warn of names that several tools bear.
	for i, t := range b.tools {
		if t.Qualified == t.Name {
			continue
		}
		if first := b.r.Lookup(t.Name)[0].Index; first != i {
			b.note(i, "duplicate_name", func() string {
				return fmt.Sprintf("another tool has this name, at %s; this one is shown as %s", b.whereIs(first), t.Qualified)
			})
		}
	}
	// Warn of toolsets that list names which nobody defines.
	for _, t := range b.r.Toolsets {
		var unknown []string
		seen := map[string]bool{}
		for _, name := range t.Tools {
			if b.r.Lookup(name) == nil && !seen[name] {
				seen[name] = true
				unknown = append(unknown, name)
			}
		}
		if len(unknown) == 0 {
			continue
		}
		message := "lists " + words.CountOf(len(unknown), "name that no source defines: ", "names that no source defines: ") + firstFew(unknown)
		p := b.lists[t.Name]
		if !b.tells(p.source, "unlisted_tool") {
			continue
		}
		b.notes = append(b.notes, note{p.source, jsontree.Fault{At: p.at, Code: "unlisted_tool", Path: jsontree.JoinName("toolsets", t.Name), Message: message}})
	}
	b.checkNames()
	if err := b.finishTools(ctx); err != nil {
		return nil, err
	}
	b.warn()
	return b.r, nil
}

// elsewhere returns an error if no source has tools and one has them in other files.
func (b *builder) elsewhere() error {
	for i, r := range b.readers {
		if len(b.tools) == 0 && r.elsewhere != nil {
			return model.DiagnosticAt(b.sources[i], b.lines[i], *r.elsewhere)
		}
	}
	return nil
}

// mergeToolset adds a toolset, or completes the toolset that has its name.
func (b *builder) mergeToolset(t model.Toolset) *model.Toolset {
	old, ok := b.byToolset[t.Name]
	if !ok {
		b.byToolset[t.Name] = &t
		b.toolsets = append(b.toolsets, &t)
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

// union returns a with the texts of b that it lacks. It changes neither.
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

// note adds a warning about the name of the tool of an index.
func (b *builder) note(index int, code string, message func() string) {
	f := &b.found[index]
	if source := f.tool.At.Source; b.tells(source, code) {
		b.notes = append(b.notes, note{source, jsontree.Fault{At: f.name, Code: code, Path: f.path("name"), Message: message()}})
	}
}

// tells counts a note of the builder, and reports whether it is to be kept.
func (b *builder) tells(source int, code string) bool {
	k := kind{source, code}
	b.noted[k]++
	return b.noted[k] <= jsontree.MaxFaults
}

// whereIs returns the position of the name of the tool of an index as file:line:col.
func (b *builder) whereIs(index int) string {
	f := &b.found[index]
	source := f.tool.At.Source
	line, col := b.lines[source].Position(f.name)
	return model.Diagnostic{File: b.sources[source].Name, Line: line, Col: col}.Position()
}

// warn turns the notes into warnings, in the order of the sources and their offsets.
func (b *builder) warn() {
	// Add how many notes of each kind were not kept.
	order := func(x, y kind) int { return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.code, y.code)) }
	for _, k := range slices.SortedFunc(maps.Keys(b.noted), order) {
		if rest := b.noted[k] - jsontree.MaxFaults; rest > 0 {
			b.notes = append(b.notes, note{k.source, jsontree.Fault{At: len(b.sources[k.source].Data), Code: k.code, Message: jsontree.MorePlaces(rest)}})
		}
	}
	slices.SortStableFunc(b.notes, func(x, y note) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.At, y.At))
	})
	for _, n := range b.notes {
		b.r.Warnings = append(b.r.Warnings, model.DiagnosticAt(b.sources[n.source], b.lines[n.source], n.Fault))
	}
}

// finishTools completes every tool with what follows from its content and its names, and
// warns of suspect descriptions.
func (b *builder) finishTools(ctx context.Context) error {
	for i, t := range b.tools {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.ShownName, t.Hash = safetext.Line(t.Qualified), t.Content()
		if message := suspicion(t.Description); message != "" && b.tells(t.At.Source, "injection") {
			f := &b.found[i]
			b.notes = append(b.notes, note{t.At.Source, jsontree.Fault{At: f.description, Code: "injection", Path: f.path("description"), Message: message}})
		}
	}
	return nil
}

// suspicion returns why a description deserves a look, and "" when nothing is odd.
func suspicion(description string) string {
	if match := safetext.Injection(description); match != "" {
		return "the description talks to the model like an attack: " + match
	}
	if safetext.HasTags(description) {
		return "the description holds invisible tag characters"
	}
	return ""
}
