package live

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMessage(t *testing.T) {
	r := newRedactor([]string{"se same/+", "sesame", "sesame-and-more", "abc", ""})
	for text, want := range map[string]string{
		"a sesame-and-more b sesame":              "a [withheld] b [withheld]",
		"?q=se+same%2F%2B&r=se%20same%2F+&s=abc":  "?q=[withheld]&r=[withheld]&s=abc",
		"a\x1b[31mred\x1b[0m\r\nb\x00\xffc\u202e": "ared b \uFFFDc",
	} {
		if got := r.message(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// However the writes fall, no secret is shown, nor the end of one.
func TestTailHidesSecrets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := strings.Repeat("S", rapid.IntRange(shortestSecret, 3000).Draw(t, "length")-1) + "E"
		x := &tail{redactor: newRedactor([]string{secret})}
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			text := strings.Repeat("x", rapid.IntRange(0, 5000).Draw(t, "before")) + secret
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			x.Write([]byte(text[:at]))
			x.Write([]byte(text[at:]))
		}
		got := strings.ReplaceAll(x.String(), withheld, "")
		if strings.ContainsAny(got, "SE") || len(got) > maxStderr {
			t.Fatalf("%d bytes: %q", len(got), got)
		}
	})
}
