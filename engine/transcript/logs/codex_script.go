package logs

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"caliper/engine/transcript"
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
	// A filter looks for the words of the regular expressions and texts up to the end of its
	// statement, each word once. Texts that are only joined with have no letters.
	var words []string
	for i := 0; i < len(after) && after[i] != ';'; i++ {
		c := after[i]
		begins := c == '"' || c == '\'' || c == '`'
		if c == '/' { // of a pattern, since a division follows a value
			before := strings.TrimRight(after[:i], " \t\r\n")
			begins = before == "" || strings.IndexByte("(,=:[!&|?{}>", before[len(before)-1]) >= 0
		}
		if !begins {
			continue
		}
		end := i + 1
		for end < len(after) && after[end] != c {
			if after[end] == '\\' {
				end++
			}
			end++
		}
		for _, w := range inPattern().Split(after[i+1:min(end, len(after))], -1) {
			if len(w) > 1 && w != "mcp" && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		i = end
	}
	var asked transcript.Lookup
	if len(words) > 0 {
		asked.Queries = []string{strings.Join(words, " ")}
	}
	if !callsTool().MatchString(text) || ownTools().MatchString(text) {
		l.Call.Kind = transcript.Search
	}
	l.Call.Ask(asked)
	l.Searches = true
}

// inPattern is the text between the words of a pattern: neither letters nor digits,
// and classes such as \b.
var inPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\\[A-Za-z]|[^\pL\pN])+`) })

// mostListed is how many names of an output are looked at.
const mostListed = 1000

var serverTool = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`mcp__\w+__\w+`) })
