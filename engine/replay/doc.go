// Package replay joins what an agent logged of its sessions (package transcript) with a catalog, rankers and prices. It says
// of every call whether tool search would have found the tool, and of every session what it would have cost under each
// strategy of package selection.
//
// Replay recomputes cost and rank, never behaviour: what the model would have done otherwise nobody knows, and no figure
// here suggests it.
//
// # Calls
//
// A need begins with the user's words, and after a successful call of a tool that the registry has and that is not a core
// tool (need.go). The query of a call is the last one that the agent searched for in its need, else the user's words. The
// call has the rank of its tool among all that the query finds, however far behind the limit. A need with three searches or
// more is a loop.
//
// # What a request costs
//
// T is a tokenizer that weighs texts by their size. The input of a logged request r under a strategy is anchored at what was
// logged,
//
//	input(r) = logged(r) + T(tools of the strategy) - T(tools really sent)
//	                     + T(its messages) - T(messages really sent)
//
// so that everything that no log shows is carried, as the residual
//
//	residual(r) = logged(r) - T(tools really sent) - T(messages really sent)
//
// The tools really sent are those that the log has of the request, without those with defer_loading, which count where they
// are found; else what the strategy really used sends. Tools of Claude Code's log that are in no registry stay in the
// residual. What stays loaded after a compaction counts from there on.
//
// Where only the sums of a session are known, all of its requests have the mean residual; where nothing is known it is 0
// (anchor.go). It is 0, too, where the tools alone weigh more than all that was logged: then they belong to another
// registry, and were not sent.
//
// Strategies are idealised. The agent's own searches and descriptions leave the messages with their results, and an answer
// with no other calls is no request. In front of an answer that calls a tool for the first time stand the round trips of the
// strategy: one description under lazy; a search and a description under the others, if the tool was not sent. Each is a
// request of its own that reads the whole context, and its call and its answer stay in the history. A first use counts for a
// context, as long as the description is in its history: after a compaction or a rewind it is paid again (simulate.go).
//
// The prefix of a request is its tools, then the system prompt, then the messages. Of a request is cached (simulate.go)
//
//	0                                  the first of a context, a cold one, or
//	                                   one whose tools array is another
//	input of the one before            if the history was only appended to
//	T(tools) + T(common) + residual    if the history was cut
//
// A request is cold when the log has no cache read though its prefix stood. The rest is written, if the model has a price
// for that.
//
// # Example
//
// All texts weigh a quarter of a token a character. The registry's tools weigh 8,000 tokens, the core tools and the bridge
// 700, and an agent that was sent all tools logged two requests: 8,400 tokens, with 300 of messages, so that the residual is
// 8,400 - 8,000 - 300 = 100; then 8,500. The first answer calls a deferred tool. Under eager both are as logged, and 8,400
// of the second are cached. Under tool search the search reads 700 + 300 + 100 = 1,100 tokens; with a call and an answer of
// 250 tokens the description reads 1,350, with 1,100 cached; with one of 150 the first request reads 1,500, with 1,350
// cached, and the second 1,600, with 1,500 cached. In all that is 5,550 tokens in four requests, 3,950 of them cached, where
// eager has 16,900 in two, and 8,400 of them cached.
//
// # Who broke the prefix
//
// A provider reads the beginning of a prompt from its cache as far as it has the same beginning from a request before:
// model, tools, system prompt, messages, in this order. For each logged request r, and p the last request in its history
// (prefix.go; its cause: changed.go),
//
//	could(r) = read(p) + written(p)       where the log has what was written
//	         = total(p), in steps of 128  where it has not, and reads in such steps
//	again(r) = could(r) - read(r)
//
// again(r) is what Anthropic's cache diagnostics call cache_missed_input_tokens: the tokens that would have been read had
// the prefix matched the previous request (platform.claude.com/docs/en/build-with-claude/cache-diagnostics). It is a break
// from 128 tokens on, and costs again(r) times the difference of the prices of writing and reading. The first request of a
// context has no p and is not compared, and that after a compaction neither: what it could have read are the tools and the
// system prompt, of which no log has the tokens. What was written for an hour cost twice the price of input, where the log
// has that apart (Price.Writing).
//
// The cause is the first of these that holds:
//
//	timeout      the log says how long the prefix was to be kept, and the pause was longer
//	model        p has another one
//	tool_loaded, tool_gone, definition, count, order
//	             at the first place at which the tools that stand in the prefix differ: a name
//	             that p lacks, one that r lacks, another definition, one that differs in numbers
//	             alone, a tool from elsewhere. Tools with defer_loading do not stand there
//	setting      the first other setting: the system prompt, then by name
//	timeout      the pause was at least five minutes
//	unknown      the log holds no tools of r or p, or nothing that it holds changed
//
// The last two need a loss of more than 2 % of could(r), since counts of one text differ a little, and a session that read
// something from the cache or wrote to it: not every provider has one. A break belongs to one tool, and to its server: the first at which
// the tools differ. Logs of Codex have the names of tools, with marks of their definitions; so they tell neither order nor
// count.
//
// Example: p read 9,000 tokens and wrote 735; r reads none. Its tools have mcp__quay__moor, and p's do not: a break by
// tool_loaded of the server quay, 9,735 tokens billed again. At 3 dollars a million for input, 3.75 for writing and 0.30 for
// reading it cost 9,735·3.45 millionths, $0.0336.
//
// A remedy is computed of the same requests (remedies.go). A break that it does away with reads could(r); input that it
// sends besides (tools from the first request on, definitions that stay in the history) is added to the request and read by
// the next one. What the model would have done with them is not known.
//
// Invariants:
//   - The tokens billed again are the sum of the breaks, and that of each cause.
//   - A request that nothing changed, and that reads what it could, is no break.
//   - No remedy but those that send more has another input than the log.
//   - The tokens read by these rules are those of the log within 2 %: Cache.OffPct.
//
// # Never called
//
// A tool is there at a request if the log shows it: in the request's tools, in the list of deferred tools, in an answer of a
// search, or called. With each such request it costs its definition where that was sent in full, the line that lists it
// where it is listed, else nothing; and a definition that a search put into the history costs itself from there on. A tool
// that was there and never called is unused; one that no log shows is not observed, of which nothing is said (unused.go).
//
// # What the agent's own search returned
//
// A call after searches whose answers the log has is found by both, by the agent's own search, by the first ranker, or by
// nobody. A query that was answered with no tool becomes a label too, where all of its words stand in the later query of the
// same need that led to the tool (Call.Reworded): whoever asked for more then asked for this as well. Any other query that
// found nothing may have asked for something else (need.go).
//
// # The eager set
//
// A tool pays for itself when sending its definition with every request costs less than its round trips. For each tool that
// a session uses, tool search is computed once more with this tool always sent; in every other session it costs its
// definition in each request, at the price of reading it from the cache, or of writing it where the cache had nothing
// (eager.go).
//
// # Memory
//
// A row takes some 1 kB a session. With Inputs.Spend a session is taken from the inputs once it is computed. The requests
// of a session under each strategy, which take most, are computed for one session at a time (Single).
//
// # Tokenizers that are fitted
//
// Calibrate fits a tokenizer to the logged usage of each model (FitTokenizer). With these in Inputs.Fitted each session is
// weighed by its own model's, and whatever is about no session, such as the size of a definition in the eager set, by that
// of most requests. What a session carries is then scaled to the tokens of the latter.
//
// # Tokenizers of a provider's form
//
// A tokenizer such as rendered:openai (package tokens) weighs each definition in the form that the provider shows its model,
// and every other text by its vocabulary. What the provider puts around the definitions is the same under every strategy
// that sends any, and stays in the residual.
//
// # The error
//
// For the strategy that was really used the input is computed bottom up as well: tools and messages really sent, and one
// intercept for each context, fitted to every other request. Where only sums are known, the intercept is that of the other
// sessions of the same agent, model and strategy, and what the tokenizer for messages is learnt from the sessions of the
// same agent and model. Its deviation from the log is Session.ErrorPct.
//
// Invariants:
//   - Eager on a session that was sent every tool has the logged input, to the
//     token.
//   - Cached tokens are never more than the input, and never negative.
//   - Found, Below, NoMatch and OutOfScope add up to Deferrable.
//   - A total is the sum of its rows.
//   - A usage that cannot be right is nil, and nothing is computed from it.
//   - Equal inputs give equal reports; map iteration reaches no order.
//
// The cost is one pass over the entries, one over the answers for each strategy and for each tool that a session uses, one
// ranking of each of the user's messages, and one selection from it under each strategy that ranks.
//
// Non-goals: reading logs (package transcript and below), words (package report of the terminal), outputs: a strategy's
// round trips cost no output here.
//
// # Prices
//
// ReadPrices reads a list of what models charge for tokens; Price.Of computes what a request costs.
//
// A list is YAML: a date, a currency, and one line a model family with the price of a million tokens,
//
//	as_of: 2026-10-24
//	currency: USD
//	models:
//	  claude-opus-5: {input: 5.0, cache_read: 0.5, cache_write: 6.25, output: 25.0}
//
// A request of i input tokens, r of them read from the cache and w written to it, costs
//
//	(i - r - w)·input + r·cache_read + w·cache_write
//
// over a million. Example: with the line above, 12,000 tokens, 11,000 of which are read and 900 written cost 100·5 +
// 11,000·0.5 + 900·6.25 = 11,625 millionths of a dollar, which is $0.0116.
//
// A model is of a family when its name, without a provider ("anthropic/"), is the name of the family, or goes on with a
// date, "latest" or a window in brackets: claude-opus-4-20250514 is of claude-opus-4, and claude-opus-4-9 is not. Capitals
// do not count, and a dot is a dash: claude-sonnet-4.5 is claude-sonnet-4-5. A model of no family has no price: nobody
// guesses one.
//
// Invariants:
//   - A price is never negative, and a list that has one is refused.
//   - The family of a model does not depend on the order of the list.
//
// # Fitting a tokenizer
//
// FitTokenizer fits the tokenizer of a model to what its provider logged: how many tokens it makes of a character, for each
// class of text.
//
// Request i of context g carries x schema characters, y of prose and z of results, and the provider counted t tokens of
// input. With one intercept for each context, which holds what no log shows (a system prompt, wrappers, the overhead of
// tools),
//
//	t = a(g) + s·x + p·y + r·z
//
// The slopes s, p and r come from the differences between the requests of a context, in which the intercept is gone:
// FitTokenizer takes from each request the mean of its context and solves the least squares of the rest. That is the
// regression on the differences between successive requests in which each counts with the covariance that neighbours have,
// because they share a request (Frisch and Waugh, "Partial Time Regressions as Compared with Individual Trends", 1933). The
// intercept of a context is then the mean of t - s·x - p·y - r·z.
//
// Classes of text grow together in a conversation, so three slopes are often more than the data tell apart. They are
// therefore drawn to the one slope b that fits all characters together: the sum of squares has a term
//
//	σ²/(b/4)² · ((s-b)² + (p-b)² + (r-b)²)
//
// where σ² is the variance that b leaves. That is the mean of the posterior for slopes with a deviation of a quarter of b
// before anything was seen.
//
// The tools of a context are the same in all of its requests, so inside it the slope of schemas shows in the arguments of
// calls alone. It shows between contexts, where one sends all tools and another three. From six contexts and sessions on
// their means count too, with intercepts that deviate from a common one by a variance ω²:
//
//	mean(t) - s·mean(x) - p·mean(y) - r·mean(z) = a + N(0, ω² + σ²/n)
//
// A context of n requests then has the weight n/(1 + n·ω²/σ²) with its mean (the estimate of Swamy and Arora, "The Exact
// Finite Sample Properties of the Estimators of Coefficients in the Error Components Regression Models", 1972). The ratio
// ω²/σ² is the one, among powers of ten in quarter steps from 0.01 to 10⁸, that is most likely by the restricted likelihood
// (Patterson and Thompson, "Recovery of Inter-block Information when Block Sizes are Unequal", 1971). Where system prompts
// differ widely and are not in the log it is large, and the means tell little. A session whose log has sums alone counts by
// its mean.
//
// What a law leaves is a share of the input, so a context whose requests are f times the usual size counts 1/f² (σ² holds
// for the usual size).
//
// Three requests of a context have 1,000, 1,400 and 2,000 characters of prose and nothing else, and 600, 700 and 850 tokens.
// The means are 1,466.7 and 716.7, the slope is 0.25 = (466.7·116.7 + 66.7·16.7 + 533.3·133.3) / (466.7² + 66.7² + 533.3²),
// and the intercept 716.7 - 0.25·1,466.7 = 350.
//
// Every fifth request of a context is held out of a first fit, and its tokens are predicted: the error is the sum of the
// deviations, without their sign, in percent of the sum of the tokens. The slopes that are returned are those of a second
// fit, to all requests.
//
// Requests that are held out carry the tools of those that are not, so a wrong slope of schemas hides in the intercept. The
// error is therefore at least the standard deviation of that slope, times the schemas' characters, in percent of the tokens.
// Where no two contexts differ in their tools the deviation is about b/4, and the error is as large as the estimate.
//
// Invariants:
//   - Slopes are finite and not negative.
//   - FitTokenizer of the same samples in the same order gives the same bits.
//   - A context with one request tells nothing of the slopes, and is not
//     counted.
//   - Fewer than six contexts and sessions: the intercepts do not count.
//
// The cost is linear in the number of requests.
//
// # Labels from calls
//
// LabelsOf makes labelled queries of the calls of a replay: what was asked, with the tool that answered it. Package labels
// reads them.
//
// A call becomes a label when it succeeded and tool search could have led to it: the tool is granted and not a core tool.
// Its query is the one that was ranked: the last that the agent searched for, else the user's words. Calls with the same
// query are one label with all of their tools.
//
// The texts are the user's own, so that secrets of a conversation are masked in the file: e-mail addresses, keys and tokens.
// A token is told by a known beginning (sk-, ghp_, AKIA and the like), by what stands before it (Bearer, password=,
// api_key:), by its form (a JSON web token, a private key, the user and password of an address), or by being long and
// random: at least 20 characters with capital letters, small letters and digits, or at least 32 hexadecimal digits. Words,
// names of tools and paths stay as they are.
//
// Invariants:
//   - Mask(Mask(t)) is Mask(t).
//   - No label has a blank query or no tool.
//   - Labels are in the order of the log, and have different queries and ids.
//
// Non-goals: finding every secret, which no pattern can. A file of labels is therefore written for its owner alone (mode
// 0600).
package replay
