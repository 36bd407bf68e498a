package fielded

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/internal/fixture"
	"caliper/model"
)

// TestCorpusEqualsFresh: whatever a corpus went through, its index answers as
// one made from nothing.
func TestCorpusEqualsFresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corpus := NewCorpus()
		corpus.cache.Spare = rapid.SampledFrom([]int{0, 200, spareWords}).Draw(t, "spare")
		for range rapid.IntRange(1, 6).Draw(t, "reloads") {
			tools := drawCatalog(30).Draw(t, "catalog")
			query := drawQuery(tools).Draw(t, "query")
			got := index(t, corpus, tools, toolsets, Default).Search(query, 100)
			if want := index(t, NewCorpus(), tools, toolsets, Default).Search(query, 100); !slices.Equal(got.Hits, want.Hits) {
				t.Fatalf("Search(%q) = %v, want %v", query, got, want)
			}
		}
	})
}

// TestCorpusLearnsOnce: a tool is read when it is first seen, and shared by
// all catalogs.
func TestCorpusLearnsOnce(t *testing.T) {
	tools := fixture.Tools(50, 1)
	corpus := NewCorpus()
	all := mustIndex(t, corpus, tools)
	held := corpus.cache.Size()
	subset := mustIndex(t, corpus, tools[10:20])
	if corpus.cache.Size() != held {
		t.Errorf("a subset brought %d new words", corpus.cache.Size()-held)
	}
	for i := range 10 {
		if &all.documents[10+i].record[0] != &subset.documents[i].record[0] {
			t.Errorf("tool %d was read anew", 10+i)
		}
	}
	tools[7] = fixture.Revise(tools[7], 1)
	changed := mustIndex(t, corpus, tools)
	if got, want := corpus.cache.Size()-held, len(changed.documents[7].record); got != want {
		t.Errorf("one changed tool brought %d words, want %d", got, want)
	}
	if got := changed.Search("rev1", 5).Hits; len(got) == 0 || got[0].Doc != 7 {
		t.Errorf("the changed tool is not found: %v", got)
	}
}

// TestCorpusToolsetTexts: a tool is read anew when the texts of its toolset
// change, and not known by another's.
func TestCorpusToolsetTexts(t *testing.T) {
	corpus := NewCorpus()
	tools := []*model.Tool{newTool("one", "a", "first", nil), newTool("one", "b", "first", nil), newTool("two", model.NoToolset, "second", nil)}
	find := func(about, query string) (docs []int) {
		x := index(t, corpus, tools, func(name string) (*model.Toolset, bool) {
			return &model.Toolset{Title: "Harbour", Description: about}, name == "a"
		}, Default)
		for _, h := range x.Search(query, 9).Hits {
			docs = append(docs, h.Doc)
		}
		return docs
	}
	for _, c := range []struct {
		about, query string
		want         []int
	}{
		{"ships", "ship", []int{0}},
		{"trains", "ship", nil},
		{"trains", "train", []int{0}},
		{"ships", "harbour", []int{0}},
		{"ships", "first", []int{0, 1}},
	} {
		if got := find(c.about, c.query); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("about %s, %s finds %v, want %v", c.about, c.query, got, c.want)
			}
		}
	}
}

// TestIndexCancelled: when the context ends, nothing was learnt, and all can
// be learnt later.
func TestIndexCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	corpus, tools := NewCorpus(), fixture.Tools(20, 1)
	if x, err := corpus.Index(ctx, tools, nil, Default); !errors.Is(err, context.Canceled) || x != nil {
		t.Fatalf("Index = %v, %v", x, err)
	}
	if corpus.cache.Len() != 0 {
		t.Errorf("%d entries", corpus.cache.Len())
	}
	if got := mustIndex(t, corpus, tools).Search(tools[3].Name, 1).Hits; len(got) != 1 || got[0].Doc != 3 {
		t.Errorf("found %v", got)
	}
}

// TestIndexParts: the number of cores changes nothing, scores included.
func TestIndexParts(t *testing.T) {
	tools := fixture.Tools(3000, 3)
	queries := fixture.Queries(fixture.Long, 10, 1, tools)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := mustIndex(t, NewCorpus(), tools)
	runtime.GOMAXPROCS(3)
	three := mustIndex(t, NewCorpus(), tools)
	for _, q := range queries {
		if a, b := one.Search(q, 300), three.Search(q, 300); !slices.Equal(a.Hits, b.Hits) {
			t.Errorf("Search(%q) differs", q)
		}
	}
}

// TestConcurrent: one corpus and its indexes serve many at a time.
func TestConcurrent(t *testing.T) {
	tools := fixture.Tools(300, 1)
	corpus := NewCorpus()
	corpus.cache.Spare = 0
	queries := fixture.Queries(fixture.Mixed, 20, 1, tools)
	want := mustIndex(t, NewCorpus(), tools[:200])
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for round := range 3 {
				from := (i + round) % 2 * 100
				x := index(t, corpus, tools[from:from+200], nil, Default)
				for _, q := range queries {
					got := x.Search(q+" unknwon", 20)
					if from == 0 && !slices.Equal(got.Hits, want.Search(q+" unknwon", 20).Hits) {
						t.Errorf("Search(%q) differs", q)
					}
					x.Scored(q)
					x.Rank(q, 5)
					x.Explain(q, 7)
				}
			}
		})
	}
	wg.Wait()
}

// set in builds with the race detector
