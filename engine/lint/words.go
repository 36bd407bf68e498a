package lint

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/words"
)

// NameQuery returns what people say of a tool who know its name: the words of
// the name without its server's prefix, cut at everything that is no letter or
// digit and where a capital begins a word, with spaces between them.
func NameQuery(t *model.Tool) string { return strings.Join(words.Identifier(ownName(t)), " ") }

// SentenceQuery returns the first sentence of the tool's description, at most
// maxSentence code points of it.
func SentenceQuery(t *model.Tool) string {
	return headOf(t.Description[:sentenceEnd(t.Description)], maxSentence)
}

// ParameterQuery returns the words of the names of the tool's top-level
// parameters, each once.
func ParameterQuery(t *model.Tool) string {
	var all []string
	seen := map[string]bool{}
	for _, name := range t.PropertyNames() {
		for _, w := range words.Identifier(name) {
			if key := strings.ToLower(w); !seen[key] {
				seen[key] = true
				all = append(all, w)
			}
		}
	}
	return strings.Join(all, " ")
}

// maxSentence bounds a first sentence, in code points: nobody asks longer.
const maxSentence = 400

// ownName returns a tool's name without what an agent puts before the names of
// a server's tools: mcp_server_ or mcp__server__.
func ownName(t *model.Tool) string {
	if t.OriginalName != "" && t.Server != "" {
		return t.OriginalName
	}
	server, ok := strings.CutPrefix(t.Toolset, "mcp-")
	if !ok {
		return t.Name
	}
	server = strings.Map(func(r rune) rune {
		if r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, server)
	for _, prefix := range []string{"mcp__" + server + "__", "mcp_" + server + "_"} {
		if rest, ok := strings.CutPrefix(t.Name, prefix); ok && rest != "" {
			return rest
		}
	}
	return t.Name
}

// sentenceEnd returns the offset behind the first sentence of a text: behind a
// full stop, question or exclamation mark that white space or the end follows,
// or behind the first line break after some text.
func sentenceEnd(text string) int {
	started := false
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			switch {
			case words.Continues(rune(c)):
				started = true
			case !started:
			case c == '\n':
				return i
			case c == '.' || c == '?' || c == '!':
				next, _ := utf8.DecodeRuneInString(text[i+1:])
				if i+1 < len(text) && !unicode.IsSpace(next) {
					break
				}
				word := text[strings.LastIndexAny(text[:i], " \t\n(")+1 : i]
				// Behind these and a single letter, a full stop ends no sentence.
				if !slices.Contains([]string{"e.g", "i.e", "etc", "vs", "cf"}, strings.ToLower(word)) && (len(word) != 1 || word[0] < 'A') {
					return i + 1
				}
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '。' || r == '！' || r == '？':
			return i
		case words.Continues(r):
			started = true
		}
	}
	return len(text)
}

// headOf returns the first n code points of a text, trimmed.
func headOf(text string, n int) string {
	return strings.TrimSpace(words.First(strings.TrimSpace(text), n))
}

// functionWords carry grammar and no subject. A catalog is full of them, and
// nobody would take them out.
var functionWords = words.Set(`a an and any are as at be by can do does each for from has have if in into is it its
		may must no not of on one only or other per should than that the their them then these this to use used using via
		was when where which will with you your`)
