package logs

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// In code mode the model has one tool, which runs a script. The script finds tools by
// filtering the array allTools, and calls them as members of the object tools; what it
// called stands in events behind it.
const (
	scriptTool = "exec"
	allTools   = "ALL_TOOLS"
)

var (
	callsTool = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w.$])tools\s*[.\[]`) })
	ownTools  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:const|let|var)\s+tools\b`) })
)

// script reads what a script is for: a search if it looks through the tools and calls none;
// else it wraps the calls in it, and a search, if it asks anything, stands beside it.
func script(l *codexLine, text string) {
	l.Call.Kind = transcript.Wrap
	_, after, searches := strings.Cut(text, allTools)
	if !searches {
		return
	}
	var asked transcript.Lookup
	if query := literals(after); query != "" {
		asked.Queries = []string{query}
	}
	if !callsTool().MatchString(text) || ownTools().MatchString(text) {
		l.Call.Kind = transcript.Search
	}
	l.Call.Ask(asked)
	l.Searches = true
}

// literals returns the words of the regular expressions and texts up to the end of a
// statement of JavaScript, each word once: they are what a filter looks for. Texts that are
// only joined with are none, as they have no letters.
func literals(script string) string {
	var words []string
	for i := 0; i < len(script) && script[i] != ';'; i++ {
		c := script[i]
		if c != '"' && c != '\'' && c != '`' && (c != '/' || !beginsPattern(script[:i])) {
			continue
		}
		end := i + 1
		for end < len(script) && script[end] != c {
			if script[end] == '\\' {
				end++
			}
			end++
		}
		for _, w := range inPattern().Split(script[i+1:min(end, len(script))], -1) {
			if len(w) > 1 && w != "mcp" && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		i = end
	}
	return strings.Join(words, " ")
}

// inPattern is the text between the words of a pattern: neither letters nor digits,
// and classes such as \b.
var inPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\\[A-Za-z]|[^\pL\pN])+`) })

// beginsPattern reports whether a slash behind a text begins a regular expression: a
// division follows a value.
func beginsPattern(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before == "" || strings.IndexByte("(,=:[!&|?{}>", before[len(before)-1]) >= 0
}

// mostListed is how many names of an output are looked at.
const mostListed = 1000

// listed returns the names of servers' tools in the output of a script, in their order.
func listed(output string) []string {
	var names []string
	for _, n := range serverTool().FindAllString(output, mostListed) {
		if !slices.Contains(names, n) {
			names = append(names, strings.Clone(n))
		}
	}
	return names
}

var serverTool = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`mcp__\w+__\w+`) })

// defined returns the definitions that a search found, and their names. One of a namespace has
// its name before its own, and is a namespace of that tool alone.
func defined(list jsontree.Value) (names []string, definitions [][]byte) {
	for t := range list.All() {
		name := t.Member("name").Text()
		inner := t.Member("tools")
		quoted, _ := jsontext.AppendQuote(nil, name)
		for f := range inner.All() {
			names = append(names, name+"__"+f.Member("name").Text())
			definitions = append(definitions, fmt.Appendf(nil, `{"type":"namespace","name":%s,"tools":[%s]}`, quoted, jsontree.Compact(f.Raw)))
		}
		if !inner.IsArray() {
			names, definitions = append(names, name), append(definitions, bytes.Clone(jsontree.Compact(t.Raw)))
		}
	}
	return names, definitions
}
