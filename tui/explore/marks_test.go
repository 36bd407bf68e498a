package explore

import (
	"slices"
	"testing"
)

// Words of the stem of a word of the query are exact where meanings are compared.
func TestMarks(t *testing.T) {
	m := newMarks("happy how reports", []string{"satisfact", "report"})
	if spans, _ := newMarks("happy reports", nil).spans("Report satisfaction"); spans != nil {
		t.Errorf("words of the same stem without meanings: %v", spans)
	}
	for text, want := range map[string][]string{
		"Report how satisfaction was: happy.": {"=Report", "≈satisfaction", "=happy"},
		"mcp_Reports_HAPPY":                   {"=Reports", "=HAPPY"},
		"unhappy":                             nil,
		"":                                    nil,
	} {
		var got []string
		spans, exact := m.spans(text)
		for i, s := range spans {
			sign := "≈"
			if exact[i] {
				sign = "="
			}
			got = append(got, sign+text[s[0]:s[1]])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
