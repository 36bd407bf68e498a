// Package kept is the index of the logs that were read, so that a second run
// reads only what is new.
//
// For each log it keeps what the reader of its format made of its lines (Lines), or,
// where lines do not tell it, of the whole file (Whole): sizes, names, ids, usage,
// definitions of tools, and the user's own words and queries, which replay ranks; no
// other text. A later run hands this to the reader again in place of the lines,
// so a session is put together by the same code from the same values, whether its
// log was read or not. What the lines mean, only the readers know; here a line is
// a run of numbers and texts (Encoder, Decoder).
//
// A log is known by its path, who was said to have written it and the tokenizer
// that counted it. It is
//
//   - unchanged when size, time of change and file are those of the entry, and
//     the time was not so recent that a later change might have had the same:
//     the log is not opened. A database is unchanged when the files beside it are
//     too (the log of what was written last, and the journal); a log of requests,
//     when other logs repeat the same ones of its exchanges;
//   - grown, where the format is one of lines, when the bytes at its beginning and those before the end of the last
//     whole line are those of the entry: reading continues there, since the end
//     of an unfinished line may still come;
//   - another one in every other case: it is read from its beginning.
//
// The entries are in files of package diskcache, many in one, since a folder of
// sessions has thousands of logs. Which file has an entry is decided by its key.
// A file has at most shardSize bytes; entries that were used longest ago are left
// out of a larger one.
//
// A log of which more would be kept than that, such as one with a session every few kilobytes,
// is not kept, and read anew by each run; that is forgotten as soon as it is known.
//
// A Spill is for one run: the contexts of its sessions, in the same encoding, in a file
// without a name.
//
// Example: a log of two lines and half of a third has the size 250, and its second
// line ends at 200. The entry has Size 250, Number 2, Offset 200, and the third
// line as "torn" behind Whole. When the log has 400 bytes, the first Whole bytes
// of Data give the first two lines, and reading begins at byte 200 with line 3.
//
// Invariants:
//   - what is read with an index and without are the same values;
//   - an entry that is damaged, cut or of another version is none, and a folder
//     that cannot be used keeps nothing; neither is an error;
//   - nothing with a name is written outside of the cache folder: what waits until it is
//     saved, and what a Spill holds, is in temporary files whose names are removed at once.
//
// Non-goals: reading on in a file whose reader needs more than lines, one after the
// other (databases, exports, the gateway's logs, requests, packed logs): once it has
// changed it is read anew, whole.
package kept
