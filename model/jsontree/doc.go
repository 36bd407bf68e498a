// Package jsontree is the one reader of JSON: of values in the order of their text, with the offset
// of each. There are five ways to read:
//
//   - Parse makes a tree of Nodes of a text in memory.
//   - Walker reads the values of a text in memory one after the other.
//   - Scanner reads JSON of any size from a reader, in one window of 128 KiB. It checks values, or
//     passes over them by their quotes and brackets.
//   - Cursor reads a text strictly: it refuses bytes that are not UTF-8 and names that an object
//     has twice. Its file is the only one here that imports jsontext, not yet at version 1.
//   - Skimmer walks over a text that is known to be valid.
//
// Parse, Walker and Scanner share one lexer, and Dialect says which texts it takes. A SyntaxError
// is a Problem at an offset, and whoever shows it puts it into words. A Text is a source that
// Repair has made strict; its Origin leads every offset back to the source.
//
// In the text {"a":[1,"x"],"a":2} Parse finds an object with one member: a, which is 2 and is at
// offset 17. Of two equal names the last one counts.
//
// Invariants:
//
//   - Node.Raw is the text from Node.At on, and parsing it gives an equal node.
//   - Members keep the order in which their names came first.
//   - A Scanner gives the same answers whatever the sizes of the reads are.
//   - In the dialect Strict, Parse takes exactly what encoding/json takes.
package jsontree
