// Package claude reads the logs of Claude Code: a file of JSON lines for each session,
// and one for each helper in the folder subagents beside it.
//
// The vendor calls the format internal. What a line is was learnt from logs:
//
//   - A message of the model is written as one line for each block of its content,
//     all with its id and its usage; other lines may stand between them. The input of
//     the usage is the same on all, the output grows, so the largest counts.
//   - A line names the one before it (parentUuid). A rewind is a line that names an
//     older one; a compaction begins a history anew, with a summary.
//   - The results of one message hang together in a chain, whatever lines they name:
//     the model saw all of them.
//   - A fork, and a session that was resumed by an old version, begin with a copy of lines of
//     another session under a new id, with the old ids of the messages: they count in the
//     session that wrote them (copies.go).
//   - Lines without a message say which tools are deferred, which of them a search found, and
//     what each request sent (offers.go).
//   - What the program prints with --output-format stream-json has the same messages, with
//     session_id in place of sessionId. Its lines name none before them, its first one has the
//     tools, and its last one the usage of the turn, which the others have incompletely.
//
// Invariants:
//   - a message id is one request, in whatever lines and files it is;
//   - a uuid is one line of its session, so that lines that were written again, as after
//     a write that was interrupted, count once;
//   - lines of the kind progress are none, although they hold messages;
//   - a line that is not understood is counted and changes nothing else.
package claude
