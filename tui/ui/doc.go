// Package ui draws the elements that screens are made of: the theme and its
// glyphs, frames, tabs, text fields, lists, bars, notices and dialogs.
//
// It knows no screen and no application: an element gets its data as arguments
// and returns lines of exactly the requested width. Package cells, which it
// builds on, measures and cuts text in terminal cells.
//
// Goals: every style and character of the interface has one definition, in
// Theme and Glyphs; an element looks the same on every screen. Non-goals: key
// bindings, commands, reading files or the environment.
//
// Invariants:
//   - a method that draws in w cells returns lines of exactly w cells;
//   - drawing depends on nothing but the arguments and the element's fields;
//   - focus and selection are shown by glyphs, so that a plain theme shows them.
package ui
