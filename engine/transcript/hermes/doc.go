// Package hermes reads what Hermes keeps of its sessions: the export (one object a
// session), the gateway's log of one session (a line a message, the first with its
// tools), and the dumps session_*.json and request_dump_*.json. Package statedb
// below it reads the database.
//
// What a session is was learnt from such files:
//
//   - The sums of a session exclude what was read from the cache or written to it
//     from its input. They are all there is: a message has no usage.
//   - An inactive row was paid for, but is in no later history. One that is also
//     compacted was in the history until the summary behind it.
//   - After a compaction the kept tail is written again with the same times and ids:
//     such rows are copies.
//   - A session that names a parent has sums of its own, so it stands alone.
//
// Invariants:
//   - every session id is one session, in whatever files it is: the first file with
//     sums counts, and the tools of another are added to it;
//   - a line of the gateway that has a time and is byte for byte the one directly before
//     it counts once, unless it is a result for which a call waits: a turn has one time,
//     so that no other lines are surely the same;
//   - memory grows with the entries of a session and its longest line, never with
//     its texts.
package hermes
