package learned

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/engine/retrieval/meaning"
	"caliper/model"
	"caliper/model/require"
)

var _ retrieval.Ranker = (*Index)(nil)

// catalog returns a catalog and its index by fielded.
func catalog(t *testing.T) ([]*model.Tool, *fielded.Index) {
	t.Helper()
	r := fixture.Parse(t, fixture.Dump(300, 5))
	base, err := fielded.NewCorpus().Index(t.Context(), r.Tools, r.Toolset, fielded.Default)
	require.NoError(t, err)
	return r.Tools, base
}

// drawLessons draws lessons of words and tools that are there or not.
func drawLessons(tools []*model.Tool) *rapid.Generator[[]Lesson] {
	word := rapid.SampledFrom(strings.Fields("please sort my invoices by date the and send zzyzx bill to everybody list files quickly"))
	return rapid.Custom(func(t *rapid.T) []Lesson {
		lessons := make([]Lesson, rapid.IntRange(0, 25).Draw(t, "lessons"))
		for i := range lessons {
			l := Lesson{ID: fmt.Sprint(i), Text: strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), " ")}
			if rapid.Bool().Draw(t, "grouped") {
				l.Group = fmt.Sprint("g", i/3)
			}
			for range rapid.IntRange(0, 3).Draw(t, "tools") {
				l.Tools = append(l.Tools, rapid.SampledFrom(tools[:12]).Draw(t, "tool").Name)
			}
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				l.Tools = append(l.Tools, "no_such_tool")
			}
			lessons[i] = l
		}
		return lessons
	})
}

var queries = []string{"", "the", "zzyzx", "sort invoices", "Send the bill. List files quickly.", "unheard"}

// weighted returns an index of a weight, whatever its lessons are worth.
func weighted(t rapid.TB, base *fielded.Index, tools []*model.Tool, lessons []Lesson, weight float64) *Index {
	return weightedOver(t, base, nil, tools, lessons, weight)
}

// weightedOver is weighted where meaning counts too.
func weightedOver(t rapid.TB, base *fielded.Index, meant *meaning.Index, tools []*model.Tool, lessons []Lesson, weight float64) *Index {
	x, err := New(context.Background(), base, meant, tools, lessons)
	require.NoError(t, err)
	x.support.Weight, x.support.Unlabelled = weight, 0.24
	return x
}

// TestSum: a score is fielded's, meaning's where that counts, and the component; and
// Explain, Rank, Scored and Finds tell the same of it.
func TestSum(t *testing.T) {
	tools, base := catalog(t)
	hybrid, err := meaning.New(base, 0.4)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		meant := rapid.SampledFrom([]*meaning.Index{nil, hybrid}).Draw(t, "meant")
		x := weightedOver(t, base, meant, tools, drawLessons(tools).Draw(t, "lessons"), rapid.SampledFrom([]float64{0, 0.5, 6}).Draw(t, "weight"))
		query := rapid.SampledFrom(queries).Draw(t, "query")
		base := base
		if meant != nil {
			base = meant.Words()
		}
		without, means := map[int]float64{}, map[int]float64{}
		for _, h := range base.Search(query, base.Len()).Hits {
			without[h.Doc] = h.Score
		}
		if meant != nil {
			for _, h := range meant.Search(query, base.Len()).Hits {
				means[h.Doc] = h.Score - without[h.Doc]
				without[h.Doc] += 0 // it is found
			}
		}
		share := 0.0
		if best := x.untaught().Search(query, 1).Hits; len(best) > 0 {
			share = x.support.share(best[0].Score)
		}
		hits := x.Search(query, x.Len()).Hits
		if got := x.Scored(query); got != len(hits) {
			t.Fatalf("%d are scored, and %d found", got, len(hits))
		}
		for i, h := range hits {
			want := without[h.Doc] + means[h.Doc] + x.gained(query, h.Doc)
			if !x.named(uint32(h.Doc)) {
				want += float64(want * share)
			}
			if math.Abs(h.Score-want) > 1e-12 || meant == nil && h.Score != want {
				t.Fatalf("%s has %v, want %v", tools[h.Doc].Name, h.Score, want)
			}
			if i > 0 && (hits[i-1].Score < h.Score || hits[i-1].Score == h.Score && hits[i-1].Doc > h.Doc) {
				t.Fatal("hits are not in order")
			}
			e := x.Explain(query, h.Doc)
			sum := 0.0
			e.Leaves(func(leaf *retrieval.Explanation) bool { sum += leaf.Value; return true })
			if math.Abs(e.Value-h.Score) > 1e-12 || math.Abs(sum-h.Score) > 1e-9 {
				t.Fatalf("%v is explained as %v, its leaves as %v", h.Score, e.Value, sum)
			}
			if !x.Finds(query, h.Doc) {
				t.Fatal("what is found is not")
			}
			delete(without, h.Doc)
		}
		if len(without) > 0 {
			t.Fatal("a tool that fielded or hybrid finds is not found")
		}
		if len(hits) > 0 {
			at := rapid.IntRange(0, len(hits)-1).Draw(t, "hit")
			if rank, score, ok := x.Rank(query, hits[at].Doc); !ok || rank != at+1 || score != hits[at].Score {
				t.Fatalf("rank %d with %v, want %d with %v", rank, score, at+1, hits[at].Score)
			}
			if got := x.Search(query, at+1).Hits; !slices.Equal(got, hits[:at+1]) {
				t.Fatal("a shorter search is not the beginning of a longer one")
			}
		}
	})
}

// TestWithout: leaving lessons out is as never having learned from them.
func TestWithout(t *testing.T) {
	tools, base := catalog(t)
	rapid.Check(t, func(t *rapid.T) {
		lessons := drawLessons(tools).Draw(t, "lessons")
		x := weighted(t, base, tools, lessons, 2)
		var left []int
		var rest []Lesson
		for i, l := range lessons {
			if rapid.Bool().Draw(t, "left out") {
				left = append(left, i)
			} else {
				rest = append(rest, l)
			}
		}
		before := fmt.Sprint(x.Search("sort invoices", 20), x.support)
		y, anew := x.Without(left).Without(left), weighted(t, base, tools, rest, 2)
		over, err := y.Over(context.Background(), base, tools)
		require.NoError(t, err)
		if y.support.Lessons != anew.support.Lessons {
			t.Fatalf("it has %d lessons, anew %d", y.support.Lessons, anew.support.Lessons)
		}
		for _, query := range queries {
			want := map[int]float64{}
			for _, h := range anew.Search(query, anew.Len()).Hits {
				want[h.Doc] = h.Score
			}
			for name, y := range map[string]*Index{"without": y, "over": over} {
				hits := y.Search(query, y.Len()).Hits
				if len(hits) != len(want) || y.Scored(query) != len(want) {
					t.Fatalf("%s: %q finds %d, anew %d", name, query, len(hits), len(want))
				}
				for _, h := range hits {
					if math.Abs(h.Score-want[h.Doc]) > 1e-12 {
						t.Fatalf("%s: %q gives %v, anew %v", name, query, h.Score, want[h.Doc])
					}
				}
			}
		}
		for doc := range 12 {
			got, n := y.Taught(doc)
			want, m := anew.Taught(doc)
			if len(got) != len(want) || len(n) != len(m) || !slices.Equal(y.Known("zzyzx invoices", doc), anew.Known("zzyzx invoices", doc)) {
				t.Fatalf("%d words of %d lessons are taught, anew %d of %d", len(got), len(n), len(want), len(m))
			}
		}
		if again := fmt.Sprint(x.Search("sort invoices", 20), x.support); again != before {
			t.Fatalf("the first index is now %s, and was %s", again, before)
		}
	})
}

// TestNothingLearned: without lessons, with few and with other catalogs' lessons, hits
// and explanations are fielded's.
func TestNothingLearned(t *testing.T) {
	tools, base := catalog(t)
	few := []Lesson{{Text: "zzyzx", Tools: []string{tools[3].Name}}}
	elsewhere := slices.Repeat([]Lesson{{Text: "zzyzx", Tools: []string{"no_such_tool"}}}, 40)
	for name, lessons := range map[string][]Lesson{"none": nil, "few": few, "of another catalog": elsewhere} {
		t.Run(name, func(t *testing.T) {
			x, err := New(t.Context(), base, nil, tools, lessons)
			require.NoError(t, err)
			for _, query := range append(queries, tools[7].Description) {
				if got, want := x.Search(query, 50), base.Search(query, 50); !slices.Equal(got.Hits, want.Hits) {
					t.Errorf("%q: got %v, want %v", query, got, want)
				}
				if got, want := fmt.Sprint(x.Explain(query, 7)), fmt.Sprint(base.Explain(query, 7)); got != want {
					t.Errorf("%q: got %s, want %s", query, got, want)
				}
			}
		})
	}
}

// TestLearns: a word that no definition has finds the tool that labelled queries with it
// name, and the support tells that it helps.
func TestLearns(t *testing.T) {
	tools, base := catalog(t)
	var lessons []Lesson
	for i := range 30 {
		lessons = append(lessons, Lesson{ID: fmt.Sprint(i), Text: fmt.Sprintf("zzyzx%d number %d", i%3, i), Tools: []string{tools[i%3].Name}})
	}
	x, err := New(t.Context(), base, nil, tools, lessons)
	require.NoError(t, err)
	s := x.Support()
	if s.Lessons != 30 || s.Asked != 30 || s.Weight == 0 || s.Gain <= s.Error {
		t.Errorf("support %+v", s)
	}
	for i := range 3 {
		if hits := x.Search(fmt.Sprintf("zzyzx%d", i), 1).Hits; len(hits) == 0 || hits[0].Doc != i {
			t.Errorf("zzyzx%d finds %v", i, hits)
		}
	}
	words, n := x.Taught(1)
	if len(n) != 10 || words[0].Stem != "zzyzx1" || len(words[0].Lessons) != 10 || words[0].Lessons[0] != 1 {
		t.Errorf("lessons %v taught %+v", n, words[0])
	}
	if got := x.Related("4", "zzyzx2 number 8", ""); !slices.Equal(got, []int{4, 8}) {
		t.Errorf("related are %v", got)
	}
	e := x.Explain("zzyzx1 unheard", 1)
	last := e.Children[len(e.Children)-1]
	if last.Component != Component || last.Message != "your queries taught 1 of the 2 words" || last.Children[0].TF != 10 {
		t.Errorf("explained as %+v", last)
	}
	hybrid, err := meaning.New(base, 0.4)
	require.NoError(t, err)
	over := weightedOver(t, base, hybrid, tools, slices.Repeat([]Lesson{{Text: "zzyzx", Tools: []string{tools[258].Name}}}, 20), 1) // it cancels
	for query, want := range map[string]string{
		"zzyzx unheard": "found by labelled queries alone: the tool has no word of the query",
		"zzyzx remove":  "found by meaning and by labelled queries: the tool has no word of the query",
		"zzyzx cancel":  over.untaught().Explain("zzyzx cancel", 258).Message,
	} {
		if got := over.Explain(query, 258).Message; got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestExample computes the example of the package.
func TestExample(t *testing.T) {
	u := func(idf ...float64) []fielded.QueryWord {
		var words []fielded.QueryWord
		for _, v := range idf {
			words = append(words, fielded.QueryWord{IDF: v})
		}
		return unit(words)
	}
	lesson, query := u(6.25, 5.76), u(6.25, 4)
	if got := 2 * scale(1, 1) * query[0].IDF * lesson[0].IDF; math.Abs(got-0.3756) > 0.0001 {
		t.Errorf("the tool gains %v", got)
	}
	s := Support{Weight: 2, Unlabelled: 0.8 * 0.25}
	if got := 1.2 * s.share(1.2); math.Abs(got-0.4) > 0.0001 {
		t.Errorf("the tool that no lesson names gains %v", got)
	}
}

// TestRarity: a word of one tool counts whole, one of all tools hardly, and one that
// no lesson has not at all, also after lessons are left out.
func TestRarity(t *testing.T) {
	tools, base := catalog(t)
	var lessons []Lesson
	for i := range 11 {
		lessons = append(lessons, Lesson{Text: fmt.Sprintf("zzmood zzthing%d", i), Tools: []string{tools[i].Name}})
	}
	x := weighted(t, base, tools, lessons, 1).Without([]int{0})
	for stem, want := range map[string]float64{"zzmood": math.Pow(math.Log(11/10.5)/math.Log(11/1.5), 0.25), "zzthing5": 1, "zzthing10": 1, "zzthing0": 0} {
		term, ok := x.core.terms[stem]
		if got := x.rarity(term); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", stem, got, want)
		}
	}
}

// TestCancelled: a build that is no longer wanted ends.
func TestCancelled(t *testing.T) {
	tools, base := catalog(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, base, nil, tools, []Lesson{{Text: "a", Tools: []string{tools[0].Name}}}); err == nil {
		t.Error("it was built")
	}
}
