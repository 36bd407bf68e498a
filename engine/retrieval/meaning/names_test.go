package meaning

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/words"
)

// spaced writes a name in words.
var spaced = strings.NewReplacer("_", " ", "-", " ", ".", " ", ":", " ", "/", " ")

// typo returns a text with one letter left out, added, replaced or exchanged with the next.
func typo(r *rand.Rand, text string) string {
	letter := func(i int) bool { return i < len(text) && 'A' <= text[i] && text[i] <= 'z' && text[i] != '_' }
	if !strings.ContainsFunc(text, func(c rune) bool { return c < 0x80 && letter(strings.IndexRune(text, c)) }) {
		return text
	}
	for {
		i, other := r.IntN(len(text)), string(rune('a'+r.IntN(26)))
		if !letter(i) {
			continue
		}
		switch r.IntN(4) {
		case 0:
			return text[:i] + text[i+1:]
		case 1:
			return text[:i] + other + text[i:]
		case 2:
			return text[:i] + other + text[i+1:]
		}
		if letter(i + 1) {
			return text[:i] + text[i+1:i+2] + text[i:i+1] + text[i+2:]
		}
	}
}

// waysToName returns queries that are the name of a tool, exactly or with a typo.
func waysToName(t *model.Tool, r *rand.Rand) (exact, near []string) {
	exact = []string{t.Name, spaced.Replace(t.Name)}
	if server := strings.TrimPrefix(t.Toolset, "mcp-"); t.Toolset != model.NoToolset {
		exact = append(exact, t.Toolset+"/"+t.Name, spaced.Replace(server+" "+t.Name))
	}
	for _, query := range exact {
		near = append(near, typo(r, query))
	}
	return exact, near
}

// isNamed reports whether the name of a tool is at most as far from a query, by letters, as
// that of another.
func isNamed(query string, t, other *model.Tool) bool {
	edits := func(t *model.Tool) int {
		letters := func(text string) []byte { return words.AppendLetters(nil, strings.ToLower(text)) }
		asked, most := letters(query), len(query)+len(t.Name)
		return min(words.Alignment(asked, letters(t.Name), most), words.Alignment(asked, letters(strings.TrimPrefix(t.Toolset, "mcp-")+t.Name), most),
			words.Alignment(asked, letters(t.Toolset+t.Name), most))
	}
	return t.Name == other.Name || edits(t) <= edits(other)
}

// namesOf counts queries that are names, those with the tool first by a ranker, and those by which
// it is further behind than by another.
type namesOf struct{ asked, first, worse int }

// askNames asks the names of some tools. A tool of a name as near counts like the tool.
func askNames(t *testing.T, x *Index, tools []*model.Tool, step int) map[string]*namesOf {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	sums := map[string]*namesOf{}
	for i := 0; i < len(tools); i += step {
		exact, near := waysToName(tools[i], r)
		for at, query := range slices.Concat(exact, near) {
			rank := func(y retrieval.Ranker) int {
				at := slices.IndexFunc(y.Search(query, 20).Hits, func(h retrieval.Hit) bool { return isNamed(query, tools[h.Doc], tools[i]) })
				if at < 0 {
					return 21
				}
				return at + 1
			}
			before := rank(x.Base())
			for name, y := range map[string]retrieval.Ranker{"fielded": x.Base(), "hybrid": x, "semantic": x.With(Alone)} {
				if at >= len(exact) {
					name += ", typo"
				}
				if sums[name] == nil {
					sums[name] = &namesOf{}
				}
				sum, got := sums[name], rank(y)
				sum.asked++
				if got == 1 {
					sum.first++
				}
				if got > before {
					sum.worse++
					t.Logf("%s: %q finds %s at %d, fielded at %d", name, query, tools[i].Name, got, before)
				}
			}
		}
	}
	for name, sum := range sums {
		t.Logf("%s: of %d names %d first, %d worse than by fielded", name, sum.asked, sum.first, sum.worse)
	}
	return sums
}

// TestNamesFirst: the name of a tool, as it is written, in words, behind its toolset, or with a
// typo, finds the tool first, and never later than by fielded.
func TestNamesFirst(t *testing.T) {
	data, err := os.ReadFile("../../../tui/demo/registry.json")
	require.NoError(t, err)
	tools := fixture.Parse(t, data).Tools
	tools = append(tools, &model.Tool{Name: "memory", Qualified: "memory", Toolset: "memory", Description: "Note what is worth keeping."})
	x := index(t, tools).With(config.Default().ToolSearch.Meaning)
	for name, sum := range askNames(t, x, tools, 1) {
		if sum.worse > sum.most(name) || !strings.HasPrefix(name, "fielded") && sum.first < sum.asked*98/100 {
			t.Errorf("%s: %+v", name, *sum)
		}
	}
	for _, y := range []*Index{x, x.With(Alone)} {
		if hits := y.Search("memory/memory", 1).Hits; len(hits) == 0 || hits[0].Doc != len(tools)-1 {
			t.Errorf("memory/memory finds %v", hits)
		}
	}
}

// most returns how many queries may be worse by a ranker: names of four letters, whose typos
// are not looked for, and typos that are words too; with semantic one of a hundred.
func (n namesOf) most(ranker string) int {
	if strings.HasPrefix(ranker, "semantic") {
		return 1 + n.asked/100
	}
	return n.asked / 300
}

// TestGetIsNotSet: a typo counts little where tools have all words of the query, and much
// where a word is in none. By fielded it is not looked for in words.
func TestGetIsNotSet(t *testing.T) {
	tools := append(slices.Clone(few), tool("set_user", "Change somebody."), tool("get_profile", "Read who somebody is."))
	x := index(t, tools).With(0.4)
	for query, want := range map[string]float64{"get user": 0.43, "sget user": 4.375, "set user": 5} {
		if gains := x.words.AppendNamed(nil, query, []uint32{5}); len(gains) != 1 || gains[0].Doc != 5 || math.Abs(gains[0].Value-want) > 0.01 {
			t.Errorf("%q: set_user gains %v, want %v", query, gains, want)
		}
	}
	if gains := x.base.AppendNamed(nil, "sget user", []uint32{5}); len(gains) != 0 {
		t.Errorf("by fielded it gains %v", gains)
	}
}

// TestNamesOfSets: in catalogs of thousands too, where a name with a typo is often as near to
// others.
func TestNamesOfSets(t *testing.T) {
	if !*slow {
		t.Skip("asks the names of all sets: -slow")
	}
	for _, name := range fixture.Sets[:5] {
		t.Run(name, func(t *testing.T) {
			s := fixture.ReadSet(t, name)
			base, err := fielded.NewCorpus().Index(t.Context(), s.Registry.Tools, s.Toolset, fielded.Default)
			require.NoError(t, err)
			x, err := New(base, config.Default().ToolSearch.Meaning)
			require.NoError(t, err)
			for name, sum := range askNames(t, x, s.Registry.Tools, max(1, base.Len()/300)) {
				if sum.worse > sum.most(name)+1 || !strings.HasPrefix(name, "fielded") && sum.first < sum.asked*92/100 {
					t.Errorf("%s: %+v", name, *sum)
				}
			}
		})
	}
}
