// Package price reads lists of what models charge for tokens, and computes
// what a request costs.
//
// A list is YAML: a date, a currency, and one line a model family with the
// price of a million tokens,
//
//	as_of: 2026-10-24
//	currency: USD
//	models:
//	  claude-opus-5: {input: 5.0, cache_read: 0.5, cache_write: 6.25, output: 25.0}
//
// # What it computes
//
// A request of i input tokens, of which r are read from the cache and w are
// written to it, costs
//
//	(i - r - w)·input + r·cache_read + w·cache_write
//
// over a million. Example: with the line above, 12,000 tokens of which 11,000
// are read and 900 written cost 100·5 + 11,000·0.5 + 900·6.25 = 11,625
// millionths of a dollar, which is $0.0116.
//
// A model is of a family when its name, without a provider ("anthropic/"), is
// the name of the family, or goes on with a date, "latest" or a window in
// brackets: claude-opus-4-20250514 is of claude-opus-4, and claude-opus-4-9 is
// not. Capitals do not count, and a dot is a dash: claude-sonnet-4.5 is
// claude-sonnet-4-5. A model of no family has no price: nobody guesses one.
//
// Invariants:
//   - A price is never negative, and a list that has one is refused.
//   - The family of a model does not depend on the order of the list.
package price
