// Package tuning searches settings of tool search on labelled queries, and measures
// honestly what the settings that it finds are worth.
//
// Goals: the difference that is reported is that on queries which had no part in the
// choice; on labels that say nothing, nothing is recommended; no label measures a ranker
// that learned from it; the same inputs give the same result.
//
// Non-goals: settings that no label can judge, files, and words.
//
// # The comparison
//
// A candidate is one value for every setting that is searched. The values that are tried
// are in settings.go, the value in force always among them. The score of a candidate for
// a query is a metric of package retrieval:
//
//   - Without pre-selection it is the metric of the first hits of tool_search, as many as
//     the limit. Recall@5 with the limit 3 counts three.
//   - With a strategy of pre-selection it is the metric of the tools that are selected, K
//     of them: those that the message names, then the best ranked. Tools that are always
//     sent have no rank.
//
// Its tokens are what one turn costs, the mean over the queries:
//
//	without pre-selection  tokens(assembly) + tokens(answer of one search with limit hits)
//	                       or tokens(assembly) alone, where tool search is not active
//	with pre-selection     tokens(what is sent for the message, the bridge included)
//
// # How settings are chosen
//
// Choose(queries) takes the candidate with the largest mean score over some queries, and
// then prefers the candidate that is nearest to the settings in force among those that
// are not worse than it by more than the standard error of that difference (the rule of
// one standard error: Breiman and others, "Classification and Regression Trees", 1984,
// section 3.4.3):
//
//	mean(best) - mean(c) ≤ √( Σ (D(t) - d·n(t))² · T/(T-1) ) / n
//
// where D(t) is the sum of the differences of the queries of task t, n(t) how many these
// are, d the mean difference, n all queries and T all tasks. Nearest is the one that changes the
// fewest settings, then goes the fewest steps; then what scores more, then what costs
// less. So the settings in force stay unless something is better by more than its
// standard error.
//
// More hits never find less, so a limit or a K above the one in force is chosen only under
// a bound on tokens (Request.MaxTokens); the frontier has it always.
//
// # How the choice is measured
//
// The score of the best of many candidates on the queries by which it was chosen is too
// high. The queries are therefore dealt to folds, all of one task to one fold, and
//
//	chosen(q) = score(Choose(queries outside q's fold), q)
//
// This is nested cross-validation (Varma and Simon, "Bias in error estimation when using
// cross-validation for model selection", BMC Bioinformatics 7:91, 2006). Best.Score is
// the mean of chosen(q), Baseline.Score the mean with the settings in force, and Difference is
// retrieval.ComparePaired of the two, query by query: its 95 % interval is a paired bootstrap
// over tasks with a fixed seed. The queries of a fold have a part in the choices of the
// other folds, so that the folds are not independent (Nadeau and Bengio, "Inference for the
// generalization error", Machine Learning 52, 2003), and such an interval is too narrow: of
// simulated samples whose truth is known it holds the truth in 91 to 93 of 100. Both ends
// are therefore moved from the mean by the factor √(folds/(folds-1)), with which it is 94
// to 96 (TestIntervalsCover). The bootstrap knows too little of a few queries that all
// differ in one direction; where by the randomization test of Compare chance gives
// as much in more than one of twenty cases, the interval is extended to 0. Result.Best has the settings that Choose takes on all
// queries; Stability is the share of the folds that took these too.
//
// The verdict is better where the interval is above 0, worse where it is below 0, and
// otherwise that nothing can be told. It is never better where Choose keeps the settings in
// force.
//
// A ranker that learns has learned, for a query of the fold, nothing of that fold, and
// where the choice is made outside the fold, nothing of the fold and nothing of the query
// itself, its text or its task. Such a ranker may gain from knowing which tools are asked
// for often, whatever the words are, which shuffled labels tell as well. So each fold is
// also asked of one that learned from the same labels, each with the tools of another; a
// gain that is not told from 0 against that control is not told from 0 at all.
//
// Result.Worded has the difference of the queries of each wording (package wording), so
// that settings which gain only where a query repeats the name are seen to.
//
// # Example
//
// Four tasks of one query each are dealt to two folds, {1, 2} and {3, 4}. The candidate a
// is in force and scores 0, 0, 0, 1; b scores 1, 1, 1, 1. Outside the first fold b is
// better by (1+0)/2 = 0.5 with the standard error √((0.5²+0.5²)·2/1)/2 = 0.5, which is not
// less: a stays. Outside the second b is better by 1 with the standard error 0: b is
// chosen. So chosen is 0, 0, 1, 1, Best.Score is 0.5, and Difference.Mean is 0.5 - 0.25.
// On all queries b is better by 0.75 with the standard error √((3·0.25²+0.75²)·4/3)/4 =
// 0.25, so that Best has the settings of b, and Stability is ½.
//
// Invariants:
//   - A query has no part in the choice by which it is measured.
//   - Difference.Mean is Best.Score less Baseline.Score.
//   - Where only the settings in force can be chosen, every difference is 0.
//   - The frontier has no point that costs more than another and scores no more.
//   - Equal inputs give equal results: every order is total, every seed is fixed.
//
// Cost: each ranking (a ranker, with k1 and b) is asked every query once, and a ranker
// that learns once for each fold. All limits, thresholds and folds read those answers; a
// candidate costs a few sums over the queries. With pre-selection each ranking is fused
// once for every value of the weights, and cut for every K.
package tuning
