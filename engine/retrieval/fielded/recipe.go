package fielded

import (
	"fmt"
	"math"
)

// Field is one of the texts of a tool's definition.
type Field uint8

const (
	Name           Field = iota
	Toolset              // the name of the toolset
	Description          // the description of the tool
	ParameterNames       // the names of all parameters, nested ones too
	ParameterTexts       // descriptions of parameters, and the values they may have
	ToolsetText          // title and description of the toolset
	OtherForms           // other forms of the words in all fields: macos for macOS, oauth for oauth2; they add nothing to the length
	Translations         // English words for the Chinese terms in all fields (retrieval.Lexicon); they add nothing to the length
	fields
)

// String returns the field as it is shown to people.
func (f Field) String() string {
	return [...]string{"name", "toolset", "description", "parameter names", "parameter texts", "toolset text", "other forms", "translations"}[f]
}

// Recipe has all weights and constants of the ranker.
type Recipe struct {
	Fields [fields]float64 // the weight of a word in each field
	K1     float64         // how fast repeats of a word stop adding to the score: lower is faster
	B      float64         // how much the length of a tool lowers its scores, 0 to 1

	BackgroundTools float64 // the number of tools of other servers that idf counts beside the catalog
	RequestWord     float64 // the weight of a word that requests are phrased with; others weigh 1
	GenericVerb     float64 // the most that a generic verb adds, as a share of what the words of content add
	Uncut           float64 // the weight of the whole of a word that is cut, when a tool has it, 0 to 1; each piece weighs 1 - Uncut

	// The weights of expansions, as shares of the weight of the word.
	Synonym       float64
	Domain        float64 // a word of the same domain
	Unknown       float64 // factor on the two above when no tool has the word
	Spelling      float64 // a term that is spelled like a word that no tool has, times the likeness
	LeastLikeness float64 // the least likeness of such a term
	MostAlike     int     // the most such terms
	Translation   float64 // an English word for a Chinese term
	Compound      float64 // each of the two terms that a word is made of
	MostExpanded  float64 // the most that all expansions to one term weigh

	Candidates int // the number of tools that are scored in full

	// The weights of the components. BM25F's is 1.
	DescriptionCoverage float64
	NameCoverage        float64
	Sentence            float64
	Letters             float64
	ToolsetLetters      float64 // how much a trigram of the toolset's name counts beside one of the tool's
	Pairs               float64
	Arguments           float64
	ServerSupport       float64

	// What a tool gains because the query has its name.
	ExactName    float64 // the name is written in the query
	NameWords    float64 // the content words of the query are the words of the name, and no others
	NearName     float64 // the name is written in the query with a typo or two, times the likeness
	OriginalName float64 // the name on the server is written in the query
	NameWithin   float64 // the words of the name are in the query, among other words
	ServerWord   float64 // what a word of the toolset adds to these, but not to ExactName, as a share

	CoveredAbove float64 // the largest share of a score that better ranks can take when the query has several sentences, 0 to 0.5
	Covering     int     // the number of ranks whose terms count as covered
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
		Translations:   0.5,
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
	Translation:   0.5,
	Compound:      0.5,
	MostExpanded:  0.8,

	Candidates: 128,

	DescriptionCoverage: 0.6,
	NameCoverage:        0.1,
	Sentence:            0.4,
	Letters:             0.1,
	ToolsetLetters:      0.5,
	Pairs:               0.1,
	Arguments:           0.1,
	ServerSupport:       0.1,

	ExactName:    10,
	NameWords:    5,
	NearName:     5,
	OriginalName: 6,
	NameWithin:   0.5,
	ServerWord:   0.75,

	CoveredAbove: 0.2,
	Covering:     10,
}

// check returns an error when scores would not be finite, or the order of tools
// would not be total.
func (r *Recipe) check() error {
	weights := []float64{
		r.BackgroundTools, r.RequestWord, r.Synonym, r.Domain, r.Unknown, r.Spelling, r.Translation, r.Compound, r.MostExpanded,
		r.DescriptionCoverage, r.NameCoverage, r.Sentence, r.Letters, r.ToolsetLetters, r.Pairs, r.Arguments, r.ServerSupport,
		r.ExactName, r.NameWords, r.NearName, r.OriginalName, r.NameWithin, r.ServerWord, r.GenericVerb,
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

// saturation returns the BM25 saturation of a weighted term frequency, 0 to k1+1.
func (r *Recipe) saturation(frequency, norm float64) float64 {
	v := frequency / norm
	return v * (r.K1 + 1) / (r.K1 + v)
}

// idf returns the inverse document frequency of a term that df of the n tools of
// the catalog have. background is the share of the tools of other servers that
// have it.
func (r *Recipe) idf(df, n int, background float64) float64 {
	all := float64(n) + r.BackgroundTools
	having := float64(df) + float64(r.BackgroundTools*background)
	return math.Log(1 + max(0, all-having+0.5)/(having+0.5))
}
