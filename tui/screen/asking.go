package screen

import "caliper/model"

// Asking is a Screen whose selected row is about a query. On any other screen the query
// is that of Explore, and the tool the selected one.
type Asking interface {
	Screen
	// Asked returns that query and the tool that should answer it; nil when none is
	// known.
	Asked() (query string, expected *model.Tool)
}

// Expecting is an Asking screen that shows itself what an expected tool changes, so that w asks
// for the tool without leaving the screen.
type Expecting interface {
	Asking
	// Expects reports whether it does for the query that it is about.
	Expects() bool
}
