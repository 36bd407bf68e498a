// Package record reads the record that caliper itself writes of the agents it serves:
// one event a line, of searches, descriptions and calls, with the tokens of each.
//
// A server of tools does not see the conversation. What a record cannot tell:
//
//   - the user's words: a call's query is the search before it;
//   - which events were one answer of the model: each counts as one;
//   - what a request cost: usage is unknown;
//   - texts, unless they were recorded too: then sizes are those that the event gives,
//     and where it gives tokens alone, four characters are taken for each.
//
// A connection is a session, since its client keeps one conversation; its id is the
// session's name, a slash and the connection, with "#n" for the n-th client that connects
// by this name. A record that was rotated goes on in the next file.
//
// Invariants:
//   - an event is at most one answer with one call and one result;
//   - an event counts once: one of a connection with the time and the number of another
//     is a copy. Numbers need not grow, since calls of one client overlap;
//   - events of other kinds, and those of a later version, are counted and change
//     nothing else.
package record
