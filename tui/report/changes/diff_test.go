package changes

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine/diff"
)

// SECURITY: a toolset has whatever name a registry gives it, and no table of a
// comparison lets one act as HTML or end its cell, whichever way its tools changed.
func TestDiffToolsetsAreText(t *testing.T) {
	const hostile = "<img src=x onerror=alert(1)>|y"
	all := []diff.ToolChange{
		{Name: "tide_table", Toolset: hostile},
		{Name: "moor", Toolset: hostile, Parts: []diff.ChangedPart{diff.ChangedDescription, diff.ChangedToolset}},
	}
	many := make([]diff.ToolChange, shownTools+1) // a row for each toolset
	for i := range many {
		many[i] = diff.ToolChange{Name: fmt.Sprint("tool ", i), Toolset: hostile}
	}
	for name, d := range map[string]diff.Diff{
		"added": {Added: all[:1]}, "removed": {Removed: all[:1]}, "changed": {Changed: all[1:]}, "counted by toolset": {Added: many},
	} {
		text, _ := Diff(d, "a.json", "b.json").Markdown()
		found := false
		for line := range strings.Lines(text) {
			if !strings.Contains(line, "<img") {
				continue
			}
			found = true
			if !strings.Contains(line, "`<img src=x onerror=alert(1)>\\|y`") {
				t.Errorf("%s: the toolset is not code: %s", name, line)
			}
		}
		if !found {
			t.Errorf("%s: no toolset in\n%s", name, text)
		}
	}
}

// A share of a saving is told only where there is one: below 0 it had two signs.
func TestShareOfNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		old, now int
		want     string
	}{{-179, -166, ""}, {33_056, 33_055, ""}, {0, 5, ""}, {100, 150, " (+50%)"}, {100, 50, " (−50%)"}} {
		if got := changeShare(tt.old, tt.now); got != tt.want {
			t.Errorf("%d → %d: %q, want %q", tt.old, tt.now, got, tt.want)
		}
	}
}
