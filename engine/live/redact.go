package live

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// withheld replaces a secret in a message.
const withheld = "[withheld]"

// shortestSecret is the length in bytes from which on a value is withheld
// wherever it stands, and shortestWord the one from which on it is where it is a
// word of its own: to replace every "1" of a message would hide nothing and make
// it useless.
const (
	shortestSecret = 4
	shortestWord   = 3
)

// redactor takes secrets, in any case, out of what a server or a library says.
type redactor struct {
	secrets []spelling    // longest first
	begins  map[byte]bool // what one may begin with
	infos   bool          // user information of addresses stays, whosever it is
}

// spelling is a secret as it may be written.
type spelling struct {
	text string // lower case
	word bool   // withheld only where it is a word of its own
}

// newRedactor returns a redactor of values, also in JSON, addresses, base64 and hexadecimal.
func newRedactor(values []string) redactor {
	var all, words []string
	for _, v := range values {
		switch {
		case len(v) >= shortestSecret:
			all = append(all, spellings(v)...)
			for line := range strings.Lines(v) { // of a key with many
				if line = strings.TrimSpace(line); len(line) >= 2*shortestSecret && line != v {
					all = append(all, line)
				}
			}
		case len(v) == shortestWord:
			words = append(words, v)
		}
	}
	return redactorOf(all, words)
}

// redactorOf returns a redactor of spellings, and of words where they stand alone.
func redactorOf(anywhere, words []string) redactor {
	r := redactor{begins: map[byte]bool{'%': true, '\\': true, '+': true}}
	for i, s := range slices.Concat(anywhere, words) {
		r.secrets = append(r.secrets, spelling{lowerASCII(s), i >= len(anywhere)})
	}
	model.Sort(r.secrets, func(a, b spelling) int {
		return cmp.Or(len(b.text)-len(a.text), strings.Compare(a.text, b.text))
	})
	r.secrets = slices.Compact(r.secrets)
	for _, s := range r.secrets {
		r.begins[s.text[0]] = true
	}
	return r
}

// spellings returns a value as it may be written, but for case and the escapes of written.
func spellings(v string) []string {
	all := []string{v, strings.ToUpper(v), strings.ToLower(v), hex.EncodeToString([]byte(v))}
	// Base64 of a text in which the value stands has these digits of it, by how
	// many bytes stand before it: those that depend on nothing else.
	for before := range 3 {
		digits := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), v...))
		from, to := (before*8+5)/6, (before+len(v))*8/6
		if digits = digits[from:to]; len(digits) > shortestSecret {
			all = append(all, digits, strings.NewReplacer("+", "-", "/", "_").Replace(digits))
		}
	}
	return all
}

// written returns the length of the beginning of text that is a secret, 0 for none, both in lower
// case. Each byte may be written as it is, or as an escape of an address (%2f, + for a space) or
// of JSON (\/, \n, \u002f). As an escape may be the secret's own bytes, every reading is followed;
// the longest counts.
func written(text, secret string) int {
	var few [2][8]int // most texts have one reading
	ends := append(few[0][:0], 0)
	for i := range len(secret) {
		next := few[(i+1)%2][:0]
		add := func(end int) {
			if len(next) < mostReadings && !slices.Contains(next, end) {
				next = append(next, end)
			}
		}
		for _, end := range ends {
			rest, c := text[end:], secret[i]
			if rest == "" {
				continue
			}
			if isHex(rest, "%", c) {
				add(end + len("%2f"))
			}
			if isHex(rest, `\u00`, c) {
				add(end + longestEscape)
			}
			if len(rest) > 1 && rest[0] == '\\' && (rest[1] == c || unescaped[rest[1]] == c && c != 0) {
				add(end + 2)
			}
			if rest[0] == c || rest[0] == '+' && c == ' ' {
				add(end + 1)
			}
		}
		if ends = next; len(ends) == 0 {
			return 0
		}
	}
	return slices.Max(ends)
}

// mostReadings bounds the readings of a text. Only a secret made of escapes has more.
const mostReadings = 64

// longestEscape is the length of the longest way to write a byte.
const longestEscape = len(`\u002f`)

// unescaped are the characters that letters stand for behind a backslash.
var unescaped = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// isHex reports whether text begins with an escape of c in two digits.
func isHex(text, before string, c byte) bool {
	const digits = "0123456789abcdef"
	n := len(before)
	if len(text) < n+2 || text[:n] != before {
		return false
	}
	high, low := strings.IndexByte(digits, text[n]), strings.IndexByte(digits, text[n+1])
	if high < 0 || low < 0 {
		return false
	}
	got := byte(high<<4 | low)
	return got == c || 'A' <= got && got <= 'Z' && got|0x20 == c
}

// lowerASCII returns s with A-Z in lower case, in as many bytes.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// longest returns the most bytes that a secret can take.
func (r redactor) longest() int {
	if len(r.secrets) == 0 {
		return 0
	}
	return longestEscape * len(r.secrets[0].text)
}

// redact returns text from an offset on without secrets and the user information of addresses,
// unless that is kept. A secret that begins before the offset is not shown in part.
func (r redactor) redact(text string, from int) string {
	var b strings.Builder
	low := lowerASCII(text)
	var infos [][2]int
	if !r.infos {
		infos = userInfos(text)
	}
	for i := 0; i < len(text); {
		for len(infos) > 0 && infos[0][1] <= i {
			infos = infos[1:]
		}
		n := r.at(low, i)
		switch {
		case len(infos) > 0 && infos[0][0] <= i: // of whomever it is
			n = max(n, infos[0][1]-i)
		case strings.HasPrefix(text[i:], withheld): // by an earlier pass
			n = len(withheld)
		}
		if n == 0 {
			if i >= from {
				b.WriteByte(text[i])
			}
			i++
			continue
		}
		if i += n; i > from {
			b.WriteString(withheld)
		}
	}
	return b.String()
}

// at returns the length of the secret at an offset of a text in lower case, 0 for none.
func (r redactor) at(text string, i int) int {
	if !r.begins[text[i]] {
		return 0
	}
	part := func(c byte) bool { return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c >= 0x80 } // of a word
	for _, s := range r.secrets {
		n := written(text[i:], s.text)
		if n == 0 {
			continue
		}
		begins := i == 0 || !part(text[i-1]) || !part(text[i])
		ends := i+n == len(text) || !part(text[i+n]) || !part(text[i+n-1])
		if !s.word || begins && ends {
			return n
		}
	}
	return 0
}

// message returns a text of a server for use in a message: without secrets and
// on one line.
//
// SECURITY: what plain leaves out may have stood within a secret.
func (r redactor) message(text string) string { return r.redact(plain(r.redact(text, 0)), 0) }

// quotation returns the beginning of a line in quotation marks, without secrets.
func (r redactor) quotation(line []byte) string {
	const shown = 120
	// SECURITY: enough that a secret which is cut in two is not shown, even if all
	// before it are replaced by something shorter.
	line = line[:min(len(line), 4*shown+shown*r.longest())]
	return strconv.Quote(clip(r.redact(safetext.Line(r.redact(string(line), 0)), 0), shown))
}

// styles are the control sequences that colour a text (ECMA-48, CSI).
var styles = words.LazyRegexp(`\x1b\[[0-9;:?]*[ -/]*[@-~]`)

// plain returns text on one line and safe for a terminal: control characters become spaces,
// invisible ones go, and bytes that are not UTF-8 become U+FFFD.
func plain(text string) string {
	// The rest of a sequence that this does not know loses its escape below.
	text = styles().ReplaceAllString(text, "")
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

var (
	// hidingOption is an option that a secret follows, or a pair that holds one.
	hidingOption = words.LazyRegexp(`(?i)^--?[a-z0-9_.-]*(key|token|secret|passw|pwd|credential|auth|bearer|cookie|header)[a-z0-9_.-]*$|^(-H|-e|--env)$`)
	// assignment is a pair of a name and a value: NAME=value, Name: value.
	assignment = words.LazyRegexp(`^([A-Za-z_][A-Za-z0-9_.-]*)(=|: ?)(.+)$`)
	// variableName is the usual form of an environment variable's name.
	variableName = words.LazyRegexp(`^[A-Z_][A-Z0-9_]*$`)
	// knownKey is how the keys of some services begin.
	knownKey = words.LazyRegexp(`^(sk-|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|eyJ|pat-|lin_api_|ntn_|secret_|AIza|ASIA|[rs]k_(live|test)_|whsec_|dop_v1_|dckr_pat_|shpat_|tvly-|(hf|npm|gsk)_[A-Za-z0-9]{16})`)
	// reference is a value that is all a variable, without a default.
	reference = words.LazyRegexp(`^(Bearer )?\$\{(env:|input:)?\w+\}$`)
)

// hide replaces a value that is not shown.
const hide = "…"

// shownArgs returns arguments as they may be printed, and the values that may
// not be.
//
// SECURITY: what a client's environment and headers cannot hold stands in its
// arguments: --header "Authorization: Bearer x" for a bridge to a remote
// server, -e NAME=value for a container, --api-key x. What looks like one of
// these is not shown, nor is user information of an address; a key in an
// argument that nothing marks is.
func shownArgs(args []string) (shown, secrets []string) {
	withhold := func(value string) string {
		if value == "" || reference().MatchString(value) {
			return value
		}
		secrets = append(secrets, value)
		if _, token, ok := strings.Cut(value, " "); ok { // "Bearer token"
			secrets = append(secrets, strings.TrimSpace(token))
		}
		return hide
	}
	before := "" // the option before, if a secret follows it
	for _, a := range args {
		given := a
		option, value, joined := strings.Cut(a, "=")
		pair := assignment().FindStringSubmatch(a)
		follows := before
		before = ""
		switch {
		case hidingOption().MatchString(a):
			before = a
		case joined && hidingOption().MatchString(option):
			if inner := assignment().FindStringSubmatch(value); inner != nil {
				a = option + "=" + inner[1] + inner[2] + withhold(inner[3])
			} else {
				a = option + "=" + withhold(value)
			}
		case follows != "" && pair != nil:
			a = pair[1] + pair[2] + withhold(pair[3])
		case (follows == "-e" || follows == "--env") && variableName().MatchString(a):
			// the name alone: passed on
		case follows != "" && !strings.HasPrefix(a, "-"), knownKey().MatchString(a):
			a = withhold(a)
		case pair != nil && variableName().MatchString(pair[1]): // of env, or before a command
			a = pair[1] + pair[2] + withhold(pair[3])
		case strings.Contains(a, "://"):
			secrets = append(secrets, addressSecrets(a)...)
			a = withoutSecrets(a)
		}
		secrets = append(secrets, userSecrets(given)...)
		shown = append(shown, withoutUserInfo(a))
	}
	return shown, secrets
}
