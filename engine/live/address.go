package live

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"caliper/model/words"
)

// separator is the text before the host of an address, in any of its escapes.
var separator = words.LazyRegexp(`(?i)(:|%3a|\\u003a)(//|\\/\\/|%2f%2f|\\u002f\\u002f)`)

// userInfos returns where the user information of the addresses of a text stands, without the
// @ behind it, in order: between two byte offsets each.
//
// SECURITY: it is the text before the last @ of the part up to the first /,
// ? or # (RFC 3986, section 3.2). People leave these characters of a password
// as they are, though: where what would be the port is no number, the last @ of
// the address counts.
func userInfos(text string) [][2]int {
	if !strings.ContainsRune(text, '@') && !strings.Contains(text, "%40") {
		return nil
	}
	var out [][2]int
	marks := separator().FindAllStringIndex(text, -1)
	for n, mark := range marks {
		end := len(text)
		if n+1 < len(marks) {
			end = marks[n+1][0]
		}
		rest := text[mark[1]:end]
		if i := strings.IndexFunc(rest, endsAddress); i >= 0 {
			rest = rest[:i]
		}
		at := "@"
		if c := text[mark[1]-1]; c|0x20 == 'f' && !strings.Contains(rest, at) { // %2f
			at = "%40"
		}
		host := rest
		if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
			host = rest[:i]
		}
		to := strings.LastIndex(host, at)
		if _, port, ok := strings.Cut(host, ":"); to < 0 && ok && strings.Trim(port, "0123456789") != "" {
			to = strings.LastIndex(rest, at)
		}
		if to > 0 {
			out = append(out, [2]int{mark[1], mark[1] + to})
		}
	}
	return out
}

// endsAddress reports whether an address cannot go on with c.
func endsAddress(c rune) bool {
	return c == '"' || c == '<' || c == '>' || c == '`' || unicode.IsSpace(c) || unicode.IsControl(c)
}

// withoutUserInfo returns a text whose addresses have no user information.
func withoutUserInfo(text string) string {
	var b strings.Builder
	at := 0
	for _, s := range userInfos(text) {
		b.WriteString(text[at:s[0]])
		at = s[1] + len("@")
		if text[s[1]] == '%' {
			at = s[1] + len("%40")
		}
	}
	return b.String() + text[at:]
}

// withoutSecrets returns a text that may hold an address without user information, values of a
// query, segments of its path that look like secrets, and a fragment.
func withoutSecrets(text string) string {
	text = withoutUserInfo(text)
	if !strings.Contains(text, "://") {
		return text
	}
	text, _, _ = strings.Cut(text, "#")
	rest, query, asked := strings.Cut(text, "?")
	segments := strings.Split(rest, "/")
	scheme, _, _ := strings.Cut(rest, "://")
	for i := 3; i < len(segments); i++ { // of the path
		if looksSecret(withoutCommit(scheme, segments[i])) {
			segments[i] = hide
		}
	}
	rest = strings.Join(segments, "/")
	if asked {
		var names []string
		for part := range strings.SplitSeq(query, "&") {
			if name, _, ok := strings.Cut(part, "="); ok {
				names = append(names, name+"="+hide)
			}
		}
		rest += "?" + strings.Join(names, "&")
	}
	return rest
}

// addressSecrets returns what withoutSecrets withholds of a text, as written and as meant.
func addressSecrets(text string) []string {
	secrets := userSecrets(text)
	if rest := withoutUserInfo(text); strings.Contains(rest, "://") {
		rest, fragment, _ := strings.Cut(rest, "#")
		rest, query, _ := strings.Cut(rest, "?")
		scheme, host, _ := strings.Cut(rest, "://")
		_, path, _ := strings.Cut(host, "/")
		for segment := range strings.SplitSeq(path, "/") {
			if looksSecret(withoutCommit(scheme, segment)) {
				secrets = append(secrets, meant(segment)...)
			}
		}
		for part := range strings.SplitSeq(query, "&") {
			if _, value, ok := strings.Cut(part, "="); ok {
				secrets = append(secrets, meant(value)...)
			}
		}
		secrets = append(secrets, meant(fragment)...)
	}
	return secrets
}

// userSecrets returns the user information of the addresses of a text: whole, password, name.
func userSecrets(text string) []string {
	var secrets []string
	for _, s := range userInfos(text) {
		info := text[s[0]:s[1]]
		name, password, _ := strings.Cut(info, ":")
		secrets = slices.Concat(secrets, meant(info), meant(password), meant(name))
	}
	return secrets
}

// meant returns a part of an address as written and as meant, nothing for an empty one.
func meant(part string) []string {
	if part == "" {
		return nil
	}
	out := []string{part}
	for _, read := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
		if plain, err := read(part); err == nil && !slices.Contains(out, plain) {
			out = append(out, plain)
		}
	}
	return out
}

// nameless is an address with user information and no scheme, as proxies are often given.
var nameless = words.LazyRegexp(`^(//)?[^\s/@:]+:\S+@[^\s@]+$`)

// shortestName is the length in bytes from which on the name of a user may be a key that a server
// inherits. Shorter ones are words such as admin.
const shortestName = 8

// inherited returns the values of an environment with a secret's name, and the secrets in the
// addresses of others: proxies and package indexes often have a password.
func inherited(env []string) []string {
	var out []string
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if namesSecret(name) {
			out = append(out, value)
		}
		address := value
		if nameless().MatchString(value) {
			address = "http://" + strings.TrimPrefix(value, "//")
		}
		for _, s := range userInfos(address) {
			user, password, has := strings.Cut(address[s[0]:s[1]], ":")
			out = slices.Concat(out, meant(address[s[0]:s[1]])[:1], meant(password))
			if !has || len(user) >= shortestName {
				out = append(out, meant(user)...)
			}
		}
		if u, err := url.Parse(address); err == nil && u.Scheme != "" {
			for key, values := range u.Query() {
				if namesSecret(key) {
					out = append(out, values...)
				}
			}
		}
	}
	return out
}

// namesSecret reports whether a value of this name is likely to be a secret.
func namesSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"TOKEN", "KEY", "SECRET", "PASSW", "CREDENTIAL"}, func(word string) bool { return strings.Contains(name, word) })
}
