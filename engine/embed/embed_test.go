package embed

import "testing"

func TestIdentityString(t *testing.T) {
	for _, c := range []struct {
		in   Identity
		want string
	}{
		{Identity{Provider: "ollama", Model: "nomic-embed-text", Dimension: 768}, "ollama:nomic-embed-text"},
		{Identity{Provider: "fuzzy"}, "fuzzy"},
	} {
		if s := c.in.String(); s != c.want {
			t.Errorf("%+v is %q, not %q", c.in, s, c.want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	for model, want := range map[string][2]string{
		"nomic-embed-text":                        {"search_query: ", "search_document: "},
		"nomic-embed-text:v1.5":                   {"search_query: ", "search_document: "},
		"nomic-ai/Nomic-Embed-Text-v2-moe":        {"search_query: ", "search_document: "},
		"nomic-embed-code":                        {},
		"e5":                                      {"query: ", "passage: "},
		"intfloat/multilingual-E5-large":          {"query: ", "passage: "},
		"jeffh/intfloat-e5-base-v2:f16":           {"query: ", "passage: "},
		"intfloat/multilingual-e5-large-instruct": {},
		"text-embedding-3-small":                  {},
		"all-minilm":                              {},
		"core5":                                   {},
		"e50":                                     {},
		"":                                        {},
	} {
		if query, document := Prefixes(model); query != want[0] || document != want[1] {
			t.Errorf("%q wants %q and %q, not %q", model, query, document, want)
		}
	}
}
