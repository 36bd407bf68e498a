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
// The readers of the formats are packages below this one; each streams its log
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
// Non-goals: deciding what is an event (package serve), and drawing one.
package transcript
