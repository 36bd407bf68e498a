// Package selection chooses the tool schemas that a model is sent with a user's
// message, before the model is called.
//
// There are six strategies. Three look at no message: eager sends every
// granted schema, lazy the names alone, tool_search what tool search
// decides alone.
// Three rank: keyword by the snapshot's ranker, semantic by an embedder, hybrid
// by both, fused. A Selector is one session under one strategy; Select answers
// for a message, Converse for a conversation, Compare and Pareto measure over
// labelled queries.
//
// The rules, by where they are kept:
//
//  1. scope.go: only tools that the session is granted and that are available
//     can be selected; the policy and the always-sent core have no say in it.
//  2. engine.Preselection: no more candidates than K are all selected, and not
//     ranked.
//  3. mention.go: a tool that the message names is always selected.
//  4. legs.go, fuse.go: reciprocal rank fusion; what a leg does not list adds 0.
//  5. fuse.go: ties go by keyword score, then name. choose.go: the order of what
//     is sent does not depend on the message.
//  6. legs.go, choose.go: nothing found leaves the core; an embedder that fails
//     or is slow leaves the keywords. Both are told in notes.
//  7. choose.go: a session's selection only grows, when it is sticky.
//  8. engine.Assembly: what is not selected stays behind the bridge, unless
//     tool search is off; then core tools are sent. send.go writes it out.
//
// Goals: the same bytes for the same inputs; a wait that is bounded whatever
// the embedder does; a reason, ranks and a score for each tool.
//
// Non-goals: authorization, which a selection never is; embedding (package
// embed); reading files of queries (package engine).
package selection
