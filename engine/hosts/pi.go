package hosts

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"caliper/model/jsontree"
	"caliper/model/words"

	uax29 "github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// pi is the tool search of the agent pi, off unless chosen: a word's idf times 3 in the
// name, ½ in the name of the server and BM25 over the description and the schema's names
// and descriptions at all depths. Whoever has more words of the query comes first, and
// whoever is named by the whole query comes before.
//
// A script without spaces it cuts by the dictionaries of ICU, which are too large for what
// they decide here: the index bounds the ranks that hang on them.
var pi = &Host{
	Name: "pi", Title: "pi", Package: "npm @earendil-works/pi-coding-agent", Version: "1.6.0", Month: "2026-11", Limit: 8,
	Client: "pi", On: "when it is chosen",
	Untold: "it cuts words by a dictionary of ICU",
	rules: rules{
		words: piWords, joined: joinable,
		bm25: &bm25{of: piText, k1: 1.2, b: .75},
		texts: []text{
			{of: func(e *entry) []string { return piWords(e.wire) }, equal: 3, rare: true},
			{of: func(e *entry) []string { return piWords(e.server) }, equal: .5, rare: true},
		},
		whole: func(e *entry) []string {
			return piWords(e.wire[strings.LastIndex("__"+e.wire, "__"):])
		},
		order: []key{byExactName, byCovered, byScore},
	},
}

// piStopWords are the words that pi leaves out.
var piStopWords = sync.OnceValue(func() map[string]bool {
	return words.Set("a an and are as at be by for from in is it of on or that the this to with")
})

// withinCapitals is where pi cuts besides: before the last of several capitals when a small
// letter follows.
var withinCapitals = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`) })

// piWords returns the words of a text, in lower case and the singular.
func piWords(text string) []string {
	text = beforeCapital().ReplaceAllString(norm.NFC.String(text), "$1 $2")
	text = lower(withinCapitals().ReplaceAllString(text, "$1 $2"))
	found := strings.FieldsFunc(text, func(c rune) bool { return !isAlphanumeric(c) && !unicode.IsMark(c) })
	var out []string
	for _, w := range found {
		for _, w := range segments(w) {
			if !piStopWords()[w] {
				out = append(out, singular(w))
			}
		}
	}
	return out
}

// segments cuts a word at the boundaries of Unicode (UAX #29), and leaves out what holds no
// letter and no digit. A word of ASCII stays whole, and of a script without spaces every
// character is one.
func segments(w string) (out []string) {
	if isASCII(w) {
		return []string{w}
	}
	for s := uax29.FromString(w); s.Next(); {
		switch v := s.Value(); {
		case !strings.ContainsFunc(v, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }):
		case joinable(v) > 0:
			out = append(out, strings.Split(v, "")...)
		default:
			out = append(out, v)
		}
	}
	return out
}

// spaceless are the scripts whose words ICU finds by dictionaries.
var spaceless = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// joinable returns how many characters of scripts without spaces stand behind another one,
// with which they may be one word.
func joinable(text string) (n int) {
	if isASCII(text) {
		return 0
	}
	before := false
	for _, c := range norm.NFC.String(text) {
		is := unicode.IsOneOf(spaceless, c) || before && (unicode.IsMark(c) || c == 'ー')
		if is && before {
			n++
		}
		before = is
	}
	return n
}

// isASCII reports whether a text holds nothing but ASCII.
func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII })
}

// singular returns the singular of an English plural, by its ending alone.
func singular(w string) string {
	if !isASCII(w) {
		return w
	}
	ends := func(endings ...string) bool {
		for _, e := range endings {
			if strings.HasSuffix(w, e) {
				return true
			}
		}
		return false
	}
	switch {
	case len(w) > 4 && ends("ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && ends("ches", "shes", "sses", "xes", "zes"):
		return w[:len(w)-2]
	case len(w) > 3 && ends("s") && !ends("ss"):
		return w[:len(w)-1]
	}
	return w
}

// piName returns a query or a name as they are compared.
func piName(text string) string { return masked(lower(strings.TrimSpace(text)), "$") }

// piText returns the description of a tool, and the names and descriptions of its schema.
func piText(e *entry) string {
	parts := []string{e.description}
	if root, err := jsontree.Parse(e.tool.Parameters, jsontree.Strict); err == nil && root != nil {
		w := schemaWalk{root: root, seen: map[*jsontree.Node]bool{root: true}}
		w.walk(root)
		parts = append(parts, w.found...)
	}
	return strings.Join(parts, " ")
}

// schemaWalk collects the texts of a schema. A definition counts where it is referred to,
// once.
type schemaWalk struct {
	root  *jsontree.Node
	seen  map[*jsontree.Node]bool
	found []string
}

// walk adds the texts of a schema and of those below it.
func (w *schemaWalk) walk(s *jsontree.Node) {
	if !s.Is(jsontree.Object) {
		return
	}
	if ref := s.Member("$ref"); ref.Is(jsontree.String) {
		if to := resolve(w.root, ref.Text); to.Is(jsontree.Object) && !w.seen[to] {
			w.seen[to] = true
			w.walk(to)
		}
	}
	if d := s.Member("description"); d.Is(jsontree.String) {
		w.found = append(w.found, d.Text)
	}
	if p := s.Member("properties"); p.Is(jsontree.Object) {
		for _, m := range p.Members() {
			w.found = append(w.found, m.Name)
			w.walk(m.Node)
		}
	}
	w.walk(s.Member("items"))
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		if list := s.Member(name); list.Is(jsontree.Array) {
			for _, c := range list.Elements() {
				w.walk(c.Node)
			}
		}
	}
}

// resolve returns what a reference of the form #/a/b leads to, nil for nothing.
func resolve(root *jsontree.Node, ref string) *jsontree.Node {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil
	}
	at := root
	for _, token := range strings.FieldsFunc(path, func(c rune) bool { return c == '/' }) {
		name, err := url.PathUnescape(token)
		if err != nil || !at.Is(jsontree.Object) {
			return nil
		}
		at = at.Member(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
	}
	return at
}
