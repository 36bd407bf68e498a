package reach

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"caliper/engine/live"
	"caliper/model"
	"caliper/model/clientfile"
)

// Part is tools of one server: that no session called, or that it pays to send with every request. Whole says so of all
// of its tools together.
type Part struct {
	Tools []*model.Tool
	Whole bool
}

// Trim is a setting of a client's file by which a server is off, or tools are left out.
type Trim struct {
	Client, File string
	Path         []string // "*" stands for each member
	Value        any      // where Add is nil
	Add          []string // to a list, from which nothing is taken
}

// Untrimmed is tools that a client sends and has no setting to leave out.
type Untrimmed struct {
	Client, File string
	Server       string
	Tools        int
	ListOnly     bool // the file has its servers in a list, into which nothing is written
	Dear         bool // a setting sends whole servers alone, and the other tools of this one cost more than these save
}

// cut is the settings of a client that switch a server off, and leave tools out: members of a
// server's entry, or with a pattern lists at the top of the file. SERVER and TOOL stand for names.
type cut struct {
	off, tools []string
	on         bool   // the value of off
	all        string // pattern in off, which is then a list at the top of the file
	one        string // of tools, which is then such a list; else the names at the server are in its entry
}

// cuts are the settings of each client. Sources: the choosers and switches of package live, each with
// what documents or measured it. Claude Code has them in its files of settings (claudeTrim). Cursor, Claude
// Desktop and VS Code keep such choices outside of their files; the entries of LiteLLM have no switch.
var cuts = map[string]cut{
	"codex":    {off: []string{"enabled"}, tools: []string{"disabled_tools"}},
	"crush":    {off: []string{"disabled"}, on: true, tools: []string{"disabled_tools"}},
	"opencode": {off: []string{"enabled"}, tools: []string{"tools"}},
	"roo":      {off: []string{"disabled"}, on: true, tools: []string{"disabledTools"}},
	"kiro":     {off: []string{"disabled"}, on: true, tools: []string{"disabledTools"}},
	"windsurf": {off: []string{"disabled"}, on: true, tools: []string{"disabledTools"}},
	"cline":    {off: []string{"disabled"}, on: true},
	"zed":      {off: []string{"enabled"}},
	"goose":    {off: []string{"enabled"}},
	"hermes":   {off: []string{"enabled"}, tools: []string{"tools", "exclude"}},
	"litellm":  {tools: []string{"disallowed_tools"}},
	"gemini":   {off: []string{"mcp", "excluded"}, all: "SERVER", tools: []string{"excludeTools"}},
	"copilot":  {off: []string{"disabled"}, on: true, tools: []string{"excludeTools"}},
	"qwen":     {off: []string{"mcp", "excluded"}, all: "SERVER", tools: []string{"excludeTools"}},
	"amp":      {off: []string{"amp.tools.disable"}, all: "mcp__SERVER__*", tools: []string{"amp.tools.disable"}, one: "mcp__SERVER__TOOL"},
}

// listed are the clients whose files have the servers in a list.
var listed = []string{"mcpproxy", "continue", "open-webui"}

// Trims returns the settings by which the clients of some files leave out idle tools, in the order of the
// files, and what they cannot leave out. A whole toolset that no file has is disabled in the configuration of
// the reference agent, where one is given. Nothing is said of a server that is off.
func Trims(idle []Part, files []live.ClientFile, places live.ClientPlaces, agent string) (trims []Trim, left []Untrimmed) {
	entries := make([]bool, len(idle))
	for _, f := range files {
		for i := range f.Servers {
			s := &f.Servers[i]
			for n, of := range idle {
				names := namesAt(s, f.Servers, of.Tools)
				entries[n] = entries[n] || len(names) > 0
				names = slices.DeleteFunc(names, func(name string) bool { return !s.Allows(name) })
				if len(names) == 0 || !s.Enabled || s.Problem != "" {
					continue
				}
				made, ok := trim(f, s, of, names, places)
				trims = append(trims, made...)
				if !ok {
					left = append(left, Untrimmed{f.Client, f.Path, s.EntryName(), len(names), slices.Contains(listed, f.Client), false})
				}
			}
		}
	}
	for n, of := range idle {
		if of.Whole && !entries[n] && agent != "" && of.Tools[0].Toolset != model.NoToolset {
			trims = append(trims, Trim{Client: "hermes", File: agent, Path: []string{"agent", "disabled_toolsets"}, Add: []string{of.Tools[0].Toolset}})
		}
	}
	return trims, left
}

// trim returns the settings that leave tools of one entry out; ok is false where the client has none.
func trim(f live.ClientFile, s *live.Server, of Part, names []string, places live.ClientPlaces) (list []Trim, ok bool) {
	if f.Client == "claude-code" {
		return []Trim{claudeTrim(f, s, of, names, places)}, true
	}
	c, known := cuts[f.Client]
	name := strings.NewReplacer("SERVER", s.EntryName())
	entry := s.Within(s.At + ".x")
	if !known || entry == nil {
		return nil, false
	}
	entry = entry[:len(entry)-1]
	make := func(path []string) Trim {
		return Trim{Client: f.Client, File: f.Path, Path: path, Value: false}
	}
	switch {
	case of.Whole && c.all != "":
		t := make(c.off)
		t.Add = []string{name.Replace(c.all)}
		return []Trim{t}, true
	case of.Whole && c.off != nil:
		t := make(append(slices.Clone(entry), c.off...))
		t.Value = c.on
		return []Trim{t}, true
	case c.tools == nil:
		return nil, false
	case f.Client == "opencode": // a switch for each tool
		for _, n := range names {
			list = append(list, make([]string{"tools", strings.TrimSuffix(model.ServerPrefixes(s.EntryName())[0][len("mcp__"):], "_") + n}))
		}
		return list, true
	case c.one != "":
		t := make(c.tools)
		for _, n := range names {
			t.Add = append(t.Add, strings.ReplaceAll(name.Replace(c.one), "TOOL", n))
		}
		return []Trim{t}, true
	}
	t := make(append(slices.Clone(entry), c.tools...))
	t.Add = names
	return []Trim{t}, true
}

// claudeTrim is trim for Claude Code. A whole server is not started any more: one of .mcp.json is rejected in the
// settings of the project, one of ~/.claude.json is disabled in the project's entry there, as /mcp does it: one of all
// projects in each of them. Single tools are denied, in the settings beside the server's entry. A denied server would
// still be started (findings/claude-denied-server-is-started.sh).
func claudeTrim(f live.ClientFile, s *live.Server, of Part, names []string, places live.ClientPlaces) Trim {
	t := Trim{Client: f.Client, File: filepath.Join(filepath.Dir(f.Path), ".claude", "settings.json"), Path: []string{"permissions", "deny"}}
	inProject := filepath.Base(f.Path) == ".mcp.json"
	switch {
	case filepath.Dir(f.Path) == places.Claude && !inProject: // CLAUDE_CONFIG_DIR
		t.File = filepath.Join(places.Claude, "settings.json")
	case s.Project != "":
		t.File = filepath.Join(s.Project, ".claude", "settings.local.json")
	}
	prefix := model.ServerPrefixes(s.EntryName())[0]
	switch {
	case of.Whole && inProject:
		t.Path, t.Add = []string{"disabledMcpjsonServers"}, []string{s.EntryName()}
	case of.Whole:
		t.File, t.Path, t.Add = f.Path, []string{"projects", cmp.Or(s.Project, "*"), "disabledMcpServers"}, []string{s.EntryName()}
	default:
		for _, n := range names {
			t.Add = append(t.Add, prefix+n)
		}
	}
	return t
}

// namesAt returns the names at one of a file's servers of those tools that are its own. A tool that does not
// say its server is of the one whose prefix its name has, of two such of the one with the longer.
func namesAt(s *live.Server, all []live.Server, tools []*model.Tool) (names []string) {
	for _, t := range tools {
		own := ""
		if t.Server == s.EntryName() {
			own = t.AtServer()
		}
		if own == "" {
			own = prefixed(s, t)
			if slices.ContainsFunc(all, func(other live.Server) bool {
				name := prefixed(&other, t)
				return name != "" && len(name) < len(own)
			}) {
				own = ""
			}
		}
		if own != "" {
			names = append(names, own)
		}
	}
	return names
}

// prefixed returns the name at the server of a tool whose name begins with a prefix of the server's, empty for
// one that is of another server by its toolset or by what it says.
func prefixed(s *live.Server, t *model.Tool) string {
	prefixes := model.ServerPrefixes(s.EntryName())
	if of, ok := strings.CutPrefix(t.Toolset, "mcp-"); ok && !slices.Equal(model.ServerPrefixes(of)[1:], prefixes[1:]) || t.Server != "" && "mcp-"+t.Server != t.Toolset {
		return ""
	}
	for _, prefix := range prefixes {
		if own, ok := strings.CutPrefix(t.Name, prefix); ok {
			return own
		}
	}
	return ""
}

// Remedy returns the setting, of no list, as what mends something.
func (t Trim) Remedy() Remedy {
	return Remedy{File: t.File, Key: strings.Join(t.Path, "."), Path: t.Path, Value: t.Value}
}

// Write returns the bytes of the file with the setting; all others stay. A file that is
// not there yet has no bytes.
func (t Trim) Write(data []byte) ([]byte, error) {
	if i := slices.Index(t.Path, "*"); i >= 0 {
		parsed, _, err := clientfile.Parse(t.File, data)
		for _, m := range parsed.Root.Member(t.Path[:i]...).Members {
			each := t
			each.Path = slices.Clone(t.Path)
			if each.Path[i] = m.Name; err == nil && m.Name != "*" {
				data, err = each.Write(data)
			}
		}
		return data, err
	}
	return rewrite(t.File, data, t.Path, func(list []string) (any, error) {
		if t.Add == nil {
			return t.Value, nil
		}
		for _, name := range t.Add {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		return list, nil
	})
}

// keepers are the members of a server's entry, and their values, with which clients send all of its tools with every
// request (package live, Server.AlwaysBy).
var keepers = map[string][2]any{"claude-code": {"alwaysLoad", true}, "copilot": {"deferTools", "never"}}

// Keeps returns the settings by which the clients of some files send tools that pay with every request, in the order of the
// files, and the servers whose tools they go on to defer: those that do not pay as a whole, and those of clients
// without such a setting. Nothing is said of a server that is off, or sent already.
func Keeps(paying []Part, files []live.ClientFile) (keeps []Trim, left []Untrimmed) {
	for _, f := range files {
		for i := range f.Servers {
			s := &f.Servers[i]
			for _, of := range paying {
				k, known := keepers[f.Client]
				n, path := len(namesAt(s, f.Servers, of.Tools)), s.Within(fmt.Sprint(s.At, ".", k[0]))
				switch {
				case n == 0 || !s.Enabled || s.Problem != "" || s.Always:
				case known && of.Whole && path != nil:
					keeps = append(keeps, Trim{Client: f.Client, File: f.Path, Path: path, Value: k[1]})
				default:
					left = append(left, Untrimmed{f.Client, f.Path, s.EntryName(), n, slices.Contains(listed, f.Client), known})
				}
			}
		}
	}
	return keeps, left
}

// KeepCore returns the setting by which the reference agent always sends tools beside those of a list, in the file of
// its configuration. The list is written whole, since a file that has one replaces the agent's own.
func KeepCore(file string, core []string, paying []Part) Trim {
	list := slices.Clone(core)
	for _, of := range paying {
		for _, t := range of.Tools {
			if !slices.Contains(list, t.Name) {
				list = append(list, t.Name)
			}
		}
	}
	return Trim{Client: "hermes", File: file, Path: []string{"tools", "core"}, Value: list}
}
