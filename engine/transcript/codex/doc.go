// Package codex reads the rollouts of Codex: a file of JSON lines for each session.
//
// A line is an envelope of a time, a type and a payload; the oldest files have the
// payload alone. What the model saw are lines of the type response_item; most of it
// stands a second time as event_msg. So:
//
//   - a call is one by its call_id, in whatever lines it is; some calls are only in
//     the event that ends them;
//   - a request is a change of the running sum of tokens, which is repeated, and may
//     stand in lines of two kinds; a log without sums has a request for each answer;
//   - the user's words are those with an event: the environment, instructions and
//     developers' texts have the user's role, too;
//   - a tool of a server has a namespace beside its name, or both in one name;
//   - a compaction brings the history that replaces all before it;
//   - a fork, a helper and a session that an old version resumed begin with the lines of
//     another rollout, whose times may be new: they count where they are first, and
//     nowhere else (family);
//   - a helper has a rollout of its own, and is a context of the session that it helps.
//
// Invariants:
//   - a call_id is one call, a sum of tokens one request;
//   - a line with a time that is finer than a second counts once if one of the last 16
//     lines is the same byte for byte, as where a write was interrupted and its last lines
//     were written again; any other may have been said again;
//   - cached input and input that was written to the cache are taken out of
//     Usage.Input, which the log counts them in.
package codex
