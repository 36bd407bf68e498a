package tokens

import (
	"regexp"
	"testing"
)

// Every method names the text it counts and its source; only a vocabulary that is known, of a text
// known to be sent, is no estimate.
func TestCounting(t *testing.T) {
	t.Parallel()
	date := regexp.MustCompile(`^20\d\d-[01]\d$`)
	for _, m := range Methods() {
		c := m.Counting()
		if c.Source == "" || !date.MatchString(c.Date) || (c.Counted == "prompt") != (m.Around() > 0) {
			t.Errorf("%s: %+v", m, c)
		}
		if want := m != O200k && m != Cl100k; c.Estimate != want {
			t.Errorf("%s: an estimate is %v", m, c.Estimate)
		}
	}
	if Method("").Counting() != Chars4.Counting() {
		t.Error("no method is not chars4")
	}
}
