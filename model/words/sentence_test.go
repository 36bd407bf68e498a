package words

import "testing"

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
