// Package jsontree is the one reader of JSON: of values in the order of their
// text, with the offset of each.
//
// There are five ways to read, each for another need:
//
//   - Parse makes a tree of Nodes of a text in memory. A Node has its kind, its
//     offset, its text as it is written, and its children in order.
//   - Walker reads the values of a text in memory one after the other, in one
//     pass, and may make trees of some of them.
//   - Scanner reads JSON of any size from a reader, in one window of memory. It
//     checks values, or passes over them by their quotes and brackets.
//   - Cursor reads a text strictly: it refuses bytes that are not UTF-8 and
//     names that an object has twice. It is built on jsontext, which is not yet
//     at version 1, and its file is the only one here that imports it.
//   - Skimmer walks over a text that is known to be valid.
//
// Parse and Scanner share one lexer, and Dialect says which texts it takes. A
// SyntaxError is a fact, a Problem at an offset, and whoever shows it puts it
// into words. A Text is a source that Repair has made strict; its Origin leads
// every offset back to the source. Lines turns offsets into lines and columns.
//
// In the text {"a":[1,"x"],"a":2} Parse finds an object with one member: a,
// which is 2 and is at offset 17. Of two equal names the last one counts.
//
// Invariants:
//
//   - Node.Raw is the text from Node.At on, and parsing it gives an equal node.
//   - Members keep the order in which their names came first; the last value of
//     a name is the one that counts, in a tree as in a repaired text.
//   - A Scanner gives the same answers whatever the sizes of the reads are.
//   - In the dialect Strict, Parse takes exactly what encoding/json takes.
//
// The cost is one pass. A string is read eight bytes at a time; a Scanner takes
// 128 KiB, a bit for each open array or object, and no more.
package jsontree
