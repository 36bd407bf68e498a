package engine

import "testing"

func TestArgumentsOf(t *testing.T) {
	for give, want := range map[string]string{
		"":           "",
		" \n\t":      "",
		`{"a": 1.0}`: `{"a": 1.0}`,
		"null":       "null",
		"[1]":        "[1]",
		`"{}"`:       `"{}"`,
		"{a: <1>}":   `"{a: <1>}"`,
		"yes":        `"yes"`,
		`{"a": NaN}`: `"{\"a\": NaN}"`,
		"{} {}":      `"{} {}"`,
	} {
		if got := string(ArgumentsOf(give)); got != want {
			t.Errorf("%q: %s, want %s", give, got, want)
		}
	}
	if ArgumentsOf(" ") != nil {
		t.Error("blank text is not nil")
	}
}
