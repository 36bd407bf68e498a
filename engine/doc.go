// Package engine computes, for one session of an agent, which tools it is granted,
// which of them are sent to the model and which are deferred, what the model finds
// and may call, and the cost of all this in tokens.
//
// Build makes a Snapshot from a registry, a configuration, a session name and a
// message. It is a pure function, and a Snapshot never changes. The tools that are sent are
// one value of it, the Assembly; search, describe, dry run, budget and audit all
// follow from that, so that the tools shown are the tools authorized.
//
// Tool search is active in mode auto when the deferrable tokens reach a share
// of the context (threshold_pct):
//
//	threshold = floor(context length × threshold_pct / 100)
//
// Example: 10 % of a context of 200,000 tokens are 20,000. With 20,000 deferrable
// tokens the bridge replaces the deferrable tools; with 19,999 all are sent. With
// an unknown context length the threshold is UnknownContextThreshold. The rules
// are the reference agent's, June 2026; testdata has the measurements.
//
// The packages below work on a Snapshot: whatif (why a query does not find a tool, and
// what edits do), diff (what changed), lint, selection (which tools a message is sent
// with), labels (labelled queries).
//
// Invariants:
//   - a tool outside the session's scope is never found, described or called;
//     two gates that share neither code nor data stop it
//   - a granted tool is sent, deferred or unreachable, and only one of these
//   - the score of a hit is the sum of its explanation, to 1e-9
//   - every figure of tokens names its method and is rounded once
//   - equal inputs give equal bytes; order is total
//   - a Fault has a code and a Trace has verdicts; no code reads their sentences
//
// Cost of Build: counting and indexing the new tools. A Builder remembers token
// counts, words and indexes by content, so that a rebuild costs what changed.
//
// Non-goals: executing anything, reading files, talking to a terminal.
package engine
