package live

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// withheld stands for a secret in a message.
const withheld = "[withheld]"

// shortestSecret is the length in bytes below which a value is not withheld:
// to replace every "1" of a message would hide nothing and make it useless.
const shortestSecret = 4

// redactor takes secrets out of what a server or a library says.
type redactor struct {
	secrets []string // longest first
}

// newRedactor returns a redactor of values, also in the spellings of JSON and
// of a query.
func newRedactor(values []string) redactor {
	var all []string
	for _, v := range values {
		if len(v) < shortestSecret {
			continue
		}
		all = append(all, v, url.QueryEscape(v), url.PathEscape(v))
		if quoted, err := json.Marshal(v); err == nil {
			all = append(all, string(quoted[1:len(quoted)-1]))
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if n := len(b) - len(a); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return redactor{slices.Compact(all)}
}

// longest returns the length of the longest secret.
func (r redactor) longest() int {
	if len(r.secrets) == 0 {
		return 0
	}
	return len(r.secrets[0])
}

// redact returns text from a byte offset on without secrets. A secret that
// begins before the offset is not shown in part.
func (r redactor) redact(text string, from int) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := slices.IndexFunc(r.secrets, func(s string) bool { return strings.HasPrefix(text[i:], s) })
		if n < 0 {
			if i >= from {
				b.WriteByte(text[i])
			}
			i++
			continue
		}
		if i += len(r.secrets[n]); i > from {
			b.WriteString(withheld)
		}
	}
	return b.String()
}

// message returns a text of a server for use in a message: without secrets and
// on one line.
func (r redactor) message(text string) string { return plain(r.redact(text, 0)) }

// styles are the control sequences that colour a text (ECMA-48, CSI).
var styles = regexp.MustCompile(`\x1b\[[0-9;:?]*[ -/]*[@-~]`)

// plain returns text on one line and safe for a terminal: control characters
// and line breaks become spaces, invisible formatting is dropped, and bytes
// that are not UTF-8 become U+FFFD.
func plain(text string) string {
	// What is left of a sequence that this does not know loses its escape below.
	text = styles.ReplaceAllString(text, "")
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsControl(c), c == '\u2028', c == '\u2029':
			return ' '
		case unicode.Is(unicode.Cf, c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == ' ' }), " ")
}

// clip returns at most n bytes of text, cut between characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
