package jsontree

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// TestEncodeText: a text is encoded as encoding/json does without escapes for HTML,
// whether it is plain or not.
func TestEncodeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringMatching(`[ -~]{0,12}`), rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("a\"\\\u007f\u2028\u2029\x1f\b~ <"))),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(s))
		if got := string(Encode(s)) + "\n"; got != want.String() {
			t.Fatalf("Encode(%q) = %s, want %s", s, got, want.Bytes())
		}
		if got := string(AppendText([]byte("x"), s)) + "\n"; got != "x"+want.String() {
			t.Fatalf("AppendText(%q) = %s, want x%s", s, got, want.Bytes())
		}
	})
}
