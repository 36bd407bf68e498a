package words

import (
	"strings"
	"testing"
)

func TestAnd(t *testing.T) {
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := And(list); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

func TestCapitalized(t *testing.T) {
	for text, want := range map[string]string{"": "", "mention it": "Mention it", "élan": "Élan", "\xff": "\xff"} {
		if got := Capitalized(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 12_345: "12.3 kB", 1_000_000: "1.0 MB", 74_994_000: "75.0 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

// TestAppendLetters: letters and digits of any script stay.
func TestAppendLetters(t *testing.T) {
	for in, want := range map[string]string{"": "", "a-b 9\x7f_Z": "ab9Z", "\x80a\xffb": "ab", "\u00e9\u2014\u4e16!": "\u00e9\u4e16", "\uFFFD": ""} {
		if got := string(AppendLetters([]byte(">"), in)); got != ">"+want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		for letters, has := range map[string]bool{want: true, want + "x": false, "x" + want: false, strings.TrimSuffix(want, "b"): !strings.HasSuffix(want, "b")} {
			if HasLetters(in, []byte(letters)) != has {
				t.Errorf("%q has the letters %q: %v", in, letters, !has)
			}
		}
		lower := strings.Map(Lower, strings.ToValidUTF8(in, "\uFFFD"))
		if got := string(AppendLower([]byte(">"), in)); got != ">"+lower {
			t.Errorf("%q in lower case: %q, want %q", in, got, lower)
		}
	}
	restore := ReplaceMessages("x")
	if got := Message("a") + Message(""); got != "x" {
		t.Errorf("replaced: %q", got)
	}
	if restore(); Message("a")+Message("") != "a" {
		t.Error("a sentence is not as it is")
	}
}
