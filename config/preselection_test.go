package config

import (
	"reflect"
	"slices"
	"testing"
)

func TestPreSelection(t *testing.T) {
	with := func(change func(*PreSelection)) PreSelection {
		p := defaultPreSelection()
		change(&p)
		return p
	}
	for _, c := range []struct {
		name, yaml string
		want       PreSelection
		codes      []string
	}{
		{"nothing", "", defaultPreSelection(), nil},
		{"everything", "rag_top_k: 4, rag_core: [a], rag_exclude: [b, c], rag_embed_model: 'openai:m', rag_embed_url: 'https://x/v1/', rag_rrf_k: 12.5, rag_weights: {keyword: 2, semantic: 0.25}, rag_sticky: no",
			PreSelection{4, []string{"a"}, []string{"b", "c"}, "openai:m", "https://x/v1", 12.5, 2, 0.25, false}, nil},
		{"no core", "rag_core: []", with(func(p *PreSelection) { p.Core = []string{} }), nil},
		{"beyond the range", "rag_top_k: 0, rag_rrf_k: -1, rag_weights: {keyword: 1000}",
			with(func(p *PreSelection) { p.TopK, p.RRFK, p.KeywordWeight = 1, 0, 100 }),
			[]string{"1:20 clamped tools.rag_top_k", "1:34 clamped tools.rag_rrf_k", "1:61 clamped tools.rag_weights.keyword"}},
		{"no numbers", "rag_top_k: many, rag_rrf_k: yes, rag_weights: {semantic: []}", defaultPreSelection(),
			[]string{"1:20 not_a_number tools.rag_top_k", "1:37 not_a_number tools.rag_rrf_k", "1:66 not_a_number tools.rag_weights.semantic"}},
		{"infinity ends nothing else", "rag_top_k: .inf, rag_rrf_k: 5", with(func(p *PreSelection) { p.RRFK = 5 }), []string{"1:20 not_a_number tools.rag_top_k"}},
		{"a bare model", "rag_embed_model: 'nomic-embed-text:latest'", with(func(p *PreSelection) { p.EmbedModel = "ollama:nomic-embed-text:latest" }), nil},
		{"a folder", "rag_embed_model: 'model2vec:/m/potion'", with(func(p *PreSelection) { p.EmbedModel = "model2vec:/m/potion" }), nil},
		{"the agent's own", "rag_embed_model: auxiliary", defaultPreSelection(), []string{"1:26 unknown_embedder tools.rag_embed_model"}},
		{"no model", "rag_embed_model: 'openai: '", defaultPreSelection(), []string{"1:26 unknown_embedder tools.rag_embed_model"}},
		{"no address", "rag_embed_url: localhost", defaultPreSelection(), []string{"1:24 not_a_url tools.rag_embed_url"}},
		{"neither yes nor no", "rag_sticky: perhaps", defaultPreSelection(), []string{"1:21 not_a_boolean tools.rag_sticky"}},
		{"not lists", "rag_core: terminal, rag_exclude: 5", defaultPreSelection(),
			[]string{"1:19 not_a_list tools.rag_core", "1:42 not_a_list tools.rag_exclude"}},
		{"misspelt", "rag_topk: 5, rag_weights: {keywords: 1}", defaultPreSelection(),
			[]string{"1:9 unknown_key tools.rag_topk", "1:36 unknown_key tools.rag_weights.keywords"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("", []byte("tools: {"+c.yaml+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(f.Config.PreSelection, c.want) {
				t.Errorf("got  %+v\nwant %+v", f.Config.PreSelection, c.want)
			}
			if got := said(f.Warnings); !slices.Equal(got, c.codes) {
				t.Errorf("got  %q\nwant %q\n%v", got, c.codes, f.Warnings)
			}
		})
	}
}
