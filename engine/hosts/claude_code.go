package hosts

import (
	"slices"
	"strings"
	"unicode"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"

	"golang.org/x/text/unicode/norm"
)

// claudeCode is ToolSearch of Claude Code. A word gives 12 for a part of the server's or the
// tool's name and 6 inside one, 12 for the whole of either and 4 inside it, 2 as a word of
// the first 4,096 characters of the description. Its own deferred tools compete, with 10, 5,
// 10 and 3, and 4 for a word of a hint that only the search reads. A query that is a name is
// answered with that tool, mcp__ and a beginning with those that begin so.
var claudeCode = &Host{
	Name: "claude-code", Title: "Claude Code", Package: "npm @anthropic-ai/claude-code", Version: "2.1.332", Month: "2026-11", Limit: 5,
	Client:  "claude-code",
	On:      "unless ENABLE_TOOL_SEARCH says no",
	naming:  model.DoubleNaming.ToolName,
	refuses: isNoObject,
	leaves:  isNoAnthropicTool,
	cleaned: visibleOnly,
	direct:  claudeNames,
	rules: rules{
		query: claudeWords, repeats: true,
		texts: []text{
			{of: func(e *entry) []string { return claudeParts(e) }},
			{of: claudeWhole},
			{of: func(e *entry) []string { return []string{claudeDescription(e)} }},
			{of: func(e *entry) []string { return []string{strings.Join(claudeParts(e), " ")} }},
		},
		points: claudePoints,
		order:  []key{byScore, byLetters},
	},
}

// claudeLoaded are its tools that are never deferred, which a query that is a name finds.
var claudeLoaded = strings.Fields("Agent Bash Edit ListAgents Read ReportFindings ScheduleWakeup Skill ToolSearch Workflow Write")

// claudeWhole returns server and tool in lower case.
func claudeWhole(e *entry) []string {
	if e.tool == nil {
		return []string{lower(e.wire)}
	}
	return []string{lower(e.server), strings.ToLower(e.local)}
}

// claudeParts returns the parts of server and tool: cut at white space, underscores and
// dots; hyphens and camelCase cut only names of its own.
func claudeParts(e *entry) (parts []string) {
	if e.tool == nil {
		return camelWords(e.wire)
	}
	for _, whole := range claudeWhole(e) {
		parts = append(parts, strings.FieldsFunc(whole, func(c rune) bool { return c == '_' || c == '.' || isScriptSpace(c) })...)
	}
	return parts
}

// claudeDescription returns the part of a description that is searched.
func claudeDescription(e *entry) string {
	if e.tool == nil {
		return e.description
	}
	return lower(words.CutUnits(e.description, 4096))
}

// claudePoints returns what a word of the query gives a tool that has some points before.
func claudePoints(e *entry, w string, before float64) (points float64) {
	weights := [2]text{{equal: 12, inside: 6}, {equal: 12, inside: 4}}
	if e.tool == nil {
		weights = [2]text{{equal: 10, inside: 5}, {equal: 10, inside: 3}}
	}
	for i, t := range weights {
		points += t.give(e.cut[i], w)
	}
	if before+points == 0 && strings.Contains(e.cut[3][0], w) {
		points = 3
	}
	if hasWord(e.hint, w) {
		points += 4
	}
	if hasWord(e.cut[2][0], w) {
		points += 2
	}
	return points
}

// claudeWords returns the first 32 words of a query, and before the others those with a plus
// sign, without it: a tool must have them.
func claudeWords(query string) (list []string, required int) {
	var others []string
	fields := strings.Fields(lower(query))
	for _, w := range fields[:min(32, len(fields))] {
		if bare, plus := strings.CutPrefix(w, "+"); plus && bare != "" {
			list = append(list, bare)
		} else {
			others = append(others, w)
		}
	}
	return append(list, others...), len(list)
}

// claudeNames answers a query that is a name or a beginning of names, and select:a,b.
func claudeNames(x *Index, query string) (found []*entry, ok bool) {
	query = lower(strings.TrimSpace(query))
	if list, isSelection := strings.CutPrefix(query, "select:"); isSelection {
		names := strings.Split(list, ",")
		for _, name := range names[:min(64, len(names))] {
			name = strings.TrimSpace(name)
			i := slices.IndexFunc(x.entries, func(e *entry) bool { return e.name == name })
			if i < 0 {
				i = slices.IndexFunc(x.entries, func(e *entry) bool { return lower(e.local) == name })
			}
			if i >= 0 {
				found = append(found, x.entries[i])
			}
		}
		return found, true
	}
	for _, e := range x.entries {
		if e.name == query {
			return []*entry{e}, true
		}
	}
	for _, name := range claudeLoaded {
		if lower(name) == query {
			return []*entry{{wire: name}}, true
		}
	}
	if len(query) > len("mcp__") && strings.HasPrefix(query, "mcp__") {
		for _, e := range x.entries {
			if strings.HasPrefix(e.name, query) {
				found = append(found, e)
			}
		}
		slices.SortFunc(found, func(a, b *entry) int { return x.compare(scored{entry: a}, scored{entry: b}) })
	}
	return found, len(found) > 0
}

// isNoObject reports whether the schema of a tool does not say type: object, for which the
// client of the MCP SDK refuses all tools of the server.
func isNoObject(t *model.Tool) bool {
	root, err := jsontree.Parse(t.Parameters, jsontree.Strict)
	if err != nil || !root.Is(jsontree.Object) {
		return len(t.Parameters) > 0
	}
	kind := root.Member("type")
	return !kind.Is(jsontree.String) || kind.Text != "object"
}

// isNoAnthropicTool reports whether Anthropic's API takes no tool of a name, or with a
// parameter, that it has: Claude Code leaves it out and says nothing.
func isNoAnthropicTool(name string, t *model.Tool) bool {
	return len(name) > 128 || slices.ContainsFunc(t.PropertyNames(), func(key string) bool {
		return key == "" || len(key) > 64 || masked(key, ".-") != key
	})
}

// visibleOnly returns a text in the compatibility form of Unicode (NFKC), without what no one
// sees: marks of formats, characters for private use and those that are none.
func visibleOnly(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(c rune) rune {
		if unicode.In(c, unicode.Cf, unicode.Co) || !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C) {
			return -1
		}
		return c
	}, norm.NFKC.String(text))
}
