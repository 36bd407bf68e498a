// Package hosts ranks tools as the tool searches of real agents do. A Host is a row of
// data: how an agent names tools, cuts texts into words, scores, orders and limits. One
// scorer reads the rows, so that an agent is added by a row.
//
// # Formula
//
// The score of a tool is the sum over the words w of a query, each once unless the row
// says that repeated words count, of
//
//	idf(w) · (Σ weights of texts that have w + tf·(k1+1)/(tf + k1·(1 − b + b·dl/avgdl))) + Σ points of texts that have w
//	idf(w) = ln(1 + (N − n + ½)/(n + ½))
//
// where tf is how often the row's one long text of the tool has w, dl that text's number
// of words, avgdl its mean over the N tools, and n the tools that have w in any weighted
// text. A row uses a part of it: AI SDK has points alone, Codex the BM25 term alone
// (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
// 2009), in float32. Copilot CLI has no score: its query is a regular expression, and the
// text in which it is found is the tier.
//
// Example: AI SDK gives 2 for a word of the name and 1 for one of the description. For
// "create an issue" create_issue, "Create an issue in a project", has 2+1 for create, 1 for
// an and 2+1 for issue: 7.
//
// # Source
//
// Every row was measured on the package of its version, which testdata/README.md names with
// the scripts: the agents ran offline against a model that only searches. VERSION is part of
// a row, since agents change their rules without a word.
//
// Invariants:
//   - a Host that is listed ranks all measured queries as its package does, but for ties that
//     the package leaves to chance; where it has what caliper has not, such as a dictionary of
//     megabytes, hits know between which ranks they stand
//   - hits are in a total order; where the host leaves the order to chance, equal hits know
//     how many they are, and are in the order of their names
//   - nothing is found that the host could not find: limits, own tools and servers that it
//     refuses count
//
// Non-goals: the reference agent (packages engine and retrieval), meaning, what a provider's
// hosted search does.
package hosts
