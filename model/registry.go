package model

import (
	"fmt"
	"sync"

	"caliper/model/jsontree"
)

// Source is one input file: its name as the user gave it, and its bytes. The
// bytes are kept by the registry and must not change afterwards.
type Source struct {
	Name string
	Data []byte

	// Toolset is the toolset of the tools which name none, which no toolset lists and
	// whose name tells none. It is shapes.ToolsetName for a file of a folder, and empty
	// (NoToolset) for one alone.
	Toolset string

	// Servers are the names of the MCP servers that are configured, by which the
	// names of tools are read that name no toolset.
	Servers []string

	// Naming is how the tools of an MCP server are named whose answer the file is; empty:
	// HermesNaming. The reference agent's own cache of schemas has LaterNaming.
	Naming Naming
}

// Registry is every tool the process knows. It never changes after parsing and
// may be read by many goroutines.
type Registry struct {
	Tools    []*Tool    // order of the sources, then of each file
	Toolsets []*Toolset // order of first appearance; includes the implicit ones
	Shape    string     // of the sources: the name of a form, as "hermes" or "openai", or "mixed"; "" when they hold no tools
	Warnings []Diagnostic
	Sources  []Source
	Core     []string // names of the agent's core tools, as the first dump that has them says; nil: none does; none if all sources are data sets

	// Hosted are the kinds of entries in the sources that their provider defines, such as
	// "web_search": the first few, each once.
	Hosted []string

	// Queries are the labelled queries that the sources have beside the tools, as
	// data sets do: in the order of the sources.
	Queries []LabelledQuery

	byName      map[string]int            // index in Tools of the first bearer
	bearers     map[string][]*Tool        // of the names that several tools bear
	aliases     func() map[string][]*Tool // by Tool.Aliases; computed when first asked for
	byQualified map[string]int            // index in Tools, where Qualified is not Name
	byToolset   map[string]*Toolset
}

// LabelledQuery is a request together with the tools that answer it, as a data set
// has it.
type LabelledQuery struct {
	ID       string
	Text     string
	Relevant []string   // names of tools of the registry, each once, sorted
	Groups   [][]string // needed capabilities, with any tool of each enough; nil: every relevant tool is its own
	Category string     // the part of the data set; "" where it has none
}

// NewRegistry returns the registry of tools and toolsets, which it takes over. It sets Index,
// Texts and Qualified of every tool: a name of several tools is qualified by the toolset, and
// numbered from #2 on where that is still another's. Toolsets must differ in their names.
func NewRegistry(tools []*Tool, toolsets []*Toolset) *Registry {
	r := &Registry{
		Tools:       tools,
		Toolsets:    toolsets,
		byName:      make(map[string]int, len(tools)),
		bearers:     map[string][]*Tool{},
		byQualified: map[string]int{},
		byToolset:   make(map[string]*Toolset, len(toolsets)),
	}
	for _, t := range toolsets {
		r.byToolset[t.Name] = t
	}
	for i, t := range tools {
		t.Index, t.Qualified, t.Texts = i, t.Name, r.byToolset[t.Toolset]
		first, shared := r.byName[t.Name]
		switch {
		case !shared:
			r.byName[t.Name] = i
		case r.bearers[t.Name] == nil:
			r.bearers[t.Name] = []*Tool{tools[first], t}
		default:
			r.bearers[t.Name] = append(r.bearers[t.Name], t)
		}
	}
	r.aliases = sync.OnceValue(func() map[string][]*Tool {
		names := map[string][]*Tool{}
		for _, t := range tools {
			for _, name := range t.Aliases() {
				names[name] = append(names[name], t)
			}
		}
		return names
	})
	if len(r.bearers) == 0 {
		return r
	}
	next := map[string]int{} // the number to try next
	for i, t := range tools {
		if r.bearers[t.Name] == nil {
			continue
		}
		base := t.Toolset + "/" + t.Name
		name := base
		for r.Lookup(name) != nil {
			next[base] = max(next[base], 1) + 1
			name = fmt.Sprintf("%s#%d", base, next[base])
		}
		t.Qualified = name
		r.byQualified[name] = i
	}
	return r
}

// Lookup returns the tools whose Name it is, in the order of Tools, or else the one whose
// Qualified it is; nil when there is none. The caller must not change the slice.
//
//go:noinline // or each caller has a copy
func (r *Registry) Lookup(name string) []*Tool {
	if shared := r.bearers[name]; shared != nil {
		return shared
	}
	i, ok := r.byName[name]
	if !ok {
		i, ok = r.byQualified[name]
	}
	if !ok {
		return nil
	}
	return r.Tools[i : i+1 : i+1]
}

// Called returns the tools of a name as Lookup does, else those that an agent calls so
// (Tool.Aliases). It is for what people write: a call by the other name reaches no tool.
func (r *Registry) Called(name string) []*Tool {
	if found := r.Lookup(name); found != nil || r.aliases == nil {
		return found
	}
	return r.aliases()[name]
}

// Toolset returns the toolset of a name.
func (r *Registry) Toolset(name string) (*Toolset, bool) {
	t, ok := r.byToolset[name]
	return t, ok
}

// Where returns the place of t's definition: the name of its source, unsafe for a terminal, and
// line and column from 1, in bytes. It reads the source up to the definition.
func (r *Registry) Where(t *Tool) (file string, line, col int) {
	s := r.Sources[t.At.Source]
	line, col = jsontree.NewLines(s.Data[:t.At.Byte]).Position(int(t.At.Byte))
	return s.Name, line, col
}

// Named returns the tool of a qualified name, nil for none.
func (r *Registry) Named(qualified string) *Tool {
	for _, t := range r.Lookup(qualified) {
		if t.Qualified == qualified {
			return t
		}
	}
	return nil
}

// Entry returns the definition of a tool as its source has it, and what follows it there; nil for
// a tool of another registry, an operation of an API, or a bare name.
func (r *Registry) Entry(t *Tool) []byte {
	if t.Operation || t.Index >= len(r.Tools) || r.Tools[t.Index] != t {
		return nil
	}
	text := r.Sources[t.At.Source].Data[t.At.Byte:]
	if t.Index+1 < len(r.Tools) {
		if next := r.Tools[t.Index+1].At; next.Source == t.At.Source && next.Byte > t.At.Byte {
			text = text[:next.Byte-t.At.Byte]
		}
	}
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	return text
}
