// Package calibrate fits the tokenizer of a model to what its provider logged:
// how many tokens it makes of a character, for each class of text.
//
// # What it computes
//
// Request i of context g carries x schema characters, y of prose and z of
// results, and the provider counted t tokens of input. With one intercept for
// each context, which holds what no log shows (a system prompt, wrappers, the
// overhead of tools),
//
//	t = a(g) + s·x + p·y + r·z
//
// The slopes s, p and r come from the differences between the requests of a
// context, in which the intercept is gone: Fit takes from each request the
// mean of its context and solves the least squares of the rest. That is the
// regression on the differences between successive requests in which each
// counts with the covariance that neighbours have, because they share a
// request (Frisch and Waugh, "Partial Time Regressions as Compared with
// Individual Trends", 1933). The intercept of a context is then the mean of
// t - s·x - p·y - r·z.
//
// Classes of text grow together in a conversation, so three slopes are often
// more than the data tell apart. They are therefore drawn to the one slope
// b that fits all characters together: the sum of squares has a term
//
//	σ²/(b/4)² · ((s-b)² + (p-b)² + (r-b)²)
//
// where σ² is the variance that b leaves. That is the mean of the posterior
// for slopes with a deviation of a quarter of b before anything was seen.
//
// # The tools
//
// The tools of a context are the same in all of its requests, so inside it the
// slope of schemas shows in the arguments of calls alone. It shows between
// contexts, where one sends all tools and another three. From six contexts and
// sessions on their means count too, with intercepts that deviate from a common
// one by a variance ω²:
//
//	mean(t) - s·mean(x) - p·mean(y) - r·mean(z) = a + N(0, ω² + σ²/n)
//
// A context of n requests then has the weight n/(1 + n·ω²/σ²) with its mean
// (the estimate of Swamy and Arora, "The Exact Finite Sample Properties of the
// Estimators of Coefficients in the Error Components Regression Models", 1972).
// The ratio ω²/σ² is the one, among powers of ten in quarter steps from 0.01 to
// 10⁸, that is most likely by the restricted likelihood (Patterson and Thompson,
// "Recovery of Inter-block Information when Block Sizes are Unequal", 1971).
// Where system prompts differ widely and are not in the log it is large, and the
// means tell little. A session of which a log has sums alone counts by its mean.
//
// What a law leaves is a share of the input, so a context whose requests are f
// times the usual size counts 1/f² (σ² is that of the usual size).
//
// # Example
//
// Three requests of a context have 1,000, 1,400 and 2,000 characters of prose
// and nothing else, and 600, 700 and 850 tokens. The means are 1,466.7 and
// 716.7, the slope is 0.25 = (466.7·116.7 + 66.7·16.7 + 533.3·133.3) /
// (466.7² + 66.7² + 533.3²), and the intercept 716.7 - 0.25·1,466.7 = 350.
//
// # The error
//
// Every fifth request of a context is held out of a first fit, and its tokens
// are predicted: the error is the sum of the deviations, without their sign,
// in percent of the sum of the tokens. The slopes that are returned are those
// of a second fit, to all requests.
//
// Requests that are held out carry the tools of those that are not, so a wrong
// slope of schemas hides in the intercept. The error is therefore at least the
// standard deviation of that slope, times the schemas' characters, in percent
// of the tokens. Where no two contexts differ in their tools the deviation is
// about b/4, and the error says that nothing is known.
//
// Invariants:
//   - Slopes are finite and not negative.
//   - Fit of the same examples in the same order gives the same bits.
//   - A context with one request tells nothing of the slopes, and is not
//     counted.
//   - Fewer than six contexts and sessions: the intercepts do not count.
//
// The cost is linear in the number of requests.
package calibrate
