package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/model/yamltext"
)

func TestPreSelection(t *testing.T) {
	with := func(change func(*PreSelection)) PreSelection {
		p := Default().PreSelection
		change(&p)
		return p
	}
	for _, c := range []struct {
		name, yaml string
		want       PreSelection
		codes      []string
	}{
		{"nothing", "", Default().PreSelection, nil},
		{"everything", "rag_top_k: 4, rag_core: [a], rag_exclude: [b, c], rag_embed_model: 'openai:m', rag_embed_url: 'https://x/v1/', rag_embed_timeout_ms: 900, rag_floor: 3, rag_rrf_k: 12.5, rag_weights: {keyword: 2, semantic: 0.25}, rag_sticky: no",
			PreSelection{4, []string{"a"}, []string{"b", "c"}, "openai:m", "https://x/v1", 900, 3, 12.5, 2, 0.25, false}, nil},
		{"no core", "rag_core: []", with(func(p *PreSelection) { p.Core = []string{} }), nil},
		{"beyond the range", "rag_top_k: 0, rag_rrf_k: -1, rag_weights: {keyword: 1000}",
			with(func(p *PreSelection) { p.TopK, p.RRFK, p.KeywordWeight = 1, 0, 100 }),
			[]string{"1:20 clamped tools.rag_top_k", "1:34 clamped tools.rag_rrf_k", "1:61 clamped tools.rag_weights.keyword"}},
		{"no time", "rag_embed_timeout_ms: 0", with(func(p *PreSelection) { p.EmbedTimeout = 1 }), []string{"1:31 clamped tools.rag_embed_timeout_ms"}},
		{"no numbers", "rag_top_k: many, rag_rrf_k: yes, rag_weights: {semantic: []}", Default().PreSelection,
			[]string{"1:20 not_a_number tools.rag_top_k", "1:37 not_a_number tools.rag_rrf_k", "1:66 not_a_number tools.rag_weights.semantic"}},
		{"infinity ends nothing else", "rag_top_k: .inf, rag_rrf_k: 5", with(func(p *PreSelection) { p.RRFK = 5 }), []string{"1:20 not_a_number tools.rag_top_k"}},
		{"a bare model", "rag_embed_model: 'nomic-embed-text:latest'", with(func(p *PreSelection) {
			p.EmbedModel, p.RRFK, p.SemanticWeight = "ollama:nomic-embed-text:latest", 60, 1
		}), nil},
		{"a model whose fusion is set", "rag_embed_model: m, rag_rrf_k: 3, rag_weights: {semantic: 0.5}", with(func(p *PreSelection) {
			p.EmbedModel, p.RRFK, p.SemanticWeight = "ollama:m", 3, 0.5
		}), nil},
		{"a model whose constant is of no use", "rag_embed_model: m, rag_rrf_k: no", with(func(p *PreSelection) {
			p.EmbedModel, p.RRFK, p.SemanticWeight = "ollama:m", 60, 1
		}), []string{"1:40 not_a_number tools.rag_rrf_k"}},
		{"the agent's own", "rag_embed_model: auxiliary", Default().PreSelection, []string{"1:26 unknown_embedder tools.rag_embed_model"}},
		{"not a number", "rag_floor: .nan, rag_rrf_k: .inf, rag_weights: {keyword: -.inf}", Default().PreSelection,
			[]string{"1:20 not_a_number tools.rag_floor", "1:37 not_a_number tools.rag_rrf_k", "1:66 not_a_number tools.rag_weights.keyword"}},
		{"no model", "rag_embed_model: 'openai: '", Default().PreSelection, []string{"1:26 unknown_embedder tools.rag_embed_model"}},
		{"no address", "rag_embed_url: localhost", Default().PreSelection, []string{"1:24 not_a_url tools.rag_embed_url"}},
		{"neither yes nor no", "rag_sticky: perhaps", Default().PreSelection, []string{"1:21 not_a_boolean tools.rag_sticky"}},
		{"not lists", "rag_core: terminal, rag_exclude: 5", Default().PreSelection,
			[]string{"1:19 not_a_list tools.rag_core", "1:42 not_a_list tools.rag_exclude"}},
		{"misspelt", "rag_topk: 5, rag_weights: {keywords: 1}", Default().PreSelection,
			[]string{"1:9 unknown_key tools.rag_topk", "1:36 unknown_key tools.rag_weights.keywords"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := saying(t, "tools: {"+c.yaml+"}\n", c.codes); !reflect.DeepEqual(f.Config.PreSelection, c.want) {
				t.Errorf("got  %+v\nwant %+v", f.Config.PreSelection, c.want)
			}
		})
	}
}

// What an address holds of a user and a password is asked with, and shown
// nowhere.
func TestEmbedURLConcealsUserinfo(t *testing.T) {
	const standard = "http://127.0.0.1:11434"
	for _, c := range []struct{ given, asked, shown, refused string }{
		{"http://host:1", "http://host:1", "http://host:1", ""},
		{"https://anna:pa55@host/v1/", "https://anna:pa55@host/v1", "https://***@host/v1", ""},
		{"https://anna:pa/5@5@host", "https://anna:pa/5@5@host", "https://***@host", ""},
		{"https://" + strings.Repeat("pa55", 100) + "@host", "https://" + strings.Repeat("pa55", 100) + "@host", "https://***@host", ""},
		{"anna:pa55@host", standard, standard, `"***@host"`},
		{"@host", standard, standard, `"***@host"`},
		{"ftp://anna:pa55@host", standard, standard, `"ftp://***@host"`},
		{"//anna:pa55@host", standard, standard, `"//***@host"`},
	} {
		f, err := Parse("c.yaml", []byte("tools: {rag_embed_url: '"+c.given+"'}\n"))
		require.NoError(t, err)
		if f.PreSelection.EmbedURL != c.asked {
			t.Errorf("%s: asked is %s", c.given, f.PreSelection.EmbedURL)
		}
		for _, s := range f.Settings {
			if s.Key == "tools.rag_embed_url" && s.Value != c.shown {
				t.Errorf("%s: shown is %s", c.given, s.Value)
			}
		}
		if said := fmt.Sprintf("%+v %+v", f.Settings, f.Warnings); strings.Contains(said, "pa55") || strings.Contains(said, "anna") || strings.Contains(said, "5@") || !strings.Contains(said, c.refused+" does not begin") && c.refused != "" {
			t.Errorf("%s: %s", c.given, said)
		}
	}
	// One that is set by a flag.
	f, _ := Parse("c.yaml", nil)
	if err := f.Override("tools.rag_embed_url", "ftp://anna:pa55@host"); err == nil || strings.Contains(err.Error(), "pa55") {
		t.Error(err)
	}
}

// Values of rag_embed_model that are probably no model of ollama say what may be meant.
func TestEmbedderMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ given, taken, note string }{
		{"Fuzzy", "ollama:Fuzzy", `"Fuzzy" names no embedder; it is taken as a model of ollama; did you mean fuzzy?`},
		{"built-in", "ollama:built-in", `"built-in" names no embedder; it is taken as a model of ollama; did you mean builtin?`},
		{"semantic", "ollama:semantic", `"semantic" names no embedder; it is taken as a model of ollama; did you mean builtin?`},
		{"table", "ollama:table", `"table" names no embedder; it is taken as a model of ollama; did you mean builtin?`},
		{"olama:nomic", "ollama:olama:nomic", `"olama:nomic" names no embedder; it is taken as a model of ollama; did you mean ollama:nomic?`},
		{"model2vc:/m", "builtin", `"model2vc:/m" names no embedder; builtin is used; did you mean model2vec:/m?`},
		{"encoder:/dir", "builtin", `"encoder:/dir" names no embedder; builtin is used; did you mean model2vec:/dir?`},
		{"./potion", "builtin", `"./potion" names no embedder; builtin is used; did you mean model2vec:./potion?`},
		{"a model", "builtin", `"a model" names no embedder; builtin is used`},
		{"${MODEL}", "builtin", `"${MODEL}" names no embedder; builtin is used`},
		{"nomic-embed-text:v1.5", "ollama:nomic-embed-text:v1.5", ""},
		{"localhost:5000/me/bge", "ollama:localhost:5000/me/bge", ""},
		{"ollama:fuzy", "ollama:fuzy", ""},
	} {
		f, err := Parse("c.yaml", []byte("tools: {rag_embed_model: '"+c.given+"'}\n"), func(string) (string, bool) { return "./pa55", true })
		require.NoError(t, err)
		note := ""
		for _, d := range f.Warnings {
			if d.Path == embedKey {
				note = string(d.Message)
			}
		}
		if f.PreSelection.EmbedModel != c.taken || note != c.note {
			t.Errorf("%s is %s, %q", c.given, f.PreSelection.EmbedModel, note)
		}
	}
}

func TestUnknownTools(t *testing.T) {
	long := strings.Repeat("x", yamltext.MaxShown-1)
	tools := []string{"terminal", "read_file", long + "y", long + "yy"}
	known := func(name string) bool { return name == "terminal" || name == "read_file" }
	for _, c := range []struct {
		name, text string
		flag       []string // of rag_core
		want       []string
	}{
		{"the built-in core is no mistake of the file's", "tools: {rag_exclude: }", nil, nil},
		{"both lists", "tools:\n  rag_core: [terminal, read_fiel]\n  rag_exclude:\n    - nothing\n    - ''\n    - read_file\n", nil, []string{
			"c.yaml:2:24: tools.rag_core[1]: no tool is called read_fiel; did you mean read_file?",
			"c.yaml:4:7: tools.rag_exclude[0]: no tool is called nothing",
		}},
		{"not a list", "tools: {rag_core: {nothing: none}, rag_exclude: nothing}", nil, nil},
		{"a flag has no place", "tools: {rag_core: [none]}", []string{"terminal", "read_fiel"}, []string{"tools.rag_core[1]: no tool is called read_fiel; did you mean read_file?"}},
		{"a name as long as is shown", "tools: {rag_core: [" + long + "x]}", nil, []string{
			"c.yaml:1:20: tools.rag_core[0]: no tool is called " + long + "x; did you mean " + long + "y?"}},
		{"nothing is looked for beyond", "tools: {rag_core: [" + long + "xy]}", nil, []string{
			"c.yaml:1:20: tools.rag_core[0]: no tool is called " + yamltext.Printable(long+"xy")}},
	} {
		f, err := Parse("c.yaml", []byte(c.text))
		require.NoError(t, err)
		if c.flag != nil {
			require.NoError(t, f.Override(KeyRAGCore, c.flag))
		}
		var got []string
		for _, d := range f.UnknownTools(known, func() []string { return tools }) {
			if got = append(got, d.Error()); d.Code != "unknown_tool" {
				t.Errorf("%s: %s", c.name, d.Code)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got  %q\nwant %q", c.name, got, c.want)
		}
	}
}
