// Package engine says what the data means: which tools a session is granted,
// which of them are deferred, what the model is sent, what it finds, what it
// may call, and what all of that costs.
//
// Its one idea is the Snapshot. Build makes it from a registry, a
// configuration, a session name and a message, as a pure function; it never
// changes afterwards. What is sent is one value of it, the Assembly. Search,
// describe, dry run, budget and audit all follow from that, so that what is
// shown is what is authorized.
//
// Goals:
//   - the behaviour of the reference agent, to the bit, where vectors fix it
//   - two scope gates that share neither code nor data
//   - every number explained: scores by a tree, verdicts by a trace, tokens
//     by their method
//   - a rebuild that costs what changed
//
// Non-goals: executing anything, reading files, talking to a terminal.
package engine
