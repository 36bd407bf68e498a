package live

import (
	"strings"
	"unicode"

	"caliper/model/words"
)

// Some services put the key of a server into the path of its address, as
// https://h/api/mcp/s/KEY/mcp. Such a segment is told by what it looks like.
//
// SECURITY: a key of words, or a short one, is taken for a name and shown.

// The lengths in bytes from which on a segment of a path may be a secret.
const (
	shortestMixed   = 16 // of letters and digits in turn, or of digits alone
	shortestLetters = 20 // of letters in either case
	shortestSolid   = 32 // of anything without a separator: no name is that long
)

var (
	// uuid is an identifier of RFC 9562, which is often the only key to a server.
	uuid = words.LazyRegexp(`(?i)^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$`)
	// token are the characters of a key: base64's, also of addresses, escapes and
	// the signs that join two keys.
	token = words.LazyRegexp(`^[A-Za-z0-9_.~%+=:@-]+$`)
	// commit is the version at the end of the address of a package in a Git repository.
	commit = words.LazyRegexp(`@[0-9a-f]{40}$`)
)

// withoutCommit returns a segment without the commit that pins a package of a Git repository.
func withoutCommit(scheme, segment string) string {
	if !strings.HasSuffix(scheme, "git+https") && !strings.HasSuffix(scheme, "git+ssh") {
		return segment
	}
	return commit().ReplaceAllString(segment, "")
}

// looksSecret reports whether a segment is more likely a random token than a name. Names are
// joined words with numbers at their ends; a token changes between letters, digits and cases by
// chance.
func looksSecret(segment string) bool {
	if !token().MatchString(segment) { // such as a variable
		return false
	}
	if uuid().MatchString(segment) || knownKey().MatchString(segment) && len(segment) >= shortestMixed {
		return true
	}
	for _, piece := range strings.FieldsFunc(segment, func(c rune) bool { return strings.ContainsRune("_.~%+=:@-", c) }) {
		if len(piece) >= shortestSolid || len(piece) >= shortestMixed && strings.Trim(piece, "0123456789") == "" {
			return true
		}
	}
	letters, digits, changes, turns := 0, 0, 0, 0
	before := rune(0)
	for _, c := range segment {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c):
			letters++
		default:
			before = 0
			continue
		}
		switch {
		case before == 0:
		case unicode.IsDigit(c) != unicode.IsDigit(before):
			changes++
		case unicode.IsUpper(c) != unicode.IsUpper(before):
			turns++
		}
		before = c
	}
	const (
		mostChanges = 3   // v1beta1 has as many
		caseTurns   = 0.4 // a share of the letters; chance turns at half of them, camelCase at a quarter
	)
	return letters+digits >= shortestMixed && changes > mostChanges ||
		letters >= shortestLetters && float64(turns) >= caseTurns*float64(letters)
}
