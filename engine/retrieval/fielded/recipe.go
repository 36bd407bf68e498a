package fielded

import (
	"fmt"
	"math"
)

// Field is a part of a tool's definition.
type Field uint8

const (
	Name           Field = iota
	Toolset              // name of the toolset
	Description          // of the tool
	ParameterNames       // of all parameters, nested ones too
	ParameterTexts       // descriptions of parameters, and the values they may have
	ToolsetText          // title and description of the toolset
	OtherForms           // of words in any of these: macos for macOS, oauth for oauth2; they add nothing to the length
	fields
)

// String returns the field in words.
func (f Field) String() string {
	return [...]string{"name", "toolset", "description", "parameter names", "parameter texts", "toolset text", "other forms"}[f]
}

// Recipe is every weight and constant of the ranker.
type Recipe struct {
	Fields [fields]float64 // what a word counts in each field
	K1     float64         // how soon repeats stop to count
	B      float64         // how much long tools are held back, 0..1

	BackgroundTools float64 // how many tools at large the catalog's frequencies are joined with
	RequestWord     float64 // weight of a word that only asks; others weigh 1
	GenericVerb     float64 // share of what all content words weigh, that a verb which tools of any kind are named with can weigh
	Uncut           float64 // what a word that is cut weighs uncut, when a tool holds it so; its pieces weigh the rest, 0..1

	Synonym       float64 // what a word brings of its weight: to each synonym,
	Domain        float64 // to each word of a domain,
	Unknown       float64 // both so many times when no tool holds it,
	Spelling      float64 // to which it then brings words spelled like it, times the likeness,
	LeastLikeness float64
	MostAlike     int     // of which so many are taken,
	Compound      float64 // and to the two words it is made of
	MostBrought   float64 // to one word, in all

	Candidates int // tools that are scored in full

	DescriptionCoverage float64 // weights of the components; that of BM25F is 1
	NameCoverage        float64
	Sentence            float64
	Letters             float64
	ToolsetLetters      float64 // what letters of the toolset's name count beside those of the tool's
	Pairs               float64

	ExactName float64 // for a tool whose name is written in the query,
	NameWords float64 // whose name is what the query says, in words,
	NearName  float64 // or whose name is all but written in it
	OwnName   float64 // for a tool whose name on its server is written in the query
	SaidName  float64 // whose name, of either kind, is said within the query, in words
	Server    float64 // what a word of its toolset adds to these, but to ExactName, as a share

	CoveredAbove float64 // share of a score that better ranks can take, when the query has several sentences, 0..0.5
	Covering     int     // so many ranks do
}

// Default is the recipe to use. It was tuned on the development halves of five
// public sets, see the note on retrieval.
var Default = Recipe{
	Fields: [fields]float64{
		Name:           2.5,
		Toolset:        2,
		Description:    1,
		ParameterNames: 0.7,
		ParameterTexts: 0.5,
		ToolsetText:    0.3,
		OtherForms:     1,
	},
	K1: 0.9,
	B:  0.7,

	BackgroundTools: 3000,
	RequestWord:     0.5,
	GenericVerb:     0.75,
	Uncut:           0.5,

	Synonym:       0.25,
	Domain:        0.2,
	Unknown:       2,
	Spelling:      0.6,
	LeastLikeness: 0.6,
	MostAlike:     8,
	Compound:      0.5,
	MostBrought:   0.8,

	Candidates: 128,

	DescriptionCoverage: 0.6,
	NameCoverage:        0.1,
	Sentence:            0.4,
	Letters:             0.1,
	ToolsetLetters:      0.5,
	Pairs:               0.1,

	ExactName: 10,
	NameWords: 5,
	NearName:  5,
	OwnName:   6,
	SaidName:  0.5,
	Server:    0.75,

	CoveredAbove: 0.2,
	Covering:     10,
}

// check reports constants with which the parts of a score would not be
// finite, or an order would not be total.
func (r *Recipe) check() error {
	weights := []float64{
		r.BackgroundTools, r.RequestWord, r.Synonym, r.Domain, r.Unknown, r.Spelling, r.Compound, r.MostBrought,
		r.DescriptionCoverage, r.NameCoverage, r.Sentence, r.Letters, r.ToolsetLetters, r.Pairs,
		r.ExactName, r.NameWords, r.NearName, r.OwnName, r.SaidName, r.Server, r.GenericVerb,
	}
	for _, w := range append(weights, r.Fields[:]...) {
		if !(w >= 0 && w <= 1e6) {
			return fmt.Errorf("fielded: weight %v: want 0 to 1e6", w)
		}
	}
	for f, w := range r.Fields {
		if w < 1e-6 {
			return fmt.Errorf("fielded: weight %v of the %v: want at least 1e-6", w, Field(f))
		}
	}
	switch {
	case !(r.K1 > 0 && r.K1 <= 1000):
		return fmt.Errorf("fielded: k1 = %v: want above 0, up to 1000", r.K1)
	case !(r.B >= 0 && r.B <= 1):
		return fmt.Errorf("fielded: b = %v: want 0 to 1", r.B)
	case !(r.RequestWord > 0):
		return fmt.Errorf("fielded: request words weigh %v: want above 0", r.RequestWord)
	case !(r.Uncut >= 0 && r.Uncut <= 1):
		return fmt.Errorf("fielded: uncut words weigh %v: want 0 to 1", r.Uncut)
	case !(r.LeastLikeness > 0 && r.LeastLikeness <= 1):
		return fmt.Errorf("fielded: least likeness %v: want above 0, up to 1", r.LeastLikeness)
	case !(r.CoveredAbove >= 0 && r.CoveredAbove <= 0.5):
		return fmt.Errorf("fielded: better ranks take %v: want 0 to 0.5", r.CoveredAbove)
	case r.Candidates < 1 || r.MostAlike < 0 || r.Covering < 0:
		return fmt.Errorf("fielded: %d candidates, %d alike, %d covering ranks: want 1, 0, 0 or more", r.Candidates, r.MostAlike, r.Covering)
	}
	return nil
}

// lengthNorm is the 1 - b + b*length/average of a tool. The conversions forbid
// fused operations, which some machines have and which would change the last
// bit.
func (r *Recipe) lengthNorm(length, average float64) float64 {
	return 1 - r.B + float64(r.B*length)/average
}

// saturation is what a weighted term frequency counts in a tool of a length
// norm, 0 to k1+1.
func (r *Recipe) saturation(frequency, norm float64) float64 {
	v := frequency / norm
	return v * (r.K1 + 1) / (r.K1 + v)
}

// impact is the saturation in units of (k1+1)/65535, rounded up.
func (r *Recipe) impact(frequency, norm float64) uint16 {
	v := frequency / norm
	exact := math.MaxUint16 * (v / (r.K1 + v))
	whole := uint16(exact)
	if float64(whole) < exact || whole == 0 {
		whole++
	}
	return whole
}

// idf is the inverse document frequency of a term that stands in df of n tools
// of the catalog and in a share of tools at large.
func (r *Recipe) idf(df, n int, background float64) float64 {
	all := float64(n) + r.BackgroundTools
	held := float64(df) + float64(r.BackgroundTools*background)
	return math.Log(1 + max(0, all-held+0.5)/(held+0.5))
}
