package shapes

import (
	"cmp"
	"strings"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// placeTools gives every tool a toolset: the one it names, else the first that lists it, else the
// one that its name tells (see infer), else the source's, else NoToolset.
func (b *builder) placeTools() {
	var listed map[string]string // the first toolset that lists a name
	var servers map[string]prefix
	var guesses []*guess            // in the order of their first tools
	of := [2]map[int]*guess{{}, {}} // by source, without known servers and with them
	for i, t := range b.tools {
		inferred := false // the server too
		if t.Toolset == "" {
			if listed == nil {
				listed, servers = map[string]string{}, b.serverPrefixes()
				for _, set := range b.toolsets {
					for _, name := range set.Tools {
						if _, ok := listed[name]; !ok {
							listed[name] = set.Name
						}
					}
				}
			}
			if t.Toolset = listed[t.Name]; t.Toolset == "" {
				if p, original, ok := infer(servers, t.Name); ok {
					by := of[0]
					if p.known {
						by = of[1]
					}
					g := by[t.At.Source]
					if g == nil {
						g = &guess{first: i, known: p.known, has: map[string]bool{}}
						by[t.At.Source], guesses = g, append(guesses, g)
					}
					if g.tools++; !g.has[p.toolset] {
						g.has[p.toolset] = true
						g.toolsets = append(g.toolsets, p.toolset)
					}
					t.Toolset = p.toolset
					if t.Server == "" && t.OriginalName == "" {
						t.Server, t.OriginalName, inferred = p.server, original, true
					}
				}
			}
			t.Toolset = cmp.Or(t.Toolset, b.sources[t.At.Source].Toolset, model.NoToolset)
		}
		if _, ok := b.byToolset[t.Toolset]; ok {
			continue
		}
		set := model.Toolset{Name: t.Toolset}
		if t.Toolset != model.NoToolset {
			set.Source = b.found[i].source
		}
		if t.Toolset == "mcp-"+t.Server {
			set.Server = t.Server
			if inferred {
				set.Source = "mcp"
			}
		}
		b.mergeToolset(set)
	}
	for _, g := range guesses {
		how := ", by known servers whose names begin theirs"
		if !g.known {
			how = ", by the first word after mcp: no known server's name begins theirs"
		}
		b.note(g.first, "toolset_inferred", words.CountOf(g.tools, "tool names", "tools name")+" no toolset; taken for "+firstFew(g.toolsets)+how)
	}
	for _, t := range b.toolsets {
		if t.Server == "" {
			if server, ok := strings.CutPrefix(t.Name, "mcp-"); ok {
				t.Server = server
			}
		}
		t.ShownName = safetext.Line(t.Name)
	}
}

// guess counts the tools of a source whose toolset was inferred from their names.
type guess struct {
	first    int // index of the first such tool
	tools    int
	toolsets []string        // in the order of their first tools
	has      map[string]bool // of toolsets
	known    bool
}

// prefix is the beginning of the names that a model sees of a server's tools.
type prefix struct {
	toolset, server string
	known           bool // a known server has the name
}

// longestPrefix bounds a prefix in bytes: every underscore may end one, and no provider takes
// longer names.
const longestPrefix = 256

// serverPrefixes returns by text the prefixes of the configured servers, then of toolsets' servers; the
// first claims a prefix.
func (b *builder) serverPrefixes() map[string]prefix {
	known := map[string]prefix{}
	toolsets := map[string]string{} // of servers
	var servers []string            // the configured ones, then toolsets' own
	for _, s := range b.sources {
		servers = append(servers, s.Servers...)
	}
	for _, t := range b.toolsets {
		server := t.Server
		if server == "" {
			server, _ = strings.CutPrefix(t.Name, "mcp-")
			if server == t.Name {
				continue
			}
		}
		if _, ok := toolsets[server]; !ok {
			toolsets[server] = t.Name
			servers = append(servers, server)
		}
	}
	named := map[string]bool{}
	for _, t := range b.tools {
		if server, ok := strings.CutPrefix(t.Toolset, "mcp-"); ok && !named[server] {
			named[server] = true
			servers = append(servers, server)
		}
	}
	for _, server := range servers {
		if server == "" {
			continue
		}
		toolset := cmp.Or(toolsets[server], "mcp-"+server)
		for _, text := range model.ServerPrefixes(server) {
			if _, ok := known[text]; !ok && len(text) <= longestPrefix {
				known[text] = prefix{toolset: toolset, server: server, known: true}
			}
		}
	}
	return known
}

// infer returns the prefix of a name like mcp_<server>_<tool> or mcp__<server>__<tool>, and its
// rest: the longest of a known server, or else the first word.
func infer(known map[string]prefix, name string) (found prefix, rest string, ok bool) {
	behind, isMCP := strings.CutPrefix(name, "mcp_")
	if !isMCP {
		return prefix{}, "", false
	}
	for at := min(len(name)-1, longestPrefix); at > len("mcp_"); at-- {
		if name[at-1] != '_' {
			continue
		}
		if found, ok := known[name[:at]]; ok {
			return found, name[at:], true
		}
	}
	between := "_"
	if strings.HasPrefix(behind, "_") {
		between, behind = "__", behind[1:]
	}
	server, rest, ok := strings.Cut(behind, between)
	if !ok || server == "" || rest == "" {
		return prefix{}, "", false
	}
	return prefix{toolset: "mcp-" + server, server: server}, rest, true
}
