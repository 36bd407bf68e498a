// Package diskcache keeps in a folder what was computed from content, so that a
// later process need not compute it again.
//
// An entry is found by its kind and a key, which is the SHA-256 of everything that
// the entry depends on: the content, the parameters, and the build of the
// program. So an entry is never out of date, and a program never reads an entry
// of another build of itself.
//
// Goals: whatever is wrong with the folder or a file in it, the program computes
// anew and gives the same answer; the folder stays below a size; several
// processes use it at a time; nobody but the user reads it, since values computed
// of tools tell of them.
//
// Non-goals: the content of an entry, which the caller checks as it would check any
// file; entries that somebody with the user's rights forges on purpose.
//
// An entry is a file called KIND-DIGITS.cache, of the first 32 hexadecimal digits
// of the key. All numbers are little endian:
//
//	 0  8 bytes  "calcache"
//	 8  uint32   format, 1
//	12  uint32   CRC-32C of what follows
//	16  32 bytes the key
//	48  the content
//
// A file with another format is a later program's: it is neither read, nor
// replaced, nor removed. Any other file of that name that cannot be read is
// damaged, and is removed.
//
// When a write makes the entries larger than Folder.Most together, those that were
// used longest ago are removed, and those that nobody used for 90 days. Reading an entry sets the time of its file to now.
//
// Invariants:
//   - Read returns exactly what Write was given with the same kind and key, or
//     nothing;
//   - after Write the entries have at most Folder.Most bytes, except for those of
//     a later program and entries that cannot be removed;
//   - no file is touched that is not named like an entry, and none outside of
//     the folder.
package diskcache
