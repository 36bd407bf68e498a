package replay

import (
	"maps"
	"math"
	"regexp"
	"strings"
	"sync"

	"caliper/engine/transcript"
)

// Price is the cost of a million tokens of one model family. A CacheWrite of 0
// means that the provider does not charge for writing: what would be written
// is charged as Input.
type Price struct {
	Input, CacheRead, CacheWrite, Output float64
	// ToolChanges is the name of the provider's way to change tools in the middle of a
	// conversation without losing the prefix; "" where the family has none.
	ToolChanges string
	// AsOf is the date of the price, as the list has it.
	AsOf string
}

// Writes reports whether writing to the cache has a price of its own.
func (p Price) Writes() bool { return p.CacheWrite > 0 }

// hour is the price of writing tokens that are kept for an hour, in prices of input. Source:
// platform.claude.com/docs/en/build-with-claude/prompt-caching.
const hour = 2

// Writing returns the price of requests that wrote to the cache as a usage has it: a part of them for an
// hour. It is p where the model has no price for writing.
func (p Price) Writing(u transcript.Usage) Price {
	if p.Writes() && u.HourWrite > 0 {
		p.CacheWrite += float64(u.HourWrite) / float64(u.CacheWrite) * (hour*p.Input - p.CacheWrite)
	}
	return p
}

// million is the number of tokens that a price is for.
const million = 1e6

// PricedTokens are the tokens of a request's input, as they are charged: fractions
// too, because means are priced.
type PricedTokens struct {
	Input float64 // all of it
	Read  float64 // of these, read from the cache
	Write float64 // of these, written to it
}

// Add returns the sum of both.
func (t PricedTokens) Add(u PricedTokens) PricedTokens {
	return PricedTokens{t.Input + u.Input, t.Read + u.Read, t.Write + u.Write}
}

// rounded returns whole tokens.
func (t PricedTokens) rounded() Tokens {
	return Tokens{int(math.Round(t.Input)), int(math.Round(t.Read)), int(math.Round(t.Write))}
}

// Of returns what the input costs.
func (p Price) Of(t PricedTokens) float64 {
	return ((t.Input-t.Read-t.Write)*p.Input + t.Read*p.CacheRead + t.Write*p.CacheWrite) / million
}

// PriceList is a list of prices.
type PriceList struct {
	AsOf     string // the date of the list
	Currency string
	families map[string]Price
}

// Empty reports whether the list has no price, as the zero value.
func (l PriceList) Empty() bool { return len(l.families) == 0 }

// Equal reports whether both lists have the same prices, dates and currency.
func (l PriceList) Equal(m PriceList) bool {
	return l.AsOf == m.AsOf && l.Currency == m.Currency && maps.Equal(l.families, m.families)
}

// Find returns the price of a model; ok is false when the list has none.
func (l PriceList) Find(model string) (p Price, ok bool) {
	name := familyOf(model[strings.LastIndexByte(model, '/')+1:])
	for {
		if p, ok = l.families[name]; ok {
			return p, true
		}
		shorter := ofRelease().FindStringSubmatch(name)
		if shorter == nil {
			return Price{}, false
		}
		name = shorter[1]
	}
}

// ofRelease matches a name that ends in one release of its family.
var ofRelease = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+?)(?:\[.*\]|-latest|-\d{8}|-\d{4}-\d\d-\d\d)$`)
})

// familyOf returns the name of a family as it is looked up: providers differ in capitals
// and in dots, as in claude-sonnet-4.5.
func familyOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), ".", "-") }
