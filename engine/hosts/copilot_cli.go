package hosts

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"caliper/model/jsontree"
)

// copilotCLI is the tool search of Copilot CLI for Anthropic's models, on where there are
// more than 30 tools, its own 17 among them. Over the Responses API it leaves the search
// to the provider, and with chat completions it defers nothing.
var copilotCLI = &Host{
	Name: "copilot-cli", Title: "Copilot CLI", Package: "npm @github/copilot", Version: "1.0.102", Month: "2026-11", Limit: 5,
	Client:  "copilot",
	On:      "with more than 30 tools, its own 17 among them, for models of Anthropic",
	naming:  func(server, tool string) string { return hyphened(server) + "-" + hyphened(tool) },
	longest: 64,
	above:   30 - 17,
	rules:   rules{tiers: true, order: []key{byScore, byServer}},
}

// tiers returns the tools in which a regular expression is found, whatever the case: 3 in
// the name, 2 in the description, 1 in the top-level parameters.
func (x *Index) tiers(query string) (out []scored) {
	pattern := patternOf(query)
	if pattern == nil {
		return nil
	}
	for _, e := range x.entries {
		if tier := tierOf(e, pattern); tier > 0 {
			out = append(out, scored{entry: e, score: tier})
		}
	}
	return out
}

// patternOf returns the expression of a query, nil for one of more than 200 characters or
// with a fault, which finds nothing.
func patternOf(query string) *regexp.Regexp {
	if len([]rune(query)) > 200 {
		return nil
	}
	pattern, err := regexp.Compile("(?i)" + query)
	if err != nil {
		return nil
	}
	return pattern
}

// tierOf returns where an expression is found in a tool, 0 for nowhere.
func tierOf(e *entry, pattern *regexp.Regexp) float64 {
	switch {
	case pattern.MatchString(e.wire):
		return 3
	case pattern.MatchString(e.description):
		return 2
	case inParameters(e, pattern):
		return 1
	}
	return 0
}

// inParameters reports whether the name or description of a top-level parameter has a match.
func inParameters(e *entry, pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(parameterTexts(e, false), pattern.MatchString)
}

// parameterTexts returns the names and descriptions of the top-level parameters. A parameter
// without a description of its own has that of the definition which it refers to, where
// references are followed.
func parameterTexts(e *entry, follow bool) (texts []string) {
	root, err := jsontree.Parse(e.tool.Parameters, jsontree.Strict)
	if err != nil || !root.Is(jsontree.Object) || !root.Member("properties").Is(jsontree.Object) {
		return nil
	}
	follow = follow && !refersToItself(root, root, map[*jsontree.Node]bool{})
	for _, m := range root.Member("properties").Members() {
		texts = append(texts, m.Name)
		at, d := m.Node, m.Member("description")
		for follow && d == nil && at.Member("$ref").Is(jsontree.String) {
			at = resolve(root, at.Member("$ref").Text)
			d = at.Member("description")
		}
		if m.Is(jsontree.Object) && d.Is(jsontree.String) {
			texts = append(texts, d.Text)
		}
	}
	return texts
}

// Asked returns the query as the host's model writes it who has these words in mind: for a
// host that takes a regular expression the words as alternatives, else the words.
func (h *Host) Asked(words string) string {
	if !h.rules.tiers {
		return words
	}
	list := strings.Fields(words)
	for i, w := range list {
		list[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(list, "|")
}

// hyphened returns a name with a hyphen for every character that is not its own.
func hyphened(name string) string {
	return strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && isWordByte(byte(c)) {
			return c
		}
		return '-'
	}, name)
}
