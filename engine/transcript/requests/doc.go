// Package requests reads logs of requests to a model with their responses, in the
// formats of OpenAI chat, OpenAI responses and Anthropic messages, whoever wrote them.
//
// An entry is {"request", "response"}, one a line or in an array; or a request and its
// response stand in turns, bare or under these names. Nothing says which requests
// belong together, so a session is a chain: a request belongs to the session whose
// last history, with or without the answer to it, is the longest beginning of its
// own. System prompts do not count for that, as programs write the date into them.
//
// For example, with the histories [u], [u a v] and [w] there are two sessions, of two
// requests and one: [u] is the beginning of [u a v]. The last is the second session
// of its file f, so its id is f#2.
//
// What a request repeats of an answer that is not in the log is a copy: it is in the
// history, and was paid for elsewhere. A history that is sent again, longer than a
// first message, is a branch of its session; a first message alone begins another.
//
// The input that OpenAI counts contains what was read from the cache; the three
// counts of Anthropic add up.
//
// Invariants:
//   - each response is one request of one session; one with an id that is there again,
//     at the same time and with the same request, is a copy, also in another log, of which
//     the first in Reader.Order has it; one
//     without an id is a copy of the one directly before it if both have one time, finer than a second;
//   - a response that is an error, or was logged as a stream of events, is counted as
//     left out;
//   - memory grows with the number of exchanges, by some digests each, and with the longest
//     entry of the log. Sessions with the same tools share them.
package requests
