package rescue

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The scanner takes what encoding/json takes, and where it ends.
func TestScannerAgreesWithEncodingJSON(t *testing.T) {
	tokens := []string{"{", "}", "[", "]", ",", ":", `"a"`, `"\u00e9\n"`, `"\x"`, `"`, "1", "-2.5e3", "0", "-", "e", "true", "fals", "null", " ", "\n", "x", `"a":`, `{"k":[`, "]}"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), 1, 12).Draw(t, "tokens"), "")
		if rapid.Bool().Draw(t, "whole") {
			text = jsonDrawn(t, 3)
		}
		s := newScanner([]byte(text))
		from, to, ok := s.Value()
		ok = ok && s.AtEnd()
		var v any
		if err := json.Unmarshal([]byte(text), &v); (err == nil) != ok {
			t.Fatalf("%q: %v, encoding/json says %v", text, ok, err)
		}
		if ok && text[from:to] != strings.Trim(text, " \n") {
			t.Fatalf("%q ends at %d to %d", text, from, to)
		}
	})
}

func TestScannerDepth(t *testing.T) {
	for depth, want := range map[int]bool{1: true, maxDepth: true, maxDepth + 1: false, 20000: false} {
		for _, b := range []string{"[]", "{}"} {
			text := strings.Repeat("[", depth-1) + b + strings.Repeat("]", depth-1)
			s := newScanner([]byte(text))
			if _, _, ok := s.Value(); ok != want {
				t.Errorf("%d deep with %s: %v", depth, b, ok)
			}
		}
	}
}

func TestScannerRemembersTheBeginningOfAString(t *testing.T) {
	s := newScanner([]byte(`"` + strings.Repeat(`\u0041b`, 500) + `"`))
	ok := s.Peek() == '"' && s.String()
	if from, to := s.TextAt(); !ok || from != 1 || to != 3501 || len(captured(s)) != maxCaptured || !strings.HasPrefix(captured(s), `\u0041b\u0041b`) {
		t.Errorf("%d to %d, %v, %q", from, to, ok, captured(s))
	}
}
