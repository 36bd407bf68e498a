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
// more than the data can tell apart. They are therefore drawn to the one slope
// b that fits all characters together: the sum of squares has a term
//
//	σ²/(b/4)² · ((s-b)² + (p-b)² + (r-b)²)
//
// where σ² is the variance that b leaves. That is the mean of the posterior
// for slopes with a deviation of a quarter of b before anything was seen.
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
// Invariants:
//   - Slopes are finite and not negative.
//   - Fit of the same examples in the same order gives the same bits.
//   - A context with one request tells nothing of the slopes, and is not
//     counted.
//
// The cost is linear in the number of requests.
package calibrate
