package retrieval

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model"
)

// Whatever of the words of a text is asked, an index of them answers as one of all
// words does.
func TestIndexForIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		p := drawParams().Draw(t, "parameters")
		text := drawQuery().Draw(t, "text")
		want, err := NewCorpus().Index(t.Context(), tools, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := IndexFor(t.Context(), tools, p, text)
		if err != nil {
			t.Fatal(err)
		}
		queries := []string{text, "", "  ", "absentword"}
		if words := strings.Fields(text); len(words) > 0 {
			queries = append(queries, words[0], strings.ToUpper(strings.Join(words[len(words)/2:], "+")))
		}
		for _, query := range queries {
			if !got.Answers(query) {
				if strings.HasPrefix(text, query) {
					t.Fatalf("%q cannot be asked of an index of %q", query, text)
				}
				continue
			}
			if got, want := got.Scored(query), want.Scored(query); got != want {
				t.Fatalf("%q: %d tools scored, want %d", query, got, want)
			}
			for _, k := range []int{0, 1, 5, len(tools) + 1} {
				if got, want := got.Search(query, k), want.Search(query, k); !reflect.DeepEqual(got, want) {
					t.Fatalf("%q: %v, want %v", query, got, want)
				}
			}
			for doc := range tools {
				rank, score, ok := got.Rank(query, doc)
				if wantRank, wantScore, wantOK := want.Rank(query, doc); rank != wantRank || score != wantScore || ok != wantOK || got.Finds(query, doc) != want.Finds(query, doc) {
					t.Fatalf("%q: document %d is at %d with %v (%v), want %d with %v (%v)", query, doc, rank, score, ok, wantRank, wantScore, wantOK)
				}
				if got, want := got.Explain(query, doc), want.Explain(query, doc); !reflect.DeepEqual(got, want) {
					t.Fatalf("%q: document %d: %+v, want %+v", query, doc, got, want)
				}
			}
		}
	})
}

func TestIndexForRefuses(t *testing.T) {
	tools := []*model.Tool{newTool("read_file", "Read a file", nil)}
	if _, err := IndexFor(t.Context(), tools, Params{K1: -1}, "file"); err == nil {
		t.Error("parameters out of range are taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := IndexFor(ctx, tools, Reference, "file"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	x, err := IndexFor(t.Context(), tools, Reference, "Read it")
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{"": true, "it": true, "READ, read!": true, "file": false, "read file": false, "rea": false} {
		if x.Answers(query) != want {
			t.Errorf("%q: %v, want %v", query, !want, want)
		}
	}
}
