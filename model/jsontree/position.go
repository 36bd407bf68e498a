package jsontree

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Lines knows where the lines of a text begin.
type Lines struct {
	data   []byte
	starts []int // offsets of the second and later lines; nil before the first position
}

// NewLines returns the lines of a text.
func NewLines(data []byte) *Lines { return &Lines{data: data} }

// Position returns line and column of an offset, both from 1, the column in bytes. An offset past
// the end is at the end; a byte order mark does not count.
func (l *Lines) Position(at int) (line, col int) {
	if l.starts == nil && at > 0 {
		l.starts = make([]int, 0, bytes.Count(l.data, []byte{'\n'}))
		for i := 0; ; {
			n := bytes.IndexByte(l.data[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			l.starts = append(l.starts, i)
		}
	}
	at = min(at, len(l.data))
	n := sort.SearchInts(l.starts, at+1) // lines that begin at or before at, less the first
	start := 0
	if n > 0 {
		start = l.starts[n-1]
	} else if bytes.HasPrefix(l.data, byteOrderMark) {
		start = min(len(byteOrderMark), at)
	}
	return n + 1, at - start + 1
}

// Position returns the line and the column of one offset of a text, as Lines.Position does.
func Position(text []byte, at int) (line, col int) {
	return NewLines(text[:min(at, len(text))]).Position(at)
}

// Splice is a text that replaces a span of another one.
type Splice struct {
	From, To int
	Text     []byte
}

// Spliced returns a text with splices made, which do not overlap. An insertion stands before
// another splice there, and equal ones in the order given.
func Spliced(text []byte, splices []Splice) []byte {
	if len(splices) == 0 {
		return text
	}
	slices.SortStableFunc(splices, func(a, b Splice) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	var out []byte
	done := 0
	for _, s := range splices {
		out = append(append(out, text[done:s.From]...), s.Text...)
		done = s.To
	}
	return append(out, text[done:]...)
}

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapeToken writes a name as a token of a JSON pointer (RFC 6901).
func EscapeToken(name string) string { return tokenEscaper.Replace(name) }

// UnescapeToken reads a token of a JSON pointer.
func UnescapeToken(token string) string { return tokenUnescaper.Replace(token) }

// JoinName appends a member's name to a path: a.b, or a["b c"] where it is no plain word.
func JoinName(path, name string) string {
	for i := range len(name) {
		b := name[i]
		word := b == '_' || b == '$' || b == '-' || '0' <= b && b <= '9' && i > 0 || 'a' <= b|0x20 && b|0x20 <= 'z'
		if !word {
			return path + "[" + string(AppendQuoted(nil, name)) + "]"
		}
	}
	if name == "" {
		return path + `[""]`
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// JoinIndex appends an array index to a path.
func JoinIndex(path string, index int) string {
	return path + "[" + strconv.Itoa(index) + "]"
}

// PointerTokens returns the tokens of a JSON pointer.
func PointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		tokens[i] = UnescapeToken(token)
	}
	return tokens
}

// Pointer returns the JSON pointer of tokens.
func Pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(EscapeToken(token))
	}
	return b.String()
}
