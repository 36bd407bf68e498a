package hosts

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// scriptTokens are what JavaScript reads otherwise than Go in a regular expression without
// flags: escapes, groups, brackets, and a dot.
var scriptTokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.|$)|\(\?<[A-Za-z_$]|\(\?.?|\[\^?\]?|[\[\].]`)
})

// scriptPattern returns a regular expression of JavaScript as Go writes it. ok is false for one
// that JavaScript does not take, as far as it has to do with flags in it, and for look-around and
// references to groups. What Go does not take is not looked for.
func scriptPattern(query string) (out string, ok bool) {
	inside, ok := false, true
	out = scriptTokens().ReplaceAllStringFunc(query, func(token string) string {
		switch {
		case token[0] == '\\':
			return scriptEscape(token, inside, &ok)
		case inside && token == "]":
			inside = false
		case inside && token == ".":
		case inside && token[len(token)-1] == ']':
			inside = false
			return regexp.QuoteMeta(token[:len(token)-1]) + "]"
		case inside:
			return regexp.QuoteMeta(token)
		case token == "[]":
			return `[^\x00-\x{10FFFF}]`
		case token == "[^]":
			return `[\x00-\x{10FFFF}]`
		case token[0] == '[':
			inside = true
		case token == ".":
			return `[^\n\r\x{2028}\x{2029}]`
		case strings.HasPrefix(token, "(?<") && len(token) > 3, token == "(?:":
		case strings.HasPrefix(token, "(?"):
			ok = false
		}
		return token
	})
	return out, ok
}

// scriptEscape returns an escape of JavaScript as Go writes it. A letter that has no meaning
// stands for itself.
func scriptEscape(token string, inside bool, ok *bool) string {
	switch c := token[min(1, len(token)-1)]; {
	case len(token) == 1:
		*ok = false
	case len(token) > 3:
		return `\x{` + token[2:] + `}`
	case c == 'c' && len(token) == 3:
		return regexp.QuoteMeta(string(rune(token[2] & 31)))
	case c == '0':
		return `\x00`
	case c == 'b' && inside:
		return `\x08`
	case c == 's':
		const space = `\t-\r\x{feff}\x{2028}\x{2029}\p{Zs}`
		if inside {
			return space
		}
		return "[" + space + "]"
	case strings.ContainsRune("dDSwWbBfnrtv", rune(c)):
		return token
	case '1' <= c && c <= '9' || c == 'k':
		*ok = false
	case unicode.IsLetter(rune(c)) && c < unicode.MaxASCII:
		return token[1:]
	}
	return token
}

// inPunycode returns a name in which the parts between dots that have other letters than ASCII
// are written in ASCII (RFC 3492).
func inPunycode(name string) string {
	if isASCII(name) {
		return name
	}
	parts := strings.Split(name, ".")
	for i, p := range parts {
		if !isASCII(p) {
			// Characters as RFC 3492 (section 6.3) writes them.
			text := []rune(p)
			const base, least, most, skew, damp = 36, 1, 26, 38, 700
			var out []byte
			for _, c := range text {
				if c <= unicode.MaxASCII {
					out = append(out, byte(c))
				}
			}
			basic := len(out)
			if basic > 0 {
				out = append(out, '-')
			}
			delta, bias, done := 0, 72, basic
			for next := rune(128); done < len(text); next++ {
				following := unicode.MaxRune
				for _, c := range text {
					if c >= next && c < following {
						following = c
					}
				}
				delta, next = delta+int(following-next)*(done+1), following
				for _, c := range text {
					if c < next {
						delta++
					}
					if c != next {
						continue
					}
					q := delta
					for k := base; ; k += base {
						t := min(max(k-bias, least), most)
						if q < t {
							break
						}
						out = append(out, punycodeDigit(t+(q-t)%(base-t)))
						q = (q - t) / (base - t)
					}
					out = append(out, punycodeDigit(q))
					if delta /= 2; done == basic {
						delta /= damp / 2
					}
					delta += delta / (done + 1)
					bias = 0
					for ; delta > (base-least)*most/2; bias += base {
						delta /= base - least
					}
					bias += (base - least + 1) * delta / (delta + skew)
					delta, done = 0, done+1
				}
				delta++
			}
			parts[i] = "xn--" + string(out)
		}
	}
	return strings.Join(parts, ".")
}

// punycodeDigit returns a to z and 0 to 9 for 0 to 35.
func punycodeDigit(d int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[d] }
