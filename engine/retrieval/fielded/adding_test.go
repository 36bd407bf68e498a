package fielded

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
	_ "caliper/model/draws"
)

// TestSearchAdding: hits equal a search of everything to whose scores the
// additions, or the shares, are added; Compare returns them apart.
func TestSearchAdding(t *testing.T) {
	r := parse(t, fixture.Dump(700, 5))
	x, err := NewCorpus().Index(context.Background(), r.Tools, r.Toolset, Default)
	if err != nil {
		t.Fatal(err)
	}
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
	r := parse(t, fixture.Dump(50, 5))
	x, err := NewCorpus().Index(context.Background(), r.Tools, r.Toolset, Default)
	if err != nil {
		t.Fatal(err)
	}
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
