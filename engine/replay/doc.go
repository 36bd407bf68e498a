// Package replay joins what an agent logged of its sessions (package
// transcript) with a catalog, rankers and prices. It says of every call
// whether tool search would have found the tool, and of every session what it
// would have cost under each strategy of package selection.
//
// Replay recomputes cost and rank, never behaviour: what the model would have
// done otherwise nobody knows, and no figure here suggests it.
//
// # Calls
//
// A need begins with the user's words, and after a successful call of a tool
// that the registry has and that is not a core tool (need.go). The query of a
// call is the last one that the agent searched for in its need, else the
// user's words. The call has the rank of its tool among all that the query
// finds, however far behind the limit. A need with three searches or more is a
// loop.
//
// # What a request costs
//
// T is a tokenizer that weighs texts by their size. The input of a logged
// request r under a strategy is anchored at what was logged,
//
//	input(r) = logged(r) + T(tools of the strategy) - T(tools really sent)
//	                     + T(its messages) - T(messages really sent)
//
// so that everything that no log shows is carried, as the residual
//
//	residual(r) = logged(r) - T(tools really sent) - T(messages really sent)
//
// The tools really sent are those that the log has of the request, without those with
// defer_loading, which count where they are found; else what the strategy really used sends.
// Tools of Claude Code's log that are in no registry stay in the residual.
// What stays loaded after a compaction counts from there on.
//
// Where only the sums of a session are known, all of its requests have the
// mean residual; where nothing is known it is 0 (anchor.go). It is 0, too, where the
// tools alone weigh more than all that was logged: then they are those of another
// registry, and were not sent.
//
// Strategies are idealised. The agent's own searches and descriptions leave the
// messages with their results, and an answer with no other calls is no request.
// In front of an answer that calls a tool for the first time stand the round
// trips of the strategy: one description under lazy; a search and a description
// under the others, if the tool was not sent. Each is a request of its own that
// reads the whole context, and its call and its answer stay in the history. A
// first use counts for a context, as long as the description is in its history:
// after a compaction or a rewind it is paid again (simulate.go).
//
// The prefix of a request is its tools, then the system prompt, then the
// messages. Of a request is cached (cache.go)
//
//	0                                  the first of a context, a cold one, or
//	                                   one whose tools array is another
//	input of the one before            if the history was only appended to
//	T(tools) + T(common) + residual    if the history was cut
//
// A request is cold when the log has no cache read though its prefix stood.
// What is not read is written, if the model has a price for that.
//
// # Example
//
// All texts weigh a quarter of a token a character. The registry's tools weigh
// 8,000 tokens, the core tools and the bridge 700, and an agent that was sent
// all tools logged two requests: 8,400 tokens, with 300 of messages, so that
// the residual is 8,400 - 8,000 - 300 = 100; then 8,500. The first answer calls
// a deferred tool. Under eager both are as logged, and 8,400 of the second are
// cached. Under tool search the search reads 700 + 300 + 100 = 1,100 tokens;
// with a call and an answer of 250 tokens the description reads 1,350, of which
// 1,100 are cached; with one of 150 the first request reads 1,500, of which
// 1,350 are cached, and the second 1,600, of which 1,500 are. In all that is
// 5,550 tokens in four requests, 3,950 of them cached, where eager has 16,900
// in two, and 8,400 of them cached.
//
// # The eager set
//
// A tool pays for itself when sending its definition with every request costs
// less than its round trips. For each tool that a session uses, tool search is
// computed once more with this tool always sent; in every other session it
// costs its definition in each request, at the price of reading it from the
// cache, or of writing it where the cache had nothing (eager.go).
//
// # Memory
//
// With Inputs.Pack the rows of sessions and the calls are packed (packed_sessions.go,
// packed_calls.go): some 150 bytes of a session, and some 30 of a call, beside its texts. With
// Inputs.Spend a session is also taken from the inputs once it is computed. The requests of a
// session under each strategy, which take most, are computed for one session at a time
// (Single).
//
// # Tokenizers that are fitted
//
// Calibrate fits a tokenizer to the logged usage of each model (package calibrate). With
// these in Inputs.Fitted each session is weighed by that of its own model, and what is
// about no session, such as the size of a definition in the eager set, by that of most
// requests. What a session carries is then scaled to the tokens of the latter.
//
// # Tokenizers of a provider's form
//
// A tokenizer such as rendered:openai (package tokens) weighs each definition in the form
// that the provider shows its model, and every other text by its vocabulary. What the
// provider puts around the definitions is the same under every strategy that sends any, and
// stays in the residual.
//
// # The error
//
// For the strategy that was really used the input is computed bottom up as
// well: tools and messages really sent, and one intercept for each context,
// fitted to every other request. Where only sums are known, the intercept is
// that of the other sessions of the same agent, model and strategy, and what the
// tokenizer is off for messages is learnt from those of the same agent and
// model. Its deviation from the log is Session.ErrorPct.
//
// Invariants:
//   - Eager on a session that was sent every tool has the logged input, to the
//     token.
//   - Cached tokens are never more than the input, and never negative.
//   - Found, Below, NoMatch and OutOfScope add up to Deferrable.
//   - A total is the sum of its rows.
//   - A usage that cannot be right is nil, and nothing is computed from it.
//   - Equal inputs give equal reports; map iteration reaches no order.
//   - Packed or not, a report has the same sessions and calls.
//
// The cost is one pass over the entries, one over the answers for each strategy and for
// each tool that a session uses, one ranking of each of the user's messages, and one
// selection from it under each strategy that ranks.
//
// Non-goals: reading logs (package transcript and below), words (package
// report of the terminal), outputs: a strategy's round trips cost no output
// here.
package replay
