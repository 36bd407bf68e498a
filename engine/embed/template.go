package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/model"
)

// templateName identifies what Template does. An index of texts that were
// made otherwise is not used, so it changes whenever Template does.
const templateName = "name words. description. parameters: names/1"

// maxText bounds a text that is embedded, in bytes. OpenAI's embedding models
// refuse more than 8,191 tokens (API reference, embeddings), and no token is
// shorter than a byte; the other models cut sooner than that by themselves.
const maxText = 8000

// Template returns the text of a tool that is embedded: the words of its
// name, its description, and the words of its parameters' names, at most 8,000
// bytes of valid UTF-8. White space is one space each. It is never empty.
func Template(t *model.Tool) string {
	var b strings.Builder
	b.WriteString(words(t.Name))
	if description := strings.Join(strings.Fields(t.Description), " "); description != "" {
		sentence(&b, description)
	}
	var parameters []string
	for _, name := range t.PropertyNames() {
		if w := words(name); w != "" {
			parameters = append(parameters, w)
		}
	}
	if len(parameters) > 0 {
		sentence(&b, "parameters: "+strings.Join(parameters, ", "))
	}
	if b.Len() == 0 {
		return "tool" // nothing is known of it; some services refuse an empty text
	}
	return bounded(b.String())
}

// sentence appends s to b, behind a full stop when there is something before.
func sentence(b *strings.Builder, s string) {
	if b.Len() > 0 {
		if !strings.HasSuffix(b.String(), ".") {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	b.WriteString(s)
}

// words returns the words of an identifier in lower case, a space between two:
// "createIssue", "create_issue" and "create-issue" are "create issue", and
// "parseHTTPResponse2" is "parse http response2".
func words(name string) string {
	runes := []rune(name)
	var b strings.Builder
	gap := false // a word ended and the next has not begun
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap = true
			continue
		}
		if (gap || i > 0 && humped(runes, i)) && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// humped reports whether a word of camel case begins at i, which is not 0: a
// capital after a small letter or digit, or the last capital of several, before
// a small letter.
func humped(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	before := runes[i-1]
	if unicode.IsLower(before) || unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// bounded returns s as valid UTF-8, cut to maxText bytes between characters.
func bounded(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
