package retrieval

import (
	"slices"
	"testing"

	"caliper/model"
)

func TestLower(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ASCII", "MCP_Berth-1", "mcp_berth-1"},
		{"Latin", "Ångström ÉÄ", "ångström éä"},
		{"dotted capital I has two code points", "İX", "i\u0307x"},
		{"Kelvin sign", "5\u212a", "5k"},
		{"sigma inside and at the end of a word", "ΟΔΟΣ ΣΑ", "οδος σα"},
		{"Cyrillic and Chinese", "СТОРОЖ 港口", "сторож 港口"},
		{"not UTF-8", "A\xffB", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lower(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestLiteral covers what the vectors do not: matches that would span two
// names, names that are not UTF-8, and the order of many.
func TestLiteral(t *testing.T) {
	var tools []*model.Tool
	for _, name := range []string{"alphaOne", "one_beta", "BETAx", "a\xffb", "xbetax", "ΣΊΣxyz"} {
		tools = append(tools, newTool(name, "", nil))
	}
	x := mustIndex(t, tools, Reference)
	for _, c := range []struct {
		query string
		want  []int
	}{
		{"eta", []int{1, 2, 4}},
		{"  ETA\n", []int{1, 2, 4}},
		{"neo", nil},
		{"e\xffo", nil},
		{"eone", nil},
		{"haon", []int{0}},
		{"\xffbet", nil},
		{"ΊΣXY", []int{5}},
		{"etaX", []int{2, 4}},
	} {
		var got []int
		r := x.Search(c.query, 9)
		for _, h := range r.Hits {
			got = append(got, h.Doc)
		}
		if !slices.Equal(got, c.want) || r.Fallback != (len(c.want) > 0) {
			t.Errorf("Search(%q) = %v, want documents %v", c.query, r, c.want)
		}
	}
}
