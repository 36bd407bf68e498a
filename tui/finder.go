package tui

import "caliper/model"

// finder is the / of a pane while its text is typed: the hits are filtered as
// one types, the schema tree jumps to the next match.
type finder struct {
	pane    Pane
	field   *field
	version uint64
}

// longestFind bounds what is searched for, in characters.
const longestFind = 200

// newFinder returns a finder for a pane.
func newFinder(pane Pane, text string) *finder {
	f := &finder{pane: pane, field: newField(longestFind, "")}
	f.field.Set(text)
	return f
}

// words is what the border of the pane shows.
func (f *finder) words() string { return "/" + model.Sanitize(f.field.Value()) + "_" }
