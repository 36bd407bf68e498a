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
	add := func(segments ...string) {
		for _, w := range segments {
			if !piStopWords()[w] {
				out = append(out, singular(w))
			}
		}
	}
	for _, w := range found {
		if isASCII(w) { // stays whole
			add(w)
			continue
		}
		for s := uax29.FromString(w); s.Next(); { // at the boundaries of Unicode (UAX #29)
			switch v := s.Value(); {
			case !strings.ContainsFunc(v, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }):
			case joinable(v) > 0: // of a script without spaces every character is a word
				add(strings.Split(v, "")...)
			default:
				add(v)
			}
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
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return false
		}
	}
	return true
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

// piText returns the description of a tool, and the names and descriptions of its schema. A
// definition counts where it is referred to, once.
func piText(e *entry) string {
	parts := []string{e.description}
	root, err := jsontree.Parse(e.tool.Parameters, jsontree.Strict)
	if err != nil || root == nil {
		return e.description
	}
	seen := map[*jsontree.Node]bool{root: true}
	var walk func(s *jsontree.Node)
	walk = func(s *jsontree.Node) {
		if !s.Is(jsontree.Object) {
			return
		}
		if ref := s.Member("$ref"); ref.Is(jsontree.String) {
			if to := resolve(root, ref.Text); to.Is(jsontree.Object) && !seen[to] {
				seen[to] = true
				walk(to)
			}
		}
		if d := s.Member("description"); d.Is(jsontree.String) {
			parts = append(parts, d.Text)
		}
		if p := s.Member("properties"); p.Is(jsontree.Object) {
			for _, m := range p.Members() {
				parts = append(parts, m.Name)
				walk(m.Node)
			}
		}
		walk(s.Member("items"))
		for _, name := range []string{"anyOf", "oneOf", "allOf"} {
			if list := s.Member(name); list.Is(jsontree.Array) {
				for _, c := range list.Elements() {
					walk(c.Node)
				}
			}
		}
	}
	walk(root)
	return strings.Join(parts, " ")
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
