package live

import (
	"cmp"
	"fmt"
	"strings"

	"caliper/model"
)

// Claim is one tool that claims a name. Server is "" for a tool of the agent's own.
type Claim struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
	File   string `json:"file,omitempty"` // that defines it, where that is known and no server is
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

// Clashes returns the names that several tools would bear, sorted; core are the agent's own tools.
func Clashes(listings []Listing, n model.Naming, core []string) []Clash {
	var tools []Bearer
	for _, l := range listings {
		for _, raw := range l.Tools {
			if t, ok := readTool(raw); ok {
				tools = append(tools, Bearer{n.ToolName(l.Server, t.name), Claim{Server: l.Server, Tool: t.name}})
			}
		}
	}
	return ClashesAmong(tools, core)
}

// ClashesAmong is Clashes for tools that have their names already, the agent's own before servers'
// tools, in the order in which they are registered. As the reference agent has it, its own tool,
// the first of a name, wins over MCP tools, and of these the last.
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
		if t.Claim.Server != "" || claims[t.Name] == nil {
			add(t.Name, t.Claim)
		}
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
	model.Sort(out, func(a, b Clash) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// String returns in one line who claims the name and who gets it. Claims that read alike are
// numbered.
func (c Clash) String() string {
	alike := map[Claim]int{}
	for _, claim := range c.Claims {
		alike[claim]++
	}
	seen := map[Claim]int{}
	var claims []string
	winner := ""
	for i, claim := range c.Claims {
		text := claim.String()
		if seen[claim]++; alike[claim] > 1 {
			text += fmt.Sprintf(" (%d of %d)", seen[claim], alike[claim])
		}
		claims = append(claims, text)
		if claim == c.Winner && (i == 0 || claim.Server != "") {
			winner = text // the last of those that are alike
		}
	}
	if c.Winner.Server == "" && c.Winner.File == "" {
		winner = "its own"
	}
	return fmt.Sprintf("%s is claimed by %s; the reference agent takes %s, caliper each by its toolset", c.Name, strings.Join(claims, " and "), winner)
}

// String returns whose tool the claim is about.
func (c Claim) String() string {
	switch {
	case c.Server != "":
		return c.Tool + " of " + c.Server
	case c.File == "-":
		return c.Tool + " of standard input"
	case c.File != "":
		return c.Tool + " of " + c.File
	}
	return "the agent itself"
}
