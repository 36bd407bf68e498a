// Package transcript holds the logged sessions of agents, in one form for
// every agent: what the model was sent, what it answered, which tools it
// called, and what each request cost.
//
// A Session has one Context for its main line and one for each helper. A
// Context is a list of entries in the order of the log. Each Entry names its
// parent, the entry that the model saw before it, so what a request carried is
// the chain of its ancestors: a branch that was taken back, or a history that
// was summarised away, is no part of a later chain, though it was paid for.
//
// Texts are not kept, only their sizes (Size), but for the user's own words and
// the queries of searches, which replay ranks. A log of 500 MB is a few
// megabytes of entries.
//
// The readers of the other formats are in package logs; each reader streams its log
// and never fails on a line that it does not know: it counts it (Skipped).
//
// Invariants:
//   - An entry's parent stands before it in its context, or is None.
//   - Every result belongs to a call that stands before it, or is dropped and
//     counted.
//   - A message that a log holds twice is one entry: repeated entries are
//     marked Copy and neither their request nor their calls count again.
//   - Reading the same bytes gives the same values.
//
// Non-goals: ranking, prices, strategies (package engine/replay), and what the
// model would have done otherwise, which nobody knows.
//
// # Caliper's own record
//
// An Event is caliper's record of the agents that it serves: one value for each
// request, which the explorer shows, a file keeps, and replay reads.
//
// Example, as it stands in a file, on one line:
//
//	{"v":1,"time":"2026-11-24T10:00:00.123Z","seq":7,"session":"worker","client":{"name":"agent",
//	"version":"2"},"connection":"8f3a","kind":"search","request":{"name":"tool_search","queries":
//	["merge a branch"],"bytes":27,"sha256":"..."},"hits":[{"name":"mcp_forge_merge","rank":1,
//	"score":4.2}],"verdict":"ok","tokens":{"request":7,"response":96},"total_ms":0.2}
//
// Invariants:
//   - the queries of a search are in its event; the arguments of a call and the text of a
//     result only where texts are recorded, else their sizes and digests;
//   - the numbers of a connection's events grow by one;
//   - ParseEvent reads what AppendEvent wrote, whatever the texts hold.
//
// Non-goals: deciding which events there are (package serve), and drawing one.
//
// # Messages
//
// MessageParts reads messages in the shapes of OpenAI chat, OpenAI
// responses and Anthropic, and Builder makes entries of them.
// The logs that are made of such messages are read here too: request logs
// (RequestsReader), and what Hermes keeps, its database too (HermesReader, ReadDatabase).
//
// A result belongs to the nearest call before it with the same id, since ids
// may repeat from message to message. A result without a call is dropped and
// counted.
//
// # Lines and their cache
//
// LineReader and Values read a log line by line in constant memory, whatever its lines are
// like: as long as an answer of a tool, ended in CRLF, begun by a byte order mark or by
// the zero bytes that a file has where the system stopped while it was written, or cut
// short by a writer that has not finished.
//
// Invariants:
//   - a line is handed over once, without its end, in the order of the stream;
//   - memory grows with the longest line, up to MaxLine, never with the stream;
//   - what follows the last line end is handed over only if it is a whole JSON value:
//     a writer ends its lines, so the rest of a line is still on its way.
//
// A Cache has the lines of the logs that were read, so that a second run does not open a log of
// Claude Code, of Codex or of a record again until it changes. Logs of other formats are read anew.
//
// An entry of the cache holds one log as the reader of its format understood it: a stream of
// encoding/gob, packed with zstd, of one value a line. The values are sizes, names, ids, usage,
// definitions of tools, and the user's own words and queries, which replay ranks; they have no
// other text. A later run hands them to the reader again in place of the lines, so that a session
// is put together by the same code from the same values, whether its log was read or not.
//
// A log is known by its path, who was said to have written it and the tokenizer that counted it.
// It is unchanged when size, time of change and file equal the entry's. A log that was changed
// seconds before it was read has no entry, since it may change again at the same time.
//
// The bounds: package newfile removes entries that were not used for long, and the oldest
// where all are too large together; a log whose lines are more than mostFacts bytes has none.
//
// Invariants:
//   - with a cache and without it the same values are read;
//   - an entry that is damaged, cut or of another version is none, and a folder
//     that cannot be used keeps nothing; neither is an error;
//   - nothing is written outside of the cache folder.
package transcript
