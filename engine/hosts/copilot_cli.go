package hosts

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"caliper/model"
	"caliper/model/jsontree"
)

// copilotCLI is the tool search of Copilot CLI for Anthropic's models, on where there are
// more than 30 tools, its own 17 among them. Over the Responses API it leaves the search
// to the provider, and with chat completions it defers nothing.
var copilotCLI = &Host{
	Name: "copilot-cli", Title: "Copilot CLI", Package: "npm @github/copilot", Version: "1.0.102", Month: "2026-11", Limit: 5,
	Client: "copilot",
	Untold: "the expression has what Go's expressions lack",
	On:     "for Anthropic's models, over 30 tools",
	naming: func(server, tool string) string { return hyphened(server) + "-" + hyphened(inPunycode(tool)) },
	names:  func(h *Host, tools []*model.Tool) []string { return numbered(h, tools, 64) },
	above:  30 - 17,
	rules: rules{
		tiers: true, order: []key{byScore, byServer},
		texts: []text{{of: func(e *entry) []string { return parameterTexts(e, false) }}},
	},
}

// numbered returns the names of tools, cut to the longest that is taken, and numbered from 2 where
// another has it.
func numbered(h *Host, tools []*model.Tool, longest int) []string {
	names, taken := make([]string, len(tools)), map[string]bool{}
	for i, t := range tools {
		full := h.FullName(t)
		short := full[:min(len(full), longest)]
		for n := 2; taken[short]; n++ {
			number := strconv.Itoa(n)
			short = short[:min(len(short), longest-len(number))] + number
		}
		names[i], taken[short] = short, true
	}
	return names
}

// lacking matches the parts of JavaScript's expressions that Go's do not have: look-around, references to
// groups, and more than 1,000 repetitions.
var lacking = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\?<?[=!]|\\[1-9k]|\{\d*,?\d{4,}`) })

// Untold reports whether what a query finds cannot be told, for the reason that the row of the
// host has.
func (x *Index) Untold(query string) bool {
	return x.host.rules.tiers && len([]rune(query)) <= longestPattern && lacking().MatchString(query) && patternOf(query) == nil
}

// longestPattern is how many characters an expression may have.
const longestPattern = 200

// pattern is a regular expression, whatever the case.
type pattern struct {
	*regexp.Regexp
	literals []string // that it is made of as alternatives, which are looked for faster; nil: it is not
}

// patternOf returns the expression of a query, nil for one of more than 200 characters or
// with a fault, which finds nothing. Look-around and references to groups, which Go has not,
// are faults besides.
func patternOf(query string) *pattern {
	text, ok := scriptPattern(query)
	if !ok || len([]rune(query)) > longestPattern {
		return nil
	}
	e, err := regexp.Compile("(?i)" + text)
	if err != nil {
		return nil
	}
	// The texts of ASCII that it has as alternatives.
	var literals []string
	var b strings.Builder
	for i := 0; i < len(query); i++ {
		c := query[i]
		switch {
		case c == '|':
			literals = append(literals, strings.ToLower(b.String()))
			b.Reset()
			continue
		case c == '\\' && i+1 < len(query) && !isWordByte(query[i+1]):
			i++
			c = query[i]
		case strings.IndexByte(`\.+*?()[]{}^$`, c) >= 0:
			return &pattern{e, nil}
		}
		if c > unicode.MaxASCII {
			return &pattern{e, nil}
		}
		b.WriteByte(c)
	}
	return &pattern{e, append(literals, strings.ToLower(b.String()))}
}

// in reports whether a text has a match.
func (p *pattern) in(text string) bool {
	if p.literals == nil || !isASCII(text) {
		return p.MatchString(text)
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(p.literals, func(l string) bool { return strings.Contains(text, l) })
}

// tierOf returns where an expression is found in a tool: 3 in the name, 2 in the description, 1 in
// the top-level parameters, 0 nowhere.
func tierOf(e *entry, p *pattern) float64 {
	switch {
	case p.in(e.wire):
		return 3
	case p.in(e.description):
		return 2
	case slices.ContainsFunc(e.cut[0], p.in):
		return 1
	}
	return 0
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
