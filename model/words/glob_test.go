package words

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		glob string
		yes  string // names with blanks between them; "<>" is the empty one
		no   string
	}{
		{"", "<>", "a"},
		{"ab", "ab", "<> a abc AB xab"},
		{"*", "<> a a/b.c_é", ""},
		{"a*", "a ab a/b", "<> ba"},
		{"a**b", "ab axb", "a b"},
		{"?", "a é / \xff", "<> ab"},
		{"[^r]*", "write", "read"},
		{"mcp_github_[!r]*", "mcp_github_delete", "mcp_github_read mcp_github_"},
		{"[!a-cx]", "d é -", "a c x"},
		{"[]a]", "] a", "[ b"},
		{"[!]a]", "[ b", "] a"},
		{"[a-]x", "ax -x", "bx"},
		{`[\]\-a]x`, "]x -x ax", `\x bx`},
		{`[\a-c]x`, "ax bx", `\x dx`},
		{"[!!]", "a", "!"},
		{"[a!]", "a !", "b"},
		{"[*?{]", "* ? {", "a"},
		{"{}x", "x", "{}x <>"},
		{"{a,{b,c{d,}}}e", "ae be ce cde", "e de"},
		{"{[,],x}", ", x", "[ ]"},
		{`{\,,\}}`, ", }", "a"},
		{"a,b", "a,b", "a b"},
		{"{*,b}{c,*}", "<> anything", ""},
		{`\*\?\[\{\}\\`, `*?[{}\`, "a"},
		{"é[è-ê]", "éé", "ée"},
		{"\xff?", "\xff\xfe", "\xffab ÿ"},
		{"\xff", "\xff", "\xfe \uFFFD"},
		{"[\xfe-\xff]", "\xfe \xff", "ÿ \xfd"},
		{"{1..a,b}", "1..a b", "1"},
		{strings.Repeat("{", 32) + "a" + strings.Repeat("}", 32), "a", "<>"},
		{strings.Repeat("a", 4096), strings.Repeat("a", 4096), "a"},
	} {
		g, err := CompileGlob(c.glob)
		if err != nil {
			t.Errorf("%q: %v", c.glob, err)
			continue
		}
		for _, want := range []bool{true, false} {
			names := map[bool]string{true: c.yes, false: c.no}[want]
			for _, name := range strings.Fields(names) {
				if name == "<>" {
					name = ""
				}
				if g.Match(name) != want {
					t.Errorf("%.80q matches %.80q: %v", c.glob, name, !want)
				}
			}
		}
	}
	if (&Glob{}).Match("") {
		t.Error("the zero value matches")
	}
}

func TestCompileRefuses(t *testing.T) {
	for glob, want := range map[string]error{
		"[":                       errBrackets,
		"[]":                      errBrackets,
		"[!":                      errBrackets,
		"[!]":                     errBrackets,
		"[a-":                     errBrackets,
		"{":                       errBraces,
		"{a,{b}":                  errBraces,
		"}":                       errNoBraces,
		"{a}}":                    errNoBraces,
		`\`:                       errBackslash,
		`[\`:                      errBackslash,
		`[a-\`:                    errBackslash,
		"[z-a]":                   errEmptyRange,
		"{1..9}":                  errSequence,
		"[[:alpha:]]_*":           errClass,
		"[a[.x.]]":                errClass,
		"[[=e=]]":                 errClass,
		strings.Repeat("a", 4097): errTooLong,
		strings.Repeat("{", 33):   errTooDeep,
	} {
		if g, err := CompileGlob(glob); g != nil || !errors.Is(err, want) {
			t.Errorf("%.80q: %v, want %v", glob, err, want)
		}
	}
}

// What would take exponential time where alternatives are multiplied out or stars
// are tried one by one.
func TestMatchIsBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("{a,a}", 600),
		strings.Repeat("*a", 1500) + "b",
		strings.Repeat("{*,a}", 600) + "b",
		strings.Repeat("{a,", 32) + strings.Repeat("}", 32),
		strings.Repeat("{,,,,}", 500),
	} {
		g, err := CompileGlob(text)
		require.NoError(t, err)
		if g.Match(strings.Repeat("a", 2000) + "c") {
			t.Errorf("%.20q matches", text)
		}
	}
}

// node is a glob as the oracle has it.
type node struct {
	text string
	ends func(name string, from int) []int // where it can end that begins at from
}

// The oracle follows the definition of the language: every item tells all the
// places where it can end. It works on ASCII.
func literal(c byte) node {
	text := string(c)
	if strings.Contains(`*?[]{}\,!^-`, text) {
		text = `\` + text
	}
	return node{text, class(func(b byte) bool { return b == c })}
}

func class(has func(byte) bool) func(string, int) []int {
	return func(name string, from int) []int {
		if from < len(name) && has(name[from]) {
			return []int{from + 1}
		}
		return nil
	}
}

func star(name string, from int) (ends []int) {
	for i := from; i <= len(name); i++ {
		ends = append(ends, i)
	}
	return ends
}

func drawNode(t *rapid.T, depth int) node {
	const alphabet = "ab/_-!]*"
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0:
		return node{"*", star}
	case kind == 1:
		return node{"?", class(func(byte) bool { return true })}
	case kind == 2:
		chars := rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), 1, 3, -1).Draw(t, "set")
		from, to := rapid.ByteRange('a', 'c').Draw(t, "from"), rapid.ByteRange('a', 'c').Draw(t, "to")
		text, ranged := "", from <= to && rapid.Bool().Draw(t, "range")
		if ranged {
			text = fmt.Sprintf("%c-%c", from, to)
		}
		for _, c := range chars {
			text += `\` + string(c)
		}
		no := rapid.SampledFrom([]string{"", "!", "^"}).Draw(t, "negation")
		return node{"[" + no + text + "]", class(func(b byte) bool {
			in := strings.IndexByte(chars, b) >= 0 || ranged && from <= b && b <= to
			return in == (no == "")
		})}
	case kind == 3 && depth > 0:
		var texts []string
		var all []node
		for range rapid.IntRange(1, 3).Draw(t, "alternatives") {
			n := drawSequence(t, depth-1)
			all, texts = append(all, n), append(texts, n.text)
		}
		return node{"{" + strings.Join(texts, ",") + "}", func(name string, from int) (ends []int) {
			for _, n := range all {
				ends = append(ends, n.ends(name, from)...)
			}
			return ends
		}}
	}
	return literal(rapid.SampledFrom([]byte(alphabet)).Draw(t, "char"))
}

func drawSequence(t *rapid.T, depth int) node {
	var items []node
	text := ""
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		n := drawNode(t, depth)
		items, text = append(items, n), text+n.text
	}
	return node{text, func(name string, from int) []int {
		at := map[int]bool{from: true}
		for _, n := range items {
			next := map[int]bool{}
			for i := range at {
				for _, end := range n.ends(name, i) {
					next[end] = true
				}
			}
			at = next
		}
		var ends []int
		for i := range at {
			ends = append(ends, i)
		}
		return ends
	}}
}

func TestMatchEqualsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawSequence(t, 3)
		g, err := CompileGlob(n.text)
		if err != nil {
			t.Fatalf("%q: %v", n.text, err)
		}
		for range 8 {
			name := rapid.StringOfN(rapid.RuneFrom([]rune("abc/_-!]*")), 0, 8, -1).Draw(t, "name")
			want := false
			for _, end := range n.ends(name, 0) {
				want = want || end == len(name)
			}
			if g.Match(name) != want {
				t.Fatalf("%q matches %q: %v", n.text, name, !want)
			}
		}
	})
}
