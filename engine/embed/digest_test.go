package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"caliper/model"
)

func TestDigestOf(t *testing.T) {
	want := sha256.Sum256([]byte("\x04\x00\x00\x00ping\x02\x00\x00\x00Hi\x01\x00\x00\x00a\x02\x00\x00\x00bc"))
	if got := digestOf(tool("ping", "Hi", "a", "bc")); got != want {
		t.Errorf("digest %x, not %x", got, want)
	}
}

func TestDigestTellsToolsApart(t *testing.T) {
	seen := map[digest]string{}
	for name, x := range map[string]*model.Tool{
		"base":                     tool("ab", "cd", "ef"),
		"name into description":    tool("a", "bcd", "ef"),
		"description into name":    tool("abc", "d", "ef"),
		"description to parameter": tool("ab", "c", "def"),
		"two parameters":           tool("ab", "cd", "e", "f"),
		"no parameters":            tool("ab", "cd"),
		"nothing":                  tool("", ""),
		"an empty parameter":       tool("", "", ""),
	} {
		d := digestOf(x)
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[d] = name
	}
}

func TestDigestIgnoresWhatIsNotEmbedded(t *testing.T) {
	a, b := tool("a", "b", "c"), tool("a", "b", "c")
	b.Parameters = []byte(`{"properties": {"c": {"type":"integer","description":"x"}}, "required": ["c"]}`)
	b.Toolset, b.Qualified = "elsewhere", "elsewhere/a"
	if digestOf(a) != digestOf(b) {
		t.Error("the digest depends on what Template does not read")
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
