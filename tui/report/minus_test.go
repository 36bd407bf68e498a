package report

import (
	"strings"
	"testing"
)

// TestMinus: every number that people read has the minus sign, whoever formats it.
func TestMinus(t *testing.T) {
	for name, got := range map[string]string{
		"a whole number":      Textf("%d", -4).String(),
		"a fraction":          Textf("%.1f", -4.0).String(),
		"a signed fraction":   Textf("%+.1f", -4.0).String(),
		"a number in a table": TextOf(-4).String(),
		"a percentage":        Percent(-4),
		"tenths":              Tenths(-4),
		"points":              Points(-0.04),
		"a signed number":     Signed(-4).String(),
		"a score":             score(-4),
	} {
		if !strings.HasPrefix(got, "−4") || strings.Contains(got, "-") {
			t.Errorf("%s is %q", name, got)
		}
	}
}
