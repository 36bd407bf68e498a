package jsontree

import (
	"strconv"
	"strings"
)

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapeToken writes a name as a token of a JSON pointer (RFC 6901).
func EscapeToken(name string) string { return tokenEscaper.Replace(name) }

// UnescapeToken reads a token of a JSON pointer.
func UnescapeToken(token string) string { return tokenUnescaper.Replace(token) }

// JoinName appends the name of a member to a path: a.b, or a["b c"] where the
// name is not a plain word.
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
