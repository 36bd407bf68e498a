// Package whatif answers one question: what if a tool, a query or a setting were
// another? Nothing is changed; it computes which tools a query then finds, what the
// labelled queries gain and lose, and what it costs.
//
// An Edit is another definition of a tool, and a Trial is its effect on searches and tokens.
// Labels have the ranks of labelled queries, which a Trial's Outcome is compared with. WhyNot
// looks for changes that help one query, Propose for one that helps all labelled queries, and
// Judge says what descriptions do that a writer made.
//
// # Why not
//
// WhyNot explains why a query does not find a tool. An Answer names the first stage that keeps
// it from being found: the name is unknown, the tool is a core tool, it is out of the session's
// scope, the ranker gives it no score, or it ranks below the limit. Its Remedies are changes of
// the query, the description, the limit, the ranker or the session that bring the tool within
// the limit. Example: for "list pull requests" and the tool list_commits, the answer is
// below_limit with rank 9 and limit 5, and the first remedy adds "commits branch" to the query.
//
// Invariants:
//   - a remedy is only offered after the search that it leads to was made and
//     found the tool; NewRank is the rank in that search
//   - the same question about the same snapshot has the same answer, and the
//     snapshot is not changed
//   - the answer is complete or an error, also when the context ends
//
// Cost: bounded for any registry by the constants in remedy.go and remedy_words.go: a pass
// over the words of the catalog, at most about 300 searches, 42 edits of one description,
// indexes of two other rankers and 16 snapshots of other sessions.
//
// Non-goals: answers for a model, because answers name tools outside the scope.
//
// # Trials
//
// An Edit names a tool and its new name, description or parameters, or removes it. Try computes
// what edits do to tokens and ranks without a registry and a snapshot of their own, fast enough
// for every key of a description that is typed. Labels tell what a Trial does to labelled
// queries: how much of what they need is found within the limit, which of them find more or
// less, and which expected tools lose their rank. Apply builds the snapshot that the edited
// registry gives.
//
//	trial, err := whatif.TryText(ctx, s, tool, "Open a bug report in a repository.")
//	hits, err := trial.Hits(ctx, "file a bug", 20)
//	before, err := whatif.Measure(ctx, s, queries)   // once for all trials
//	outcome, err := before.With(ctx, trial)
//
// Invariants:
//   - ranks, scores, recall and tokens equal the snapshot's that Apply builds, to the last
//     bit, with every ranker
//   - an edit keeps every byte of a definition that it does not name
//   - tools are compared by qualified name, and belong to the snapshot, which does not change
//   - everything is in a total order
//
// Cost: after the edit of one tool a keyword ranker reads its definition and asks the index
// that is there (see retrieval.Change); With costs one search for each expected tool. Other
// edits, and the ranker fielded, need an index of the catalog, built once for a Trial.
//
// # Words of descriptions
//
// One rule tells which words belong in the description of a tool, for everything that
// proposes words: the remedies of WhyNot, lint (Missing) and the doctor. What they bring and
// what they cost is an Entry for one query, and an Outcome for labelled ones.
//
// A word belongs in a description when all of these hold:
//
//   - it is no filler: it names something (Filler)
//   - it is not common: at most a tenth of the tools have it (Common). A word that many
//     tools have tells none of them from the others, and who adds it only games the
//     ranker.
//   - it is known: some tool has it. A word that no tool has is a name, a value or a
//     mistake of the query; only who asks for one query can tell, and of the mistakes
//     Slip tells most.
//
// Example: of 1,000 tools 101 have "file", which is common, 100 have "path", which is
// not, and none has "kowalski", which is not known.
//
// Invariants:
//   - a word is a filler whatever the tools are
//   - the counts do not depend on the order of the tools
//
// Non-goals: which of the words that belong there are worth adding (the packages that
// propose them).
//
// # The doctor
//
// The doctor judges edits of a tool's description by labelled queries, and proposes
// some itself.
//
// Judge tells the effect of a description before anyone ships it: the ranks of every labelled
// query before and after, whom it hurts, recall within the limit, and what it costs.
// Propose makes descriptions: the tool's own and a list of words that people ask the tool
// with and its description lacks.
//
// Words:
//
// A word is proposed for one of three reasons:
//
//   - queries: labelled queries of the tool have it
//   - rival: a tool that ranks above it for one of its queries has it, and so has the
//     query
//   - lexicon: the lexicon relates it to words of the tool, and its queries have it, if
//     there are any
//
// It must be a word that belongs in a description, as the rule above says, and that
// the tool has not, in any form. Generic verbs such as "get" are left out. Forms of one
// stem are one word.
//
// A word of the queries is in n of the tool's N tasks, and in m of the M tasks of other
// tools. It belongs to the tool by its lift,
//
//	lift = (n+½)/(N+1) / ((m+½)/(M+1))
//
// which must be 2 or more: a word that other tools are asked for as often says nothing
// of this one. And n must be m or more: in each of the m tasks the tool would rise, and
// another one is needed there. That is how near twins are kept apart: a word that fits two
// tools is in tasks for both. Its weight is n·ln(lift). A word that
// one task alone has needs a second reason. A word of the queries that is written like a name
// is left out, and so is one that one task alone has, or that is written like a code, unless
// the catalog or the lexicon knows it: these are values, such as a city or a key.
//
// Example: 3 of the 4 tasks of a tool have "invoice", and 2 of 95 tasks of others. The
// lift is (3.5/5)/(2.5/96) = 26.9 and the weight 3·ln 26.9 = 9.9. The word "cheap", in 1 of
// the 4 and in 20 of the 95, has the lift (1.5/5)/(20.5/96) = 1.4 and is not proposed. A word
// in 3 of the 4 and in 7 of the 95 has the lift 9, but 3 is less than 7: it is not proposed
// either.
//
// The list:
//
// Four lists are tried: the first 1, 2 and 4 words, the weightiest of the queries first,
// and the first 3 that two tasks or more have. The description mentions them in
// brackets, as remedies do (Mention), and has no other word more: a word such as
// "covers" before the list draws queries, too, where the ranker knows no stop words.
//
// No sentence is built of them: whoever takes the words, or the request, writes it.
//
// Claims:
//
// Words from labelled queries fit those queries, so that the ranks which they give
// them say nothing about the next one. Therefore all tasks are dealt to folds, and each
// query of the tool is asked with the list that is made without its fold
// (cross-fitting: Chernozhukov and others, "Double/debiased machine learning", 2018,
// section 3). Queries of other tools propose no word: the judgement has what the list
// itself does to them. But words are left out because they have them, so that the next
// query loses more: an offer must hold also where they are asked without their
// fold. With the ranker learned, no query is asked with what it taught.
//
// Example: four tasks of a tool are four folds. Task 1 is asked with the words of tasks
// 2, 3 and 4. If it shares none of them, the claim is that it gains nothing, even where
// the proposed list has its words.
//
// The net harm of an edit is the loss of the queries of other tools by it: the sum of the
// shares of their needs that were found within the limit and are not any more, less those
// that are found now and were not. It is rare: a rank falls more often than it
// falls below the limit. What comes near to it is counted by the closeness of a rank r to
// the limit k,
//
//	closeness = 1 / (1 + exp((r-k-½)/1.5))
//
// a logistic step: with k = 5 it is 0.95 at rank 1, 0.58 at 5, 0.42 at 6 and 0.05 at 10.
//
// Offers:
//
// Propose offers an edit only when all of these hold, and often none does:
//
//   - the tool's own queries, each asked with what was made without it, find more of what
//     they need, and recall does not fall
//   - the net harm is not above 0
//   - the closeness that the needs of other tools' queries lose is 1 % of what the tool
//     gains in its own at most. What a query needs is a share of it each: of two needs each
//     counts a half. A need that comes nearer pays for none that falls
//   - the last two hold also where each query of another tool is asked with what was made
//     without it
//
// For a tool without labelled queries, which allow no claim, the net harm must
// not be above 0, and the closeness that is lost 0.005 at most.
//
// Example, with the limit 5: an edit lifts the tool from rank 8 to 1 in five of its queries,
// whose closeness goes from 0.159 to 0.953 each, or by 3.97 in all. One need of another query
// falls from rank 1 to 2: the net harm is 0, but 0.953 less 0.912, or 0.041, is more than 1 %
// of 3.97, and the edit is not offered. With a sixth such query it is, and so it is when the
// other query has a second need, which does not move: it loses 0.020 then.
//
// The needs that fall are not set off against those that rise, since both are common and
// only the next query tells which is chance: the longer a description is, the less bm25
// makes of each of its other words, and other tools rise.
//
// The bounds were chosen on one half of the queries of the development sets; TestMisses has what
// they cost and gain on unseen queries.
//
// Invariants:
//   - the description of a tool itself changes no rank, and its verdict is cannot_tell
//   - judgements are in a total order, whatever the order of the descriptions
//   - a query of the tool changes nothing of the list that it is asked with
//   - a proposed description begins with the tool's own, and has no words besides that are
//     not of the kinds above or the tool's
//   - the same snapshot, queries and descriptions give the same judgements
//
// Cost: a description costs a Trial and one search for each expected tool of the
// queries. Propose makes at most 4 of them, and up to 5 more each for the folds.
//
// Non-goals: writing prose. Request has what a writer, person or model, needs; Judge says
// what the result is worth.
package whatif
