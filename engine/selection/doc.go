// Package selection chooses the tool schemas that a model is sent with a user's
// message, before the model is called.
//
// There are six strategies. Three do not depend on the message: eager sends every
// granted schema, lazy sends only the names, and tool_search what tool search decides.
// Three rank the tools for the message: keyword by the snapshot's ranker, semantic
// by an embedder, and hybrid by both, fused. A Selector is for one session and one
// strategy. Select selects for a message, Converse for a conversation; Compare and
// Pareto measure strategies over labelled queries, and Tune searches settings (tuning.go).
//
// The rules, and the file that has each of them:
//
//  1. selector.go: only tools that the session is granted and that are available
//     can be selected; neither the policy nor the core changes that.
//  2. engine.Preselection: no more candidates than K are all selected, and not
//     ranked.
//  3. mention.go: a tool that the message names is always selected.
//  4. rankings.go, fuse.go: the sum of scores, or reciprocal rank fusion; a ranking that
//     does not list a tool adds 0 to its score.
//  5. fuse.go: ties go by keyword score, then name. choose.go: the order of what
//     is sent does not depend on the message.
//  6. rankings.go, choose.go: nothing found leaves the core; an embedder that fails
//     or is slow leaves the keywords. Notes report both.
//  7. choose.go: a session's selection only grows, when it is sticky.
//  8. engine.Assembly: the other tools stay behind the bridge, unless
//     tool search is off; then core tools are sent. send.go writes it out.
//
// Goals: the same bytes for the same inputs; a wait that is bounded whatever
// the embedder does; a reason, ranks and a score for each tool.
//
// Non-goals: authorization, which a selection never is; embedding (package
// embed); reading files of queries (package engine).
package selection
