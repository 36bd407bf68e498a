package retrieval

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval/lexicon"
	"caliper/model"
)

// answering is an index that may know only some words.
type answering interface {
	Ranker
	Answers(query string) bool
}

// Whatever of the words of a text is asked, an index of them answers as one of all
// words does.
func TestNarrowIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tools := drawCatalog(60).Draw(t, "catalog")
		p := drawParams().Draw(t, "parameters")
		text := drawQuery().Draw(t, "text")
		if rapid.Bool().Draw(t, "English") {
			words := strings.NewReplacer("w0", "reading", "w1", "Read", "w2", "reads", "w3", "die", "w4", "dying", "w5", "ready")
			text = words.Replace(text)
			for i, tool := range tools {
				tools[i] = newTool(words.Replace(tool.Name), words.Replace(tool.Description), []byte(words.Replace(string(tool.Parameters))))
			}
		}
		index, err := NewCorpus().Index(t.Context(), tools, p)
		if err != nil {
			t.Fatal(err)
		}
		narrow, err := IndexFor(t.Context(), tools, p, text)
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, narrow, index, tools, text)
		gated, err := NewCorpusOf(Stems).Gated(t.Context(), tools)
		if err != nil {
			t.Fatal(err)
		}
		narrowGated, err := GatedFor(t.Context(), tools, text)
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, narrowGated, gated, tools, text)
		if got, want := narrowGated.Gates(text), gated.Gates(text); got != want {
			t.Fatalf("%q: %+v, want %+v", text, got, want)
		}
	})
}

// sameAnswers asks two indexes of tools for a text and what else an index of its
// words can be asked.
func sameAnswers(t *rapid.T, got answering, want Ranker, tools []*model.Tool, text string) {
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
}

// A stem begins with the letter that its word begins with, by which an index of stems
// passes over most words.
func TestStemsBeginAsTheirWords(t *testing.T) {
	check := func(t rapid.TB, word string) {
		if s := lexicon.Stem(word); s == "" || s[0] != word[0] {
			t.Fatalf("the stem of %s is %s", word, s)
		}
	}
	for word := range strings.FieldsSeq("skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes inning outing canning herring earring proceed exceed succeed generate communism arsenal yes youth yyyying ing ed s ies eed y 7ing") {
		check(t, word)
	}
	rapid.Check(t, func(t *rapid.T) {
		ending := rapid.SampledFrom([]string{"", "s", "es", "ies", "ing", "ed", "ingly", "ational", "fulness", "ement", "y", "ying", "eed", "sses", "us"})
		word := rapid.StringMatching(`[a-z0-9]{0,6}`).Draw(t, "word") + ending.Draw(t, "ending")
		if word != "" {
			check(t, word)
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
