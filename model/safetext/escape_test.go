package safetext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestEscapeUnseen(t *testing.T) {
	tests := []struct{ name, give, want string }{
		{"plain", `{"a": "b <&> é 工"}`, `{"a": "b <&> é 工"}`},
		{"indented", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
		{"del", "\"\x7f\"", `"\u007f"`},
		{"c1", "\"\u009b\u0085\"", `"\u009b\u0085"`},
		{"bidi", "\"\u202e\u2066\u061c\"", `"\u202e\u2066\u061c"`},
		{"zero width", "\"\u200b\u200d\ufeff\u00ad\"", `"\u200b\u200d\ufeff\u00ad"`},
		{"separators", "\"\u2028\u2029\"", `"\u2028\u2029"`},
		{"tags", "\"\U000e0041\U000e007f\"", `"\udb40\udc41\udb40\udc7f"`},
		{"selectors", "\"\ufe0f\U000e0100\"", `"\ufe0f\udb40\udd00"`},
		{"fillers", "\"\u3164\u115f\"", `"\u3164\u115f"`},
		{"not UTF-8", "\"\x9b\"", `"\ufffd"`},
		{"emoji", "\"\U0001f600\"", "\"\U0001f600\""},
		{"controls, which are not JSON", "\"\x1b[31m\x00\b\r\"", `"\u001b[31m\u0000\u0008\u000d"`},
		{"the last control and the first that is none", "\"\x1f ~\"", `"\u001f ~"`},
	}
	for _, tt := range tests {
		if got := string(EscapeUnseen([]byte(tt.give))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Escaping never changes the value, and leaves nothing that can act.
func TestEscapeUnseenKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("a\"\\\n\x00\x1b\x7f\u009b\u200d\u202e\u2028\ufffd\ufeff\U000e0041\U0001f600"))),
		).Draw(t, "text")
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(map[string]string{text: text}))
		escaped := EscapeUnseen(b.Bytes())
		var got map[string]string
		if err := json.Unmarshal(escaped, &got); err != nil {
			t.Fatalf("%s: %v", escaped, err)
		}
		if want := strings.ToValidUTF8(text, "\ufffd"); got[want] != want {
			t.Fatalf("%q came back as %q", text, got)
		}
		for _, r := range string(escaped) {
			if unicode.IsControl(r) && r != '\n' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("%q holds %U", escaped, r)
			}
		}
	})
}

func TestEscapeMasked(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"plain", `{"a": "b <&> é 工 😀"}`, `{"a": "b <&> é 工 😀"}`},
		{"unseen", "\"a\u202eb\u009b\"", `"a\u202eb\u009b"`},
		{"private use", "\"\ue000\U000f0000\"", `"\ue000\udb80\udc00"`},
		{"no character", "\"\ufdd0\u0378\"", `"\ufdd0\u0378"`},
		{"some marks", "\"a\u0301\u0302\"", "\"a\u0301\u0302\""},
		{"marks that pile up", "\"a" + strings.Repeat("\u0301", 6) + "b\"", "\"a" + strings.Repeat("\u0301", 4) + `\u0301\u0301b"`},
		{"a mark at the beginning", "{\"\u0301a\": \"\u0302\"}", `{"\u0301a": "\u0302"}`},
		{"behind a quotation mark", "\"\\\"\u0301\"", `"\"\u0301"`},
		{"indented", "{\n  \"a\": \"é\"\n}\n", "{\n  \"a\": \"é\"\n}\n"},
	} {
		if got := string(EscapeMasked([]byte(c.give))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Escaping for a terminal never changes the value, and leaves nothing that
// Line would change.
func TestEscapeMaskedIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]string{"k": rapid.String().Draw(t, "value"),
			rapid.StringOf(rapid.RuneFrom([]rune("a\"\\\n\u0301\ue000\u200d\ufe0f👩\U0001f3fd\U000e0041\u0378"))).Draw(t, "hostile"): "v"}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetIndent("", " ")
		require.NoError(t, e.Encode(value))
		got := EscapeMasked(b.Bytes())
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || len(back) != len(value) {
			t.Fatalf("%s: %v", got, err)
		}
		for k, v := range value {
			if back[k] != v {
				t.Fatalf("%q became %q", v, back[k])
			}
		}
		if clean := Lines(string(got)); clean != string(got) {
			t.Fatalf("%s is made %s", got, clean)
		}
	})
}
