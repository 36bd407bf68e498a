package fielded

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/require"
)

// TestSearchAdding: hits equal a search of everything to whose scores the
// additions, or the shares, are added; Compare returns them apart.
func TestSearchAdding(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(700, 5))
	x, err := NewCorpus().Index(context.Background(), r.Tools, r.Toolset, Default)
	require.NoError(t, err)
	queries := []string{"", "the", "zzyzx", r.Tools[3].Name, r.Tools[40].Description, "list files", "create an issue. Then send a message to everybody.", r.Tools[9].Description + " " + r.Tools[77].Description}
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.SampledFrom(queries).Draw(t, "query")
		k := rapid.IntRange(0, 300).Draw(t, "k")
		docs := rapid.SliceOfNDistinct(rapid.IntRange(0, x.Len()-1), 0, 60, rapid.ID).Draw(t, "documents")
		size := rapid.SampledFrom([]float64{0.01, 0.5, 3}).Draw(t, "size")
		var added []Addition
		scores := map[int]float64{}
		for _, h := range x.Search(query, x.Len()).Hits {
			scores[h.Doc] = h.Score
		}
		for _, doc := range docs {
			a := Addition{uint32(doc), size * rapid.SampledFrom([]float64{0.25, 0.5, 1}).Draw(t, "value")}
			added = append(added, a)
		}
		share := rapid.SampledFrom([]float64{0, 0.3, 4}).Draw(t, "share")
		allKnown := rapid.Bool().Draw(t, "those with an addition are known")
		known := func(doc uint32) bool {
			return doc%uint32(x.Len()/7) < 50 || allKnown && slices.Contains(docs, int(doc))
		}
		for doc, score := range scores {
			if share > 0 && !known(uint32(doc)) {
				scores[doc] = score + float64(score*share)
			}
		}
		for _, a := range added {
			scores[int(a.Doc)] += a.Value
		}
		var want []retrieval.Hit
		for doc, score := range scores {
			want = append(want, retrieval.Hit{Doc: doc, Score: score})
		}
		slices.SortFunc(want, func(a, b retrieval.Hit) int {
			return compare(a.Score, b.Score, uint32(a.Doc), uint32(b.Doc))
		})
		add := func(Asked) (values, others []Addition) { return added, added }
		gain := func(q Asked) Gain {
			if hits := x.Search(query, 1).Hits; len(hits) > 0 && hits[0].Score != q.Best {
				t.Fatalf("the best score is %v, want %v", q.Best, hits[0].Score)
			}
			for _, c := range q.Candidates {
				if _, score, _ := x.Rank(query, int(c.Doc)); score != c.Value {
					t.Fatalf("candidate %d has %v, want %v", c.Doc, c.Value, score)
				}
			}
			return Gain{added, share, known}
		}
		if got := x.SearchAdding(nil, query, k, gain).Hits; !slices.Equal(got, want[:min(k, len(want))]) {
			t.Fatalf("got %v, want %v", got, want[:min(k, len(want))])
		}
		for _, c := range x.Compare(query, add) {
			if got, ok := scores[int(c.Doc)]; ok && (share == 0 || known(c.Doc)) && (got != c.Score+c.Value || c.Other != c.Value) {
				t.Fatalf("%d has %v and gains %v, together %v", c.Doc, c.Score, c.Value, got)
			}
		}
		if got := x.ScoredAdding(query, func(Asked) []Addition { return added }); got != len(want) {
			t.Fatalf("it finds %d, want %d", got, len(want))
		}
	})
}

// TestWords: a word counts once, a stop word not at all, and one that no tool has is the
// rarest.
func TestWords(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(50, 5))
	x, err := NewCorpus().Index(context.Background(), r.Tools, r.Toolset, Default)
	require.NoError(t, err)
	words := x.Words("The zzyzx files, the files of zzyzx and a list")
	var stems []string
	for _, w := range words {
		stems = append(stems, w.Stem)
		if w.IDF <= 0 || w.IDF > words[0].IDF {
			t.Errorf("%s has the idf %v, zzyzx %v", w.Stem, w.IDF, words[0].IDF)
		}
	}
	if want := []string{"zzyzx", "file", "list"}; !slices.Equal(stems, want) {
		t.Errorf("got %v, want %v", stems, want)
	}
}

// TestRankBySearch: the rank that searches tell is the place among all hits, also far behind.
func TestRankBySearch(t *testing.T) {
	r := fixture.Parse(t, fixture.Dump(700, 5))
	x := index(t, NewCorpus(), r.Tools, r.Toolset, Default)
	for _, query := range []string{"list files", "zzyzx", r.Tools[3].Name, "create an issue with a title and a description in the project"} {
		hits := x.Search(query, x.Len()).Hits
		for _, doc := range []int{-1, 0, 3, 40, x.Len() - 1, x.Len()} {
			at := slices.IndexFunc(hits, func(h retrieval.Hit) bool { return h.Doc == doc })
			rank, score, ok := RankBySearch(x, query, doc)
			if ok != (at >= 0) || rank != at+1 || ok && score != hits[at].Score || !ok && score != 0 {
				t.Errorf("%q: %d has rank %d and %v, %v; want %d of %d", query, doc, rank, score, ok, at+1, len(hits))
			}
		}
		for at, h := range hits {
			if rank, score, ok := RankBySearch(x, query, h.Doc); !ok || rank != at+1 || score != h.Score {
				t.Fatalf("%q: hit %d has rank %d and %v", query, at+1, rank, score)
			}
		}
	}
}

// TestTerms: the terms of a tool are those of its texts, each once, and the best for some
// terms are those that have them.
func TestTerms(t *testing.T) {
	tools := []*model.Tool{
		newTool("send_mail", "post", "Sends a letter. Letters go by mail.", nil),
		newTool("read_mail", "post", "Reads letters.", nil),
		newTool("bake", "kitchen", "Bakes bread, bread and bread.", nil),
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	number := map[string]uint32{}
	for id := range x.Terms() {
		stem, idf := x.Term(uint32(id))
		held := false
		for doc := range tools {
			for term := range x.Bag(uint32(doc)) {
				held = held || term == uint32(id)
			}
		}
		if number[string(stem)] = uint32(id); held != (idf > 0) {
			t.Errorf("%s has idf %v", stem, idf)
		}
	}
	for doc, want := range []map[string]uint32{{"send": 2, "mail": 2, "letter": 2}, {"read": 2, "mail": 1, "letter": 1}, {"bake": 2, "bread": 3}} {
		got := map[uint32]uint32{}
		for term, in := range x.Bag(uint32(doc)) {
			if _, twice := got[term]; twice {
				t.Errorf("%d has term %d twice", doc, term)
			}
			got[term] = 0
			for _, n := range in {
				got[term] += n
			}
		}
		for stem, n := range want {
			if got[number[stem]] != n {
				t.Errorf("%s has %s %d times, want %d", tools[doc].Name, stem, got[number[stem]], n)
			}
		}
		for range x.Bag(uint32(doc)) {
			break
		}
	}
	for _, c := range []struct {
		terms []Weighted
		k     int
		want  []uint32
	}{
		{[]Weighted{{Term: number["bread"], Weight: 1}, {Term: number["mail"], Weight: 0.1}}, 5, []uint32{9, 2, 0, 1}}, {[]Weighted{{Term: number["bread"], Weight: 1}, {Term: number["mail"], Weight: 0.1}}, 1, []uint32{9, 2}},
		{[]Weighted{{Term: number["read"], Weight: 1}}, 5, []uint32{9, 1}}, {nil, 5, []uint32{9}},
	} {
		if got := x.AppendTop([]uint32{9}, c.terms, c.k); !slices.Equal(got, c.want) {
			t.Errorf("the best %d of %v are %v, want %v", c.k, c.terms, got, c.want)
		}
	}
	if got := x.Written("Please read the Letters, letters"); !slices.Equal(got, []string{"please", "read", "letters"}) && !slices.Equal(got, []string{"read", "letters"}) {
		t.Errorf("written %q", got)
	}
	for query, want := range map[string][]uint32{"send_mail": {0}, "call read_mail, then send_mail": {0, 1}, "bread": nil} {
		var docs []uint32
		for _, a := range x.AppendNamed(nil, query, []uint32{2}) {
			docs = append(docs, a.Doc)
			e, ok := x.ExplainNamed(query, int(a.Doc))
			if !ok || e.Value != a.Value || a.Value <= 0 {
				t.Errorf("%q: %d gains %v, explained %v, %v", query, a.Doc, a.Value, e.Value, ok)
			}
		}
		if !slices.Equal(docs, want) {
			t.Errorf("%q has the names of %v, want %v", query, docs, want)
		}
		if _, ok := x.ExplainNamed(query, 2); ok {
			t.Errorf("%q explains a name that it has not", query)
		}
	}
}

// TestAsked: a query is its words in stems, each once with where it is said, by sentence
// where there are two or more.
func TestAsked(t *testing.T) {
	r := fixture.Parse(t, []byte(`[{"name":"list_files","description":"List files.","parameters":{}},{"name":"send_mail","description":"Send a mail.","parameters":{}}]`))
	x, err := NewCorpus().Index(t.Context(), r.Tools, r.Toolset, Default)
	require.NoError(t, err)
	for query, want := range map[string]string{
		"":                                    "[] []",
		"listing files":                       "[list true file true] [{0 -1} {1 -1}]",
		"Send mails. Then list files, zzyzx.": "[send true mail true list true file true zzyzx false] [{0 0} {1 0} {2 1} {3 1} {4 1}]",
	} {
		x.Ask(query, func(a Asked) {
			var words []string
			for _, w := range a.Words {
				words = append(words, fmt.Sprintf("%s %t", w.Stem, w.Held))
			}
			if got := fmt.Sprint(words, a.Said); got != want {
				t.Errorf("%q: %s, want %s", query, got, want)
			}
		})
	}
}

var scoresTo = flag.String("scores", "", "a folder for the scores of the development sets, which the evaluation of the table of words reads")

// scoredWord is a word of a query with what fielded weighs it by.
type scoredWord struct {
	Stem        string
	IDF, Weight float64
}

// scoredQuery is a query with the score of each tool that it finds.
type scoredQuery struct {
	fixture.Query
	Words  []scoredWord
	Docs   []int
	Scores []float64
}

// TestWriteScores writes a line of JSON a query, and the idf of the stems of each set,
// into the folder of -scores.
func TestWriteScores(t *testing.T) {
	if *scoresTo == "" {
		t.Skip("writes the scores of all development sets: -scores FOLDER")
	}
	write := func(file string, lines ...any) {
		f, err := os.Create(filepath.Join(*scoresTo, file))
		require.NoError(t, err)
		defer f.Close()
		for encoder := json.NewEncoder(f); len(lines) > 0; lines = lines[1:] {
			require.NoError(t, encoder.Encode(lines[0]))
		}
	}
	for _, name := range fixture.Sets {
		set := fixture.ReadSet(t, name)
		x, err := NewCorpus().Index(context.Background(), set.Registry.Tools, set.Toolset, Default)
		require.NoError(t, err)
		var lines []any
		for _, q := range set.Queries {
			scored := scoredQuery{Query: q}
			for _, h := range x.Search(q.Query, x.Len()).Hits {
				scored.Docs, scored.Scores = append(scored.Docs, h.Doc), append(scored.Scores, h.Score)
			}
			s := x.acquire(q.Query)
			for i, w := range s.readWords() {
				scored.Words = append(scored.Words, scoredWord{w.Stem, w.IDF, s.queryWords[i].weight})
			}
			x.release(s)
			lines = append(lines, scored)
		}
		idf := make(map[string]float64)
		for term, v := range x.idf {
			if v > 0 {
				idf[string(x.vocabulary.terms.Term(uint32(term)))] = v
			}
		}
		file := strings.ReplaceAll(name, "/", "_")
		write(file+".jsonl", lines...)
		write(file+".idf.json", idf)
	}
}

// additions are the parts of the recipe that are not tuned but tested one by one: each
// takes its part away.
var additions = []struct {
	name    string
	without func(r *Recipe)
}{
	{"server", func(r *Recipe) { r.ServerSupport = 0 }},
	{"arguments", func(r *Recipe) { r.Arguments = 0 }},
	{"translations", func(r *Recipe) { r.Fields[Translations], r.Translation = 1e-6, 0 }},
	{"all of them", func(r *Recipe) {
		r.ServerSupport, r.Arguments = 0, 0
		r.Fields[Translations], r.Translation = 1e-6, 0
	}},
}

// ndcgs returns the nDCG@10 of each query of a set, in percent.
func ndcgs(t *testing.T, s *fixture.Set, r Recipe) []float64 {
	t.Helper()
	var all []float64
	for _, m := range measureEach(t, s, r) {
		all = append(all, 100*m.NDCG)
	}
	return all
}

// TestAdditions: each addition pays over the nine sets, or costs next to nothing, and makes
// none worse by a point. All of them together gain 0.4.
func TestAdditions(t *testing.T) {
	if !*slow {
		t.Skip("compares rankings on all sets: -slow")
	}
	macro := make([]float64, len(additions))
	for _, name := range fixture.Sets {
		s := fixture.ReadSet(t, name)
		after, groups := ndcgs(t, s, Default), s.Tasks()
		for i, a := range additions {
			r := Default
			a.without(&r)
			before := ndcgs(t, s, r)
			d := retrieval.ComparePaired(before, after, groups)
			macro[i] += d.Mean / float64(len(fixture.Sets))
			t.Logf("%-22s %-12s %6.2f → %6.2f  %+5.2f (%+.2f to %+.2f, P %.3f)", name, a.name, average(before), average(after), d.Mean, d.Low, d.High, d.P)
			if d.Mean <= -1 {
				t.Errorf("%s loses %.2f on %s", a.name, -d.Mean, name)
			}
		}
	}
	for i, a := range additions {
		t.Logf("%-22s %-12s %+.2f", "macro", a.name, macro[i])
		if macro[i] < -0.05 {
			t.Errorf("%s loses %.2f", a.name, -macro[i])
		}
	}
	if all := macro[len(macro)-1]; all < 0.4 {
		t.Errorf("all of them gain %.2f, want 0.4", all)
	}
}

// average returns the mean of values.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// draw draws an explanation as indented lines, without factors.
func draw(e retrieval.Explanation) string {
	var b strings.Builder
	e.Spell(func(stem string) string { return stem })
	fmt.Fprintf(&b, "%.4f %s\n", e.Value, e.Message)
	for _, c := range e.Children {
		fmt.Fprintf(&b, "  %+.4f %s: %s\n", c.Value, c.Component, c.Message)
		for _, leaf := range c.Children {
			fmt.Fprintf(&b, "    %+.4f %s\n", leaf.Value, leaf.Message)
		}
	}
	return b.String()
}

// TestExplanationText: an explanation says in words what was added.
func TestExplanationText(t *testing.T) {
	tools := harbour()
	x := index(t, NewCorpus(), tools, toolsets, Default)
	r := Default
	r.Candidates = 1
	y := index(t, NewCorpus(), tools, toolsets, r)
	for _, c := range []struct {
		name, query string
		doc         int
		index       *Index
		want        []string // lines, or parts of them
	}{
		{"a word", "tides", 7, x, []string{"bm25f: BM25F ", "tide: idf ", " in name, description", "description: the query covers ", "letters: trigrams of the name", "name: the query covers 88 % of the name"}},
		{"a misspelled word", "repositry", 0, x, []string{"repositori: idf 3.86 × 1.08 × 0.51 in description, toolset text; repositry ~ repositori, spelling 0.86 × 0.60", "repositry: in no tool of the catalog"}},
		{"a synonym", "make a branch", 0, x, []string{"; make ~ creat, synonym 0."}},
		{"a missing word", "branch tides", 0, x, []string{"+0.0000 tides: not in this tool"}},
		{"a pair", "pull request", 3, x, []string{"pairs: neighbours in the query", "pull request: idf "}},
		{"a name", "create_branch", 0, x, []string{"pin: the query has the name"}},
		{"a name in words", "create a branch", 0, x, []string{"pin: the query says the name, in words"}},
		{"a near name", "creat_branch", 0, x, []string{"pin: the query all but has the name"}},
		{"a covered tool", "Delete a file. List branches of a repository.", 0, x, []string{"sentence: sentence 2 of 2: BM25F 12.86 of at most 16.19\n    +0.1701 branch: idf", "covered above: better ranks cover "}},
		{"behind the candidates", "create a file. list branches here.", 2, y, []string{"after the 1 candidates", "as if better ranks covered all of it: 20 %"}},
		{"not found", "tides", 0, x, []string{"0.0000 not found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := draw(c.index.Explain(c.query, c.doc))
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}
