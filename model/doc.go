// Package model is caliper's data: tool definitions, the toolsets that group them, and the registry
// that holds them all, which never changes after it was made.
//
// What the model is sent is kept byte for byte: a Tool's Function and Parameters are slices of the
// source wherever they can be. Text for the screen is made safe once, by package safetext, in the
// fields that are called Shown. ParseSchema makes a parameter schema a tree to look at. A
// Diagnostic is an error or a warning with its file, line, column and JSON path.
//
// Below it, shapes reads every format in which tools are handed around into a Registry, jsontree
// reads JSON with positions, safetext makes foreign text safe, and words cuts text into words.
package model
