package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine"
	"caliper/engine/whatif"
	"caliper/model"
)

// refuses returns why a provider refuses a name, or an empty string when it accepts
// the name.
func refuses(r model.NameRule, name string) string {
	if name == "" {
		return "takes no empty name"
	}
	if c, bad := r.BadStart(name); bad {
		return fmt.Sprintf("takes no name that begins with %q", c)
	}
	if c, odd := r.Odd(name); odd {
		return fmt.Sprintf("takes no %q", c)
	}
	if n := utf8.RuneCountInString(name); n > r.Longest {
		return fmt.Sprintf("takes %d characters, these are %d", r.Longest, n)
	}
	return ""
}

// name returns the findings about the name of a tool.
func (c *check) name(t *model.Tool) []draft {
	var out []draft
	add := func(d draft, to string) {
		to = c.free(to)
		rename := func(to string) Remedy {
			return c.about(Remedy{Change: "rename it to " + to, Edits: []whatif.Edit{{Tool: t, Name: &to}}}, t, NameQuery(t))
		}
		d.plans = func() []Remedy {
			var plans []Remedy
			for _, name := range []string{to, c.free(cleanName(t.Name))} {
				if strings.Trim(name, "_-") != "" { // else no letter or digit of the name is left
					plans = append(plans, rename(name))
				}
			}
			return plans
		}
		out = append(out, d)
	}
	// A name that says of what toolset the tool is. Between a server and its tool stand two
	// underscores, as newer agents write them: with one, tool b_c of server a and tool c of server
	// a_b bear one name.
	own := cleanName(t.Toolset) + "_" + cleanName(t.Name)
	if server, ok := strings.CutPrefix(t.Toolset, "mcp-"); ok {
		own = "mcp__" + cleanName(server) + "__" + strings.Trim(cleanName(ownName(t)), "_")
	} else if t.Toolset == model.NoToolset {
		own = "other_" + cleanName(t.Name)
	}
	registered := c.s.Registry.Tools[t.Index]
	renamed := t.Name != registered.Name // by an edit, to a name that is free
	if bearers := c.s.Registry.Lookup(t.Name); !renamed && len(bearers) > 1 {
		add(found(NameClash, Error, t, "%s has the name too; a call by it is ambiguous", others(bearers, registered, true)), own)
	}
	switch class := c.s.Class(t); {
	case renamed:
	case class == engine.Dropped:
		add(found(BridgeName, Error, t, "%s is the name of a bridge tool, so that this one is never sent", t.Name), own)
	case class == engine.Visible && c.s.Core(registered) && engine.SourceOf(t.Toolset) == "mcp":
		add(found(CoreName, Warning, t, "%s is the name of a core tool, so that this one of %s is always sent in full", t.Name, t.Toolset), own)
	}
	var faults []string
	for _, r := range model.NameRules {
		if r.Advice {
			continue
		}
		if fault := refuses(r, t.Name); fault != "" {
			faults = append(faults, r.Provider+" "+fault)
		}
	}
	if len(faults) > 0 {
		add(found(NameRule, Error, t, "%s", strings.Join(faults, "; ")), cleanName(t.Name))
	}
	return out
}

// others names the first tool of a group but for one, and counts the rest; there must
// be one. in says whether the group has the one that is left out. It does not go
// through the group, as it is called for every tool of a group.
func others(group []*model.Tool, but *model.Tool, in bool) string {
	n, first := len(group), 0
	if in {
		if n--; group[0] == but {
			first = 1
		}
	}
	if n == 1 {
		return group[first].Qualified
	}
	return fmt.Sprintf("%s and %d more", group[first].Qualified, n-1)
}

// longestName is the longest name that every provider takes.
const longestName = 64

// cleanName returns the name with which every provider is content that is
// nearest to a name.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '_', r == '-', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] == '-' || '0' <= name[0] && name[0] <= '9' {
		name = "_" + name
	}
	return name[:min(len(name), longestName)]
}

// free returns a name, or one that differs at its end, that no tool of the
// registry bears and that is neither a core nor a bridge name.
func (c *check) free(name string) string {
	name = name[:min(len(name), longestName)]
	for n, try := 2, name; ; n++ {
		taken := len(c.s.Registry.Lookup(try)) > 0 || engine.IsBridge(try) || slices.Contains(c.s.Config.Core, try)
		if !taken {
			return try
		}
		end := fmt.Sprintf("_%d", n)
		try = name[:min(len(name), longestName-len(end))] + end
	}
}
