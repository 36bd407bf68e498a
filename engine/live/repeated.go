package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// A server may repeat in its descriptions what it was given, such as the user's token. What
// it says of itself and its tools is written into dumps and shown to models, so that the
// secret is withheld there too. Much that a server is given is no secret, and is rightly in
// its descriptions, such as a folder or a mode: those values stay.

// keyName is the name of a variable, header, option or query part that holds a secret.
var keyName = words.LazyRegexp(`(?i)key|token|secret|passw|passphrase|pass$|pwd|credential|auth|bearer|cookie|connection_?string|(^|[_.-])(pat|dsn|tok|pw)([_.-]|$)`)

const (
	shortestKey    = 6 // bytes from which on a secret is withheld from a definition
	shortestNumber = 8 // of one that is a number: shorter ones are bounds and ports
)

// plainWord is a word that may well stand in a description by itself.
var plainWord = words.LazyRegexp(`^([A-Za-z][a-z]+|[A-Z]+)$`)

// ordinary are words of any description: to withhold one would tell that it is the secret.
var ordinary = []string{"access", "bearer", "changeme", "default", "example", "password", "postgres", "private", "public", "secret"}

// keyed returns what to withhold from definitions of a value with a secret's name.
func keyed(name, value string) []string {
	if !keyName().MatchString(name) {
		return nil
	}
	return append([]string{value}, insideHeader(value)...)
}

// repeated takes what a server was given in secret out of what it says.
type repeated struct {
	anywhere redactor // in every text, also in names and keys
	inProse  redactor // in a text of several words: secrets that are words themselves
}

// repetitions returns what takes the secrets out that the server has been given so far.
func (x *session) repetitions() repeated {
	h := x.server.hidden()
	keys := slices.Concat(h.keys, inherited(x.o.Env))
	for _, s := range h.secrets {
		if looksSecret(s) {
			keys = append(keys, s)
		}
	}
	if x.guard != nil {
		keys = append(keys, x.guard.tokens()...)
	}
	var anywhere, plainWords []string
	for _, k := range keys {
		switch {
		case reference().MatchString(k): // a variable that is not set
		case len(k) < shortestKey, len(k) < shortestNumber && strings.Trim(k, "0123456789.") == "":
		case !plainWord().MatchString(k) || len(k) >= shortestLetters:
			anywhere = append(anywhere, k)
		case !slices.Contains(ordinary, strings.ToLower(k)):
			plainWords = append(plainWords, k)
		}
	}
	r := repeated{newRedactor(anywhere), redactorOf(nil, plainWords)}
	r.anywhere.infos, r.inProse.infos = true, true // addresses may be mere examples
	return r
}

// text returns a text without secrets, also those with characters between that nobody sees.
func (r repeated) text(s string) string {
	visible := func(c rune) rune {
		if unicode.In(c, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return c
	}
	if bare := strings.Map(visible, s); bare != s {
		if clean := r.seen(bare); clean != bare {
			return clean
		}
	}
	return r.seen(s)
}

// seen returns a text without the secrets that stand in it as they were given.
func (r repeated) seen(s string) string {
	s = r.anywhere.redact(s, 0)
	if strings.ContainsAny(strings.TrimSpace(s), " \n\t") {
		s = r.inProse.redact(s, 0)
	}
	return s
}

// value returns a JSON value in whose strings and keys no secret is. The other bytes stay.
func (r repeated) value(raw json.RawMessage) json.RawMessage {
	var splices []jsontree.Splice
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		from := i
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		var s string
		if i >= len(raw) || json.Unmarshal(raw[from:i+1], &s) != nil {
			continue // no JSON, which is not listed as a tool
		}
		if clean := r.text(s); clean != s {
			splices = append(splices, jsontree.Splice{From: from, To: i + 1, Text: jsontree.Encode(clean)})
		}
	}
	return jsontree.Spliced(raw, splices)
}

// clean returns a listing without the secrets that the server repeats. Where it does is in
// Repeats.
//
// SECURITY: a listing is written to files and sent to models.
func (r repeated) clean(l Listing) Listing {
	if len(r.anywhere.secrets)+len(r.inProse.secrets) == 0 {
		return l
	}
	names := []string{"instructions", "name", "title", "version", "protocol version"}
	for i, text := range []*string{&l.Instructions, &l.Name, &l.Title, &l.Version, &l.ProtocolVersion} {
		if clean := r.text(*text); clean != *text {
			*text = clean
			l.Repeats = append(l.Repeats, names[i])
		}
	}
	for i, raw := range l.Tools {
		clean := r.value(raw)
		if len(clean) == len(raw) && string(clean) == string(raw) {
			continue
		}
		l.Tools[i] = clean
		where := "an unnamed tool"
		if t, ok := readTool(clean); ok {
			where = "tool " + t.name
		}
		l.Repeats = append(l.Repeats, where)
	}
	return l
}

// Warnings returns the lines that the user of a listing should read, safe for a terminal.
func (l Listing) Warnings() []string {
	const shown = 3
	n := len(l.Repeats)
	if n == 0 {
		return nil
	}
	var where []string
	for _, r := range l.Repeats[:min(n, shown)] {
		where = append(where, plain(r))
	}
	if n > shown {
		where = append(where, fmt.Sprintf("%d more", n-shown))
	}
	verb := " repeat "
	if n == 1 && where[0] != "instructions" {
		verb = " repeats "
	}
	return []string{words.And(where) + verb + "a secret that the server was given, which is there as " + withheld}
}
