// Package yaml11 reads one YAML document by the rules of YAML 1.1, as the
// loader of the reference agent has them, and says where in the file each value
// stands.
//
// Goals: a scalar has the value that the reference gives it, in all its odd
// corners: yes and off are booleans, 010 is eight, 1:30 is ninety and 1e1 is
// text. A document that the reference's loader refuses is refused here, with
// line and column. Reading ends soon and in bounded memory, whatever the bytes.
// Non-goals: what keys and values mean; writing; YAML 1.2, whatever %YAML says.
//
// The tree is the yaml.v3 library's, which knows YAML 1.2 for the most
// part; this package resolves its scalars anew, merges mappings anew, and
// computes positions, which the library counts in code points and, for errors,
// only in lines.
//
// Invariants:
//   - Load returns a document without aliases that expand beyond twice the
//     greatest size of a file, and whose every scalar has a value
//   - an offset is one of the data, a line counts from 1 by line feeds, and a
//     column counts from 1 in bytes, without a byte order mark
//   - Entries returns each Identity once
//
// The codes of the errors of Load: too_large, bad_character, malformed,
// several_documents, alias_expansion, and unloadable for a value that makes the
// reference's loader refuse the whole file.
package yaml11
