package fielded

import (
	"testing"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/tui/demo"
)

// TestNounBeforeVerb: for a verb that tools of any kind are named with and a
// word of a name, every tool that has the word in its name stands before all
// that hold the verb, but neither the word nor one that it brings.
func TestNounBeforeVerb(t *testing.T) {
	for _, c := range []struct {
		name string
		data func(t *testing.T) []byte
	}{
		{"demo", func(*testing.T) []byte { return demo.Registry() }},
		{"real", func(t *testing.T) []byte { return sharedFile(t, "registries/registry.json") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.data(t))
			checkNouns(t, index(t, NewCorpus(), r.Tools, r.Toolset, Default), r.Tools)
		})
	}
}

func checkNouns(t *testing.T, x *Index, tools []*model.Tool) {
	t.Helper()
	l := retrieval.EnglishLexicon()
	nouns := map[string]bool{}
	for _, tool := range tools {
		for _, w := range oracleWords(tool.Name) {
			if l.Kind([]byte(w)) == retrieval.ContentWord && !l.Generic([]byte(w)) {
				nouns[w] = true
			}
		}
	}
	queries, bad := 0, 0
	for noun := range nouns {
		id, _ := x.vocabulary.terms.Find([]byte(oracleStem(noun)))
		for _, verb := range []string{"list", "get", "search"} {
			query := verb + " " + noun
			queries++
			related := map[uint32]bool{id: true}
			s := x.acquire(query)
			for _, b := range s.expansions {
				if int32(b.word) == s.tokens[1].word {
					related[s.terms[b.term].term] = true
				}
			}
			x.release(s)
			above := -1
			for _, h := range x.Search(query, x.Len()).Hits {
				holds, named := false, false
				d := &x.documents[h.Doc]
				for _, t := range d.record.once() {
					holds = holds || related[t&termMask]
					named = named || t>>fieldShift == uint32(Name) && t&termMask == id
				}
				for i, t := range d.record.often() {
					holds = holds || related[t]
					named = named || t == id && x.presences[d.record.tallies()[i]].fields.has(Name)
				}
				if !holds && above < 0 {
					above = h.Doc
				}
				if named && above >= 0 {
					bad++
					if bad < 8 {
						t.Errorf("%q: %s stands before %s\n%s\n%s", query, tools[above].Name, tools[h.Doc].Name, draw(x.Explain(query, above)), draw(x.Explain(query, h.Doc)))
					}
					break
				}
			}
		}
	}
	t.Logf("%d queries, %d wrong", queries, bad)
}
