package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Where a key works is a sentence, whatever heading its group has: only the name of a
// screen stands behind "on".
func TestHelpSaysWhereInASentence(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`^works (on [A-Z][a-z]+|outside text|in (the|a|what) [a-z ]+|in the pane [A-Z][a-z]+|while (a|the|two) [a-z ]+ (is|are) [a-z ]+)$`)
	for _, tt := range []struct{ name, keys, group, want string }{
		{"a question", "alt+1", "In a question", "works in a question"},
		{"leaving", "alt+1", "Leaving", "works in the question before leaving"},
		{"a draft", "alt+1", "Draft of a description", "works in the draft of a description"},
		{"a screen", "alt+1", "Budget", "works on Budget"},
		{"hits", "alt+2", "Hits", "works in the hits"},
		{"two states", "alt+2", "Two states", "works while two states are compared"},
		{"a typed value", "alt+4", "Typing a value", "works while a value is typed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := explorer(t, 120, 36).Press(tt.keys)
			rows := d.app().helpRows()
			var names []string
			for _, s := range d.app().screens {
				names = append(names, s.Name())
			}
			found := false
			for _, r := range rows {
				if !strings.HasPrefix(r.never, "works ") {
					continue
				}
				found = found || r.group == tt.group && r.never == tt.want
				if name, on := strings.CutPrefix(r.never, "works on "); !sentence.MatchString(r.never) || on && !slices.Contains(names, name) {
					t.Errorf("%s, %s: %q", r.group, r.key, r.never)
				}
			}
			if !found {
				t.Errorf("no row of %s says %q", tt.group, tt.want)
			}
		})
	}
}
