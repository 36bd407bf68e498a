// Package model is caliper's data: tool definitions, the toolsets
// that group them, and the registry that holds them all.
//
// A Registry never changes after it was made. What the model is sent is kept
// byte for byte, in the order of the source: a Tool's Function and Parameters
// are slices of it wherever they can be. Text for the screen is made safe once,
// by package safetext, in the fields that are called Shown. ParseSchema makes a
// parameter schema a tree to look at. A Diagnostic is an error or a warning
// with its file, line, column and JSON path.
//
// The packages below it:
//
//   - shapes reads every format in which tools are handed around into a
//     Registry.
//   - jsontree reads JSON with positions, and safetext makes foreign text safe.
//   - words cuts text into words.
//
// Non-goals: reading files, deciding what a session may use or what a tool
// costs (package engine), validating arguments, fetching references, judging
// whether a schema is a good one.
package model
