package embed

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"caliper/model"
)

// Embedder turns texts into vectors of one length. It is safe for concurrent
// use.
type Embedder interface {
	// Identity returns where the vectors come from. Its Dimension may be 0 until
	// the first vector was made, and stays the same from then on.
	Identity() Identity

	// Documents returns one vector for each text, in the order of texts, and
	// puts the identity's DocumentPrefix before each. The vectors have unit
	// length, or are all zero for a text that the model knows nothing of. It
	// cuts texts into batches as the model needs.
	Documents(ctx context.Context, texts []string) ([][]float32, error)

	// Query returns the vector of a message, under the same rules, with the
	// QueryPrefix.
	Query(ctx context.Context, text string) ([]float32, error)
}

// Similarity scores how similar tools are to a message, for the semantic ranking
// of a selection. It is safe for concurrent use.
type Similarity interface {
	Identity() Identity

	// Floor returns the score above which a tool counts as similar, given the scores
	// of all tools for the message. A score equal to it does not count. height is how
	// far a score has to stand out where the floor follows from scores; 1 is the score that the
	// best of as many unrelated tools reaches by chance.
	Floor(scores []float64, height float64) float64

	// Scores returns one score for each tool, in the order of tools. A score is
	// never NaN or infinite; a tool that is not indexed has the score 0.
	Scores(ctx context.Context, message string, tools []*model.Tool) ([]float64, error)
}

// Identity names the source of vectors. Vectors of different identities are
// never compared.
type Identity struct {
	Provider       string // builtin, fuzzy, model2vec, ollama or openai
	Model          string // the provider's name of the model; empty when it has one only
	Dimension      int    // numbers in a vector; 0 until known, and for a sparse provider
	QueryPrefix    string // put before a message
	DocumentPrefix string // put before the text of a tool
}

// String returns the identity as the configuration writes it,
// "ollama:nomic-embed-text", or the provider alone when there is no model.
func (i Identity) String() string {
	if i.Model == "" {
		return i.Provider
	}
	return i.Provider + ":" + i.Model
}

// Prefixes returns the texts to put before a message and before a document for the
// model of a name. It knows the text models of Nomic ("search_query: ",
// "search_document: ") and of E5 ("query: ", "passage: "), as their model cards say.
// Both are empty for other models, and for the E5 models tuned to instructions.
func Prefixes(modelName string) (query, document string) {
	name := strings.ToLower(modelName)
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	switch {
	case strings.Contains(name, "nomic-embed-text"):
		return "search_query: ", "search_document: "
	case slices.Contains(parts, "e5") && !slices.Contains(parts, "instruct"):
		return "query: ", "passage: "
	}
	return "", ""
}
