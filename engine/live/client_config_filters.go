package live

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/words"
)

// Which of a server's tools a client takes is said in the entry of the server, or in
// settings that are about all servers. A setting that looks like such a filter and is
// not heeded, or not wholly, is named in Unread, and one that the client itself does not
// heed in Foreign.
//
// A filter is a list of patterns, or one pattern; one of tools to leave out may also be
// an object of names with true. Anything else in it is not heeded. A filter of
// tools to take without a readable part takes all, as none does.

// chooser is a setting of an entry by which clients choose tools.
type chooser struct {
	path    []string
	leaves  bool     // it has the tools to leave out, not those to take
	clients []string // that read it
	all     []string // of these clients, those for which an empty list takes all tools
}

// choosers are these settings, each with the clients that read it. A setting in an entry of another
// client is in Foreign, and does nothing. In a file that does not show whose it is, each setting is
// heeded that any client reads.
//
// Sources: codex 0.171, crush 0.96, gemini-cli 0.61, qwen-code 0.24 and amp by their schemas;
// mcpproxy by ServerConfig of internal/config, goose by its ExtensionConfig, litellm by
// filter_tools_by_allowed_tools; roo, windsurf and kiro by their pages on MCP. As measured,
// Copilot CLI 1.0.102 reads these two and Claude Code 2.1.332 offers every tool. The other clients
// document no such setting.
var choosers = []chooser{
	{path: []string{"tools", "include"}, clients: []string{"hermes"}},
	{path: []string{"tools"}, clients: []string{"copilot"}},
	{path: []string{"enabled_tools"}, clients: []string{"codex", "crush", "mcpproxy"}, all: []string{"mcpproxy"}},
	{path: []string{"includeTools"}, clients: []string{"gemini", "qwen", "amp"}},
	{path: []string{"allowed_tools"}, clients: []string{"litellm"}, all: []string{"litellm"}},
	{path: []string{"available_tools"}, clients: []string{"goose"}, all: []string{"goose"}},
	{path: []string{"config", "function_name_filter_list"}, clients: []string{"open-webui"}, all: []string{"open-webui"}},
	{path: []string{"allowedTools"}},
	{path: []string{"enabledTools"}},
	{path: []string{"tools", "exclude"}, leaves: true, clients: []string{"hermes"}},
	{path: []string{"disabled_tools"}, leaves: true, clients: []string{"codex", "crush", "mcpproxy"}},
	{path: []string{"excludeTools"}, leaves: true, clients: []string{"gemini", "qwen", "copilot"}},
	{path: []string{"disallowed_tools"}, leaves: true, clients: []string{"litellm"}},
	{path: []string{"disabledTools"}, leaves: true, clients: []string{"roo", "windsurf", "kiro"}},
	{path: []string{"disallowedTools"}, leaves: true},
}

// unswitched are the clients seen to start a server whatever these keys of its entry say: Claude
// Code 2.1.332, Gemini CLI 0.61.0, Qwen Code 0.24.4, Copilot CLI 1.0.102. OpenCode 1.18.33 heeds
// both.
var unswitched = map[string][]string{
	"enabled":  {"claude-code", "gemini", "qwen", "copilot"},
	"disabled": {"claude-code", "gemini", "qwen"},
}

// harmlessKeys read like filters and are about time, or questions before a call.
var harmlessKeys = []string{"tool_timeout_sec", "toolCallTimeout", "tool_call_timeout",
	"default_tools_approval_mode", "alwaysAllow", "always_allow", "allowed_params", "allow_elicitation"}

// filterWords are the words in the name of a setting that may choose tools.
var filterWords = []string{"filter", "filters", "allow", "allowed", "allowlist", "whitelist", "deny", "denied", "denylist", "block", "blocked", "blocklist", "blacklist",
	"disallow", "disallowed", "exclude", "excluded", "excludes", "include", "included", "includes", "hide", "hidden", "permission", "permissions"}

// mayFilter reports whether an unknown setting may choose tools, by the word tool in its name, or
// by a word such as filter and its kind.
func mayFilter(m clientfile.Member) bool {
	if strings.Contains(strings.ToLower(m.Name), "tool") {
		return m.Kind != clientfile.Null
	}
	if m.Kind != clientfile.List && m.Kind != clientfile.Object && (m.Kind != clientfile.Text || m.Number) {
		return false
	}
	var c words.Cutter // of toolFilter into tool and filter
	c.Cut([]byte(m.Name))
	for w := c.Next(); w != nil; w = c.Next() {
		if slices.Contains(filterWords, string(w)) {
			return true
		}
	}
	return false
}

// toolsMembers are the members of "tools": filters, and what Hermes offers beside the tools.
var toolsMembers = []string{"include", "exclude", "resources", "prompts"}

// filter is the value of a setting that chooses tools, with its name.
type filter struct {
	name string
	clientfile.Value
}

// readFilters reads the filters of an entry.
func (s *Server) readFilters(v clientfile.Value, client string) {
	tools := v.Member("tools") // Hermes: an object; Copilot: a list
	include, exclude := []filter{}, []filter{}
	for _, c := range choosers {
		f := filter{strings.Join(c.path, "."), v.Member(c.path...)}
		empty := f.Kind == clientfile.List && len(f.Items) == 0
		takesAll := slices.Contains(c.all, client) || client == "" && len(c.all) == len(c.clients)
		if f.name == "tools" && f.Kind == clientfile.Object || empty && takesAll { // an object is of Hermes and Codex
			f.Value = clientfile.Value{}
		}
		switch {
		case !slices.Contains(c.clients, client) && (client != "" || len(c.clients) == 0): // not read
			if f.Kind != 0 && f.Kind != clientfile.Null {
				s.Foreign = append(s.Foreign, f.name)
			}
		case c.leaves:
			exclude = append(exclude, f)
		default:
			include = append(include, f)
		}
	}
	if at := (filter{"options.toolFilter", v.Member("options", "toolFilter")}); client == "" && at.Kind != 0 { // mcp-proxy of tbxark (client.go)
		list := filter{at.name + ".list", at.Member("list")}
		switch mode := at.Member("mode"); {
		case list.Kind == clientfile.List && len(list.Items) == 0: // takes all
		case mode.Says("allow"):
			include = append(include, list)
		case mode.Says("block"):
			exclude = append(exclude, list)
		default:
			s.Unread = append(s.Unread, at.name)
		}
	}
	if client == "hermes" && !slices.ContainsFunc(include, func(f filter) bool { list, _ := included(f.Value); return list == nil }) {
		exclude = nil // which Hermes does not read beside the other
	}
	taken, left, names := "", "", excluded
	if client == "gemini" || client == "qwen" || client == "copilot" {
		names = patternsOf // which are made literal below
	}
	s.Include, taken = s.firstOf(include, included)
	s.Exclude, left = s.firstOf(exclude, names)
	s.includedBy = s.At + "." + taken
	switch client {
	case "open-webui":
		s.filterOpenWebUI(include[0])
	case "gemini", "qwen", "copilot": // whole names; a star alone is all of them to Copilot CLI
		for i, p := range s.Include {
			if client != "copilot" {
				p, _, _ = strings.Cut(p, "(") // without arguments, as in run(ls)
			} else if p == "*" {
				continue
			}
			s.Include[i] = literalBut(p, "")
		}
		for i, p := range s.Exclude {
			s.Exclude[i] = literalBut(p, "")
		}
	case "litellm":
		// Heed how LiteLLM reads its lists where it lists tools (filter_tools_by_allowed_tools of
		// litellm/proxy/_experimental/mcp_server): a tool may be named with the server and a hyphen
		// before it.
		either := func(names []string) []string {
			all := slices.Clone(names)
			for _, name := range names {
				if own, ok := strings.CutPrefix(name, s.Name+"-"); ok {
					all = append(all, own)
				}
			}
			return all
		}
		s.Include, s.Exclude = either(s.Include), either(s.Exclude)
	}
	s.excluded(Setting{Key: s.At + "." + cmp.Or(left, taken)})
	for _, m := range tools.Members {
		approval := client == "codex" && m.Member("approval_mode").Kind != 0 && len(m.Members) == 1 // of one tool
		if !slices.Contains(toolsMembers, m.Name) && m.Kind != clientfile.Null && !approval {
			s.Unread = append(s.Unread, "tools."+m.Name)
		}
	}
	for _, m := range v.Members {
		if client == "copilot" && m.Name == "deferTools" { // read, and about when its tools are sent
			continue
		}
		chooses := slices.ContainsFunc(choosers, func(c chooser) bool { return c.path[0] == m.Name })
		if !chooses && !slices.Contains(harmlessKeys, m.Name) && mayFilter(m) {
			s.Unread = append(s.Unread, m.Name)
		}
	}
}

// filterOpenWebUI reads names in a list or between commas, those behind "!" to leave out. A tool
// fits a name with which its own ends (is_string_allowed in open_webui/utils/misc.py).
func (s *Server) filterOpenWebUI(f filter) {
	list, _ := patternsOf(f.Value)
	if f.Kind == clientfile.Text {
		list = strings.Split(f.Text, ",")
	}
	s.Include = nil
	for _, name := range list {
		name = strings.TrimSpace(name)
		own, leaves := strings.CutPrefix(name, "!")
		switch ending := "*" + literalBut(strings.TrimSpace(own), ""); {
		case name == "":
		case leaves:
			s.Exclude = append(s.Exclude, ending)
		default:
			s.Include = append(s.Include, ending)
		}
	}
}

// firstOf returns the first filter with a readable pattern, and its name. It names in Unread what
// cannot be read wholly.
func (s *Server) firstOf(filters []filter, read func(clientfile.Value) ([]string, bool)) (patterns []string, name string) {
	for _, f := range filters {
		list, whole := read(f.Value)
		if !whole {
			s.Unread = append(s.Unread, f.name)
		}
		if list != nil {
			return list, f.name
		}
	}
	return nil, ""
}

// included returns the patterns of tools to take, and whether all of it can be read. An empty list
// takes no tool; a list with nothing readable is nil, as no list is.
func included(v clientfile.Value) (list []string, whole bool) {
	list, whole = patternsOf(v)
	if len(list) == 0 && !whole {
		return nil, false
	}
	return list, whole
}

// excluded returns the patterns of a filter of tools to leave out, and whether all of it
// can be read. An object leaves out the names that are true in it.
//
// SECURITY: what cannot be read leaves nothing out, so that it must be told.
func excluded(v clientfile.Value) (list []string, whole bool) {
	if v.Kind != clientfile.Object {
		list, whole = patternsOf(v)
		for i, p := range list {
			if strings.HasPrefix(p, again) { // SECURITY: which only a rule of ours may mean
				list[i] = `\` + p
			}
		}
		return list, whole
	}
	whole = true
	for _, m := range v.Members {
		switch {
		case m.Says("true"):
			list = append(list, m.Name)
		case !m.Says("false"):
			whole = false
		}
	}
	return list, whole
}

// patternsOf returns the patterns of a list or text, and whether all can be read. Null is no
// filter.
func patternsOf(v clientfile.Value) (list []string, whole bool) {
	isText := func(v clientfile.Value) bool { return v.Kind == clientfile.Text && !v.Number }
	switch {
	case v.Kind == 0, v.Kind == clientfile.Null:
		return nil, true
	case isText(v):
		return []string{v.Text}, true
	case v.Kind != clientfile.List:
		return nil, false
	}
	list, whole = []string{}, true
	for _, item := range v.Items {
		if isText(item) || item.Kind == clientfile.Bool { // in YAML a name may read as one
			list = append(list, item.Text)
		} else {
			whole = false
		}
	}
	return list, whole
}
