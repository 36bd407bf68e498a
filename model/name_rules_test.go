package model

import (
	"strings"
	"testing"
)

// Every provider's rule at its edges.
func TestNameRules(t *testing.T) {
	const plain = "azAZ09_-"
	for _, c := range []struct {
		provider     string
		takes, wants string // characters
		first        string // characters that cannot be the first
		longest      int
		text         string
	}{
		{"OpenAI", plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
		{"Anthropic", plain, "./: é", "", 128, "letters, digits, _ and -, 128 characters"},
		{"Gemini", plain + ".:", "/ é", "09-.:", 128, "letters, digits, ., :, _ and -, 128 characters, a letter or _ first"},
		{"Bedrock", plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
		{"MCP", plain + ".", "/: é", "", 128, "letters, digits, ., _ and -, 128 characters"},
		{ToolSearch, plain, "./: é", "", 64, "letters, digits, _ and -, 64 characters"},
	} {
		r, ok := NameRuleOf(c.provider)
		if !ok || r.String() != c.text || r.Longest != c.longest || r.Advice != (c.provider == "MCP") {
			t.Errorf("%s: %+v", c.provider, r)
		}
		for b := rune(0); b < 0x100; b++ {
			want := strings.ContainsRune(c.takes, b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
			if odd, is := r.Odd("a" + string(b)); is == want || is && odd != b {
				t.Errorf("%s and %q: odd %v", c.provider, b, is)
			}
			first := strings.ContainsRune(c.first, b) || c.first != "" && '0' <= b && b <= '9'
			if start, bad := r.BadStart(string(b) + "a"); bad != first || bad && start != b {
				t.Errorf("%s and %q first: bad %v", c.provider, b, bad)
			}
		}
		for _, odd := range c.wants {
			if _, is := r.Odd(string(odd)); !is {
				t.Errorf("%s takes %q", c.provider, odd)
			}
		}
	}
	if _, ok := NameRuleOf("nobody"); ok {
		t.Error("nobody has a rule")
	}
	if _, bad := NameRules[2].BadStart(""); bad {
		t.Error("no name begins badly")
	}
}
