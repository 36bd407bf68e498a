package model

// Source is one input file: its name as the user gave it, and its bytes. The
// bytes are kept by the registry and must not change afterwards.
type Source struct {
	Name string
	Data []byte

	// Toolset is that of the tools which name none, which no toolset lists and
	// whose name tells none. It is BaseName for a file of a folder, and empty
	// (NoToolset) for one alone.
	Toolset string

	// Servers are the names of the MCP servers that are configured, by which the
	// names of tools are read that name no toolset.
	Servers []string
}

// Registry is every tool the process knows. It never changes after parsing and
// may be read by many goroutines.
type Registry struct {
	Tools    []*Tool    // order of the sources, then of each file
	Toolsets []*Toolset // order of first appearance; includes the implicit ones
	Shape    string     // of the sources: the name of a form, as "hermes" or "openai", or "mixed"; "" when they hold no tools
	Warnings []Diagnostic
	Sources  []Source

	byName      map[string]int     // index in Tools of the first bearer
	bearers     map[string][]*Tool // of the names that several tools bear
	byQualified map[string]int     // index in Tools, where Qualified is not Name
	byToolset   map[string]*Toolset

	read     []*reader        // of each source, for Reparse
	suspects map[*Tool]string // what is suspect about a description
}

// Lookup returns the tools that bear a name, in the order of Tools: those
// whose Name it is, or else the one whose Qualified it is. It returns nil when
// there is none. The caller must not change the slice.
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

// Toolset returns the toolset of a name.
func (r *Registry) Toolset(name string) (*Toolset, bool) {
	t, ok := r.byToolset[name]
	return t, ok
}

// Where returns the place of t's definition: the name of its source as the
// user gave it, unsafe for a terminal, and line and column, both from 1, the
// column in bytes. It reads the source up to the definition.
func (r *Registry) Where(t *Tool) (file string, line, col int) {
	s := r.Sources[t.At.Source]
	line, col = newLines(s.Data[:t.At.Byte]).position(int(t.At.Byte))
	return s.Name, line, col
}
