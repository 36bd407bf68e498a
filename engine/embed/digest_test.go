package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model"
)

func TestDigestOf(t *testing.T) {
	want := sha256.Sum256([]byte("\x04\x00\x00\x00ping\x02\x00\x00\x00Hi\x01\x00\x00\x00a\x02\x00\x00\x00bc"))
	if got := digestOf(tool("ping", "Hi", "a", "bc")); got != want {
		t.Errorf("digest %x, not %x", got, want)
	}
}

func TestFileName(t *testing.T) {
	base := Identity{Provider: "ollama", Model: "../m", Dimension: 3}
	name := FileName(base)
	if h, ok := strings.CutSuffix(name, ".vectors"); !ok || len(h) != 32 {
		t.Errorf("file name %q", name)
	} else if _, err := hex.DecodeString(h); err != nil {
		t.Error(err)
	}
	known := base
	known.Dimension = 0
	if FileName(known) != name {
		t.Error("the file name depends on the dimension")
	}
	for _, other := range []Identity{
		{Provider: "openai", Model: "../m"}, {Provider: "ollama", Model: "n"}, {Provider: "ollama../", Model: "m"},
		{Provider: "ollama", Model: "../m", QueryPrefix: "q"}, {Provider: "ollama", Model: "../m", DocumentPrefix: "q"},
	} {
		if FileName(other) == name {
			t.Errorf("%+v shares a file", other)
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, c := range []struct {
		name string
		tool *model.Tool
		want string
	}{
		{"all", tool("create_issue", "Opens an\n\tissue.", "bodyText", "repo_id"), "create issue. Opens an issue. parameters: body text, repo id"},
		{"no full stop", tool("ping", "Pings", "host"), "ping. Pings. parameters: host"},
		{"no description", tool("ping", " \n", "host"), "ping. parameters: host"},
		{"no parameters", tool("ping", "Pings."), "ping. Pings."},
		{"a parameter without words", tool("ping", "", "_", "host"), "ping. parameters: host"},
		{"name only", &model.Tool{Name: "ping"}, "ping"},
		{"no words in the name", tool("__", "Does it."), "Does it."},
		{"nothing", &model.Tool{}, "tool"},
		{"no UTF-8", tool("a", "b\xffc"), "a. b\uFFFDc"},
	} {
		if got := Template(c.tool); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestTemplateIsCutBetweenCharacters(t *testing.T) {
	for shift := range 3 {
		got := Template(tool(strings.Repeat("a", 1+shift), strings.Repeat("天", maxText)))
		if len(got) > maxText || len(got) < maxText-2 || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
	}
}

func TestTemplateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		x := tool(text.Draw(t, "name"), text.Draw(t, "description"), rapid.SliceOf(rapid.String()).Draw(t, "parameters")...)
		got := Template(x)
		if got == "" || len(got) > maxText || !utf8.ValidString(got) {
			t.Fatalf("template %q", got)
		}
		if w := lowerWords(x.Name); lowerWords(w) != w {
			t.Fatalf("words of %q change when they are taken again", w)
		}
	})
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
