package replay

import "testing"

// A registry is foreign to sessions when it has none of the tools that they called.
func TestForeign(t *testing.T) {
	t.Parallel()
	for counts, want := range map[Counts]bool{
		{}:                        false, // nothing was called
		{Calls: 3, Unknown: 3}:    true,
		{Calls: 3, Unknown: 2}:    false,
		{Calls: 3}:                false,
		{Requests: 2, Unknown: 0}: false,
	} {
		if got := verdict(&Report{Totals: Totals{Counts: counts}}).Foreign; got != want {
			t.Errorf("%+v: foreign %v", counts, got)
		}
	}
}
