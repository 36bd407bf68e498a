// Package ui has what every screen is made of: the drawn elements (the theme and
// its glyphs, frames, tabs, text fields, lists, bars, notices, dialogs), the
// bindings of its keys, and its work in the background.
//
// It knows no screen and no application: an element gets its data as arguments
// and returns lines of exactly the requested width.
//
// Goals: every style and character of the interface has one definition, in
// Theme and Glyphs; an element looks the same on every screen. Non-goals:
// what a key or a job of one screen does; reading files or the environment.
//
// Invariants:
//   - a method that draws in w cells returns lines of exactly w cells;
//   - drawing depends on nothing but the arguments and the element's fields;
//   - focus and selection are shown by glyphs, so that a plain theme shows them.
//
// # Cells
//
// Text is a sequence of units: one ASCII character, or one grapheme cluster that begins
// outside ASCII. x/ansi measures so, and widths add up. A Line is always as wide as
// asked, no byte of its text can act on the terminal, and plain ASCII is drawn without
// measuring. Readable markers for control characters are safetext.Line's: what Clean
// replaces is only what got past it.
//
// # Keys
//
// A Binding is written once, next to its
// action. It holds the keys, the texts of help, footer and palette, the current
// label, and the reason why it is disabled. Key routing, help, footer and
// palette are all derived from the bindings.
//
//	Binding   one action and its keys
//	Group     bindings under one heading of the help
//	Layer     the groups whose keys work while something has the keyboard,
//	          and the hints of the footer
//
// Invariants:
//   - a key does one thing in a layer: when two bindings have the same key, the
//     binding of the earlier group wins;
//   - the footer shows only hints of enabled bindings of the layer;
//   - pasted text never matches a key.
//
// # Background work
//
// A Job answers one question at a time: a new question cancels the work on the previous one, and late messages
// of cancelled work are ignored.
//
//	var survey ui.Job[*State, Reach]
//
//	cmd := survey.Start(ctx, state, func(ctx context.Context, progress ui.Progress) (Reach, error) { ... })
//	reach, cmd, mine := survey.Update(msg) // in the screen's Update
//
// Invariants:
//   - at most one run of a job is current; all others have been cancelled;
//   - the context of a run that ended is cancelled;
//   - a message of a run that was stopped or replaced changes nothing.
package ui
