package shapes

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
	lines     []*jsontree.Lines       // of each source
	lists     map[string]model.Offset // where a toolset first lists its tools

	dropped map[int][]int // offsets of the queries that are left out, by source
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
	for i, r := range b.readers { // no source has tools, and one has them in other files
		if len(b.tools) == 0 && r.elsewhere != nil {
			return nil, model.DiagnosticAt(b.sources[i], b.lines[i], *r.elsewhere)
		}
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
	for i, r := range b.readers {
		if at := b.dropped[i]; len(at) > 0 {
			r.tell(jsontree.Fault{At: at[0], Code: "unlabelled_query",
				Message: words.CountOf(len(at), "query has", "queries have") + " no text, no label, a label that names no tool of the registry, or the id of another: left out"})
		}
	}
	// Warn of names that several tools bear.
	for i, t := range b.tools {
		if t.Qualified == t.Name {
			continue
		}
		if first := b.r.Lookup(t.Name)[0].Index; first != i {
			b.note(i, "duplicate_name", fmt.Sprintf("another tool has this name, at %s; this one is shown as %s", b.whereIs(first), t.Qualified))
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
		at := b.lists[t.Name]
		b.readers[at.Source].tell(jsontree.Fault{At: int(at.Byte), Code: "unlisted_tool", Path: jsontree.JoinName("toolsets", t.Name), Message: message})
	}
	b.checkNames()
	if err := b.finishTools(ctx); err != nil {
		return nil, err
	}
	for i, r := range b.readers {
		r.tellRest(len(b.sources[i].Data))
		model.Sort(r.findings, func(x, y jsontree.Fault) int { return cmp.Compare(x.At, y.At) })
		for _, f := range r.findings {
			b.r.Warnings = append(b.r.Warnings, model.DiagnosticAt(b.sources[i], b.lines[i], f))
		}
	}
	return b.r, nil
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
func (b *builder) note(index int, code, message string) {
	f := &b.found[index]
	b.readers[f.tool.At.Source].tell(jsontree.Fault{At: f.name, Code: code, Path: f.path("name"), Message: message})
}

// whereIs returns the position of the name of the tool of an index as file:line:col.
func (b *builder) whereIs(index int) string {
	f := &b.found[index]
	source := f.tool.At.Source
	line, col := b.lines[source].Position(f.name)
	return model.Diagnostic{File: b.sources[source].Name, Line: line, Col: col}.Position()
}

// finishTools completes every tool with what follows from its content and its names, on all cores,
// and warns of suspect descriptions.
func (b *builder) finishTools(ctx context.Context) error {
	var workers sync.WaitGroup
	var next atomic.Int64
	suspicions := make([]string, len(b.tools))
	for range min(runtime.GOMAXPROCS(0), 1+len(b.tools)/pollEvery) {
		workers.Go(func() {
			for from := 0; from < len(b.tools) && ctx.Err() == nil; {
				to := int(next.Add(pollEvery))
				for from = to - pollEvery; from < min(to, len(b.tools)); from++ {
					t := b.tools[from]
					t.ShownName, t.Hash = safetext.Line(t.Qualified), t.Content()
					if match := safetext.Injection(t.Description); match != "" {
						suspicions[from] = "the description talks to the model like an attack: " + match
					} else if safetext.HasTags(t.Description) {
						suspicions[from] = "the description holds invisible tag characters"
					}
				}
			}
		})
	}
	workers.Wait()
	for i, message := range suspicions {
		if f := &b.found[i]; message != "" {
			b.readers[f.tool.At.Source].tell(jsontree.Fault{At: f.description, Code: "injection", Path: f.path("description"), Message: message})
		}
	}
	return ctx.Err()
}
