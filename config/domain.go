package config

import "slices"

// Kind says what the value of a setting is.
type Kind uint8

// The kinds of settings.
const (
	Text    Kind = iota // any text, or what its own rule takes
	Choice              // one of a few words
	Integer             // within a range
	Number              // within a range, with a fraction
	Boolean
	Names // a list
)

// maxContext is the most tokens that a context is stepped to: more than any
// model has. A file may say more.
const maxContext = 100_000_000

// Domain is the set of values that a setting can have.
type Domain struct {
	Kind        Kind
	Least, Most float64  // of an Integer or a Number
	Choices     []string // of a Choice, in order
}

// DomainOf returns the domain of a setting that is one value or a list of
// names; false for any other key. The bounds do not depend on other settings:
// search_default_limit is at most max_search_limit besides.
func DomainOf(key string) (Domain, bool) {
	r, ok := rowOf(canonical(key))
	if !ok || r.set == nil {
		return Domain{}, false
	}
	d := r.domain
	d.Choices = slices.Clone(d.Choices)
	return d, true
}

// Clamp returns the value of the domain that is nearest to n.
func (d Domain) Clamp(n float64) float64 { return max(d.Least, min(d.Most, n)) }
