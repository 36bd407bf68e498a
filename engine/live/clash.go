package live

import (
	"cmp"
	"slices"
)

// Claim is one tool that lays claim to a name. Server is "" for a core tool.
type Claim struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// Clash is one name that several tools would bear.
type Clash struct {
	Name   string  `json:"name"`
	Claims []Claim `json:"claims"` // order of registration, at least two
	Winner Claim   `json:"winner"`
}

// Bearer is a tool with the name that it would bear.
type Bearer struct {
	Name  string
	Claim Claim
}

// Clashes returns the names that more than one tool would bear, sorted. core
// are the names of the agent's own tools.
func Clashes(listings []Listing, n Naming, core []string) []Clash {
	var tools []Bearer
	for _, l := range listings {
		for _, raw := range l.Tools {
			if t, ok := readTool(raw); ok {
				tools = append(tools, Bearer{n.ToolName(l.Server, t.name), Claim{l.Server, t.name}})
			}
		}
	}
	return ClashesAmong(tools, core)
}

// ClashesAmong is Clashes for tools of servers that have their names already,
// in the order in which they are registered.
//
// Who wins is the reference agent's rule of registration: it refuses an MCP
// tool that would take the name of one of its own, and among MCP tools the one
// that is registered later replaces the earlier.
func ClashesAmong(tools []Bearer, core []string) []Clash {
	claims := map[string][]Claim{}
	var names []string
	add := func(name string, c Claim) {
		if claims[name] == nil {
			names = append(names, name)
		}
		claims[name] = append(claims[name], c)
	}
	for _, name := range core {
		if claims[name] == nil {
			add(name, Claim{Tool: name})
		}
	}
	for _, t := range tools {
		add(t.Name, t.Claim)
	}
	var out []Clash
	for _, name := range names {
		c := claims[name]
		if len(c) < 2 {
			continue
		}
		winner := c[len(c)-1]
		if c[0].Server == "" {
			winner = c[0]
		}
		out = append(out, Clash{name, c, winner})
	}
	slices.SortFunc(out, func(a, b Clash) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
