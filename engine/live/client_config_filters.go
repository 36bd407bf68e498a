package live

import (
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/words"
)

// Which of a server's tools a client takes is said in the entry of the server, or in
// settings that are about all servers. A setting that looks like such a filter and is
// not heeded, or not wholly, is named in Unread.
//
// A filter is a list of patterns, or one pattern; one of tools to leave out may also be
// an object of names with true. What of it is something else is not heeded. A filter of
// tools to take of which nothing can be read takes all, as none does.

// includeKeys and excludeKeys are what clients call the filters of an entry: Codex;
// Gemini CLI and Amp; LiteLLM; others; and Goose.
var (
	includeKeys = []string{"enabled_tools", "includeTools", "allowed_tools", "allowedTools", "enabledTools", "available_tools"}
	excludeKeys = []string{"disabled_tools", "excludeTools", "disallowed_tools", "disallowedTools", "disabledTools"}
)

// emptyTakesAll reports whether an empty list under a key takes all tools, as no list does:
// that of Goose, and that of LiteLLM. Any other empty list takes no tool.
func emptyTakesAll(client, key string) bool {
	return key == "available_tools" || client == "litellm" && key == "allowed_tools"
}

// harmlessKeys read like filters and take no tools away: they are about time, or what is
// asked before a call.
var harmlessKeys = []string{"tools", "tool_timeout_sec", "toolCallTimeout", "tool_call_timeout",
	"default_tools_approval_mode", "alwaysAllow", "always_allow", "allowed_params", "allow_elicitation"}

// filterWords are the words in the name of a setting that may choose tools.
var filterWords = []string{"filter", "filters", "allow", "allowed", "allowlist", "whitelist", "deny", "denied", "denylist", "block", "blocked", "blocklist", "blacklist",
	"disallow", "disallowed", "exclude", "excluded", "excludes", "include", "included", "includes", "hide", "hidden", "permission", "permissions"}

// mayFilter reports whether a setting of an entry that is not known may choose tools: its
// name has the word tool, or it has a list, a text or an object under a name such as filter.
func mayFilter(m clientfile.Member) bool {
	if strings.Contains(strings.ToLower(m.Name), "tool") {
		return m.Kind != clientfile.Null
	}
	if m.Kind != clientfile.List && m.Kind != clientfile.Object && (m.Kind != clientfile.Text || m.Number) {
		return false
	}
	return slices.ContainsFunc(wordsOf(m.Name), func(w string) bool { return slices.Contains(filterWords, w) })
}

// wordsOf returns the words of a name, in lower case: of toolFilter tool and filter.
func wordsOf(name string) []string {
	var c words.Cutter
	var list []string
	c.Cut([]byte(name))
	for w := c.Next(); w != nil; w = c.Next() {
		list = append(list, string(w))
	}
	return list
}

// toolsMembers are the members of "tools" in an entry: the filters, and what Hermes
// offers beside the tools.
var toolsMembers = []string{"include", "exclude", "resources", "prompts"}

// filterLiteLLM heeds how LiteLLM reads its lists where it lists tools
// (filter_tools_by_allowed_tools of litellm/proxy/_experimental/mcp_server): a tool may be
// named with the server and a hyphen before it. Of both lists, allowed_tools counts first
// and disallowed_tools takes from it. (For a call it has another rule, by which
// disallowed_tools counts only without the other; the model calls what it is listed.)
func (s *Server) filterLiteLLM() {
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

// filter is the value of a setting that chooses tools, with its name.
type filter struct {
	name string
	clientfile.Value
}

// readFilters reads the filters of an entry.
func (s *Server) readFilters(v clientfile.Value, client string) {
	tools := v.Member("tools") // Hermes: an object; Copilot: a list
	include := []filter{{"tools.include", tools.Member("include")}}
	if tools.Kind != clientfile.Object {
		include = append(include, filter{"tools", tools})
	}
	for _, key := range includeKeys {
		if m := v.Member(key); !emptyTakesAll(client, key) || m.Kind != clientfile.List || len(m.Items) > 0 {
			include = append(include, filter{key, m})
		}
	}
	s.Include = s.firstOf(include, included)
	if client == "gemini" {
		s.Include = withoutArguments(s.Include)
	}
	if list, _ := included(tools.Member("include")); list == nil { // beside which Hermes does not read the other
		exclude := []filter{{"tools.exclude", tools.Member("exclude")}}
		for _, key := range excludeKeys {
			exclude = append(exclude, filter{key, v.Member(key)})
		}
		s.Exclude = s.firstOf(exclude, excluded)
	}
	if client == "litellm" {
		s.filterLiteLLM()
	}
	for _, m := range tools.Members {
		approval := client == "codex" && m.Member("approval_mode").Kind != 0 && len(m.Members) == 1 // of one tool
		if !slices.Contains(toolsMembers, m.Name) && m.Kind != clientfile.Null && !approval {
			s.Unread = append(s.Unread, "tools."+m.Name)
		}
	}
	for _, m := range v.Members {
		known := slices.Contains(includeKeys, m.Name) || slices.Contains(excludeKeys, m.Name) || slices.Contains(harmlessKeys, m.Name)
		if !known && mayFilter(m) {
			s.Unread = append(s.Unread, m.Name)
		}
	}
}

// firstOf returns the patterns of the first filter of which any can be read. It names
// those in Unread that cannot be read wholly.
func (s *Server) firstOf(filters []filter, read func(clientfile.Value) ([]string, bool)) []string {
	for _, f := range filters {
		list, whole := read(f.Value)
		if !whole {
			s.Unread = append(s.Unread, f.name)
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// included returns the patterns of a filter of tools to take, and whether all of it can
// be read. An empty list is not nil: it takes no tool. A list of which nothing can be
// read is nil, as no list is.
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

// patternsOf returns the patterns of a list, or the one that a text is, and whether all
// of the value can be read; no value and null are read as no filter.
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

// withoutArguments returns the names of tools without what Gemini CLI allows behind
// them, as in run(ls).
func withoutArguments(patterns []string) []string {
	for i, p := range patterns {
		patterns[i], _, _ = strings.Cut(p, "(")
	}
	return patterns
}
