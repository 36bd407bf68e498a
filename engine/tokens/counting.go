package tokens

// Counting tells how far the tokens of a method can be trusted: whether they are an estimate, and
// where the form that is counted, or the vocabulary, is known from.
type Counting struct {
	// Estimate: a provider may bill another number.
	Estimate bool `json:"estimate"`
	// Counted is the counted text: CountedJSON, a definition as it is written, or
	// CountedPrompt, the text that a provider makes of it.
	Counted string `json:"counted"`
	Source  string `json:"source"` // of the rule, the vocabulary or the form
	Date    string `json:"date"`   // of the source, as 2025-08
}

// The counted texts.
const (
	CountedJSON   = "json"
	CountedPrompt = "prompt"
)

// Counting returns what the tokens of m are worth. The exact methods are exact for the JSON:
// what a provider bills for tools is an estimate with each of them.
func (m Method) Counting() Counting {
	c := Counting{Estimate: true, Counted: CountedJSON}
	switch m {
	case O200k, Cl100k:
		c.Estimate, c.Source, c.Date = false, "tiktoken, vocabulary "+string(m), "2024-05"
		if m == Cl100k {
			c.Date = "2022-12"
		}
	case RenderedOpenAI:
		c.Counted, c.Source, c.Date = CountedPrompt, "openai/harmony, the form of the open models; vocabulary o200k_base", "2025-08"
	case RenderedAnthropic:
		c.Counted, c.Source, c.Date = CountedPrompt, "docs.claude.com, models of generation 4; four characters a token", "2025-09"
	default:
		c.Source, c.Date = "the reference agent, four characters a token", "2026-06"
	}
	return c
}
