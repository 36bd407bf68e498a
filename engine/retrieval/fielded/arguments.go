package fielded

import (
	"math/bits"
	"sync"

	"caliper/model/words"
)

// A query that gives a path wants a tool that takes one. So a candidate gains for the
// kinds of values that the query gives (values.go) and a parameter of the tool takes.
//
// Numbers are no kind of value here: three requests of five have one, and most tools take
// one.

// kindsOfParameters has the words of parameter names that say which kind of value the
// parameter takes.
var kindsOfParameters = kindsOf([valueKinds]string{
	urlValue:     "url urls uri uris link links href website webpage",
	addressValue: "email emails mail recipient recipients cc bcc",
	pathValue:    "path paths file files filename filenames filepath filepaths folder folders dir directory directories",
	dateValue:    "date dates datetime day days month year since until deadline birthday birthdate timestamp",
})

// kindsOfFormats has the values of the JSON Schema keyword "format" that do (JSON Schema
// Validation, draft 2020-12, section 7.3, and names for paths that are in use).
var kindsOfFormats = kindsOf([valueKinds]string{
	urlValue:     "uri uri-reference iri iri-reference url",
	addressValue: "email idn-email",
	pathValue:    "path file-path directory-path",
	dateValue:    "date date-time",
})

// kindsOfWords has the words of a query that are values. Those with another meaning, such
// as may, are left out.
var kindsOfWords = kindsOf([valueKinds]string{
	dateValue: "january february april june july august september october november december today tomorrow yesterday",
})

// kindsOf returns the kinds of each word of some lists, which are made at their first use.
func kindsOf(lists [valueKinds]string) func() map[string]kindSet {
	return sync.OnceValue(func() map[string]kindSet {
		kinds := map[string]kindSet{}
		for k, list := range lists {
			for word := range words.Set(list) {
				kinds[word] |= 1 << k
			}
		}
		return kinds
	})
}

// kindSet is a set of kinds of values.
type kindSet uint8

func (s kindSet) count() int { return bits.OnesCount8(uint8(s)) }

// String returns the kinds in words.
func (s kindSet) String() string {
	var kinds []string
	for k := range valueKinds {
		if s>>k&1 != 0 {
			kinds = append(kinds, k.String())
		}
	}
	return words.And(kinds)
}
