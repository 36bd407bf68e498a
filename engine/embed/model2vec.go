package embed

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
)

// maxTokens is how many known tokens of a text count, from its start.
const maxTokens = 512

// Model2Vec is a static embedding model. It is immutable, and so safe for
// concurrent use.
type Model2Vec struct {
	dir       string
	path      string // of the file of tensors
	tokenizer *tokenizer
	rows      rows
	mapping   []int32   // token: row; nil when they are the same
	weights   []float32 // token: factor; nil when all are 1
	normalize bool
	sum       uint32 // of everything the vectors depend on
}

var _ Embedder = (*Model2Vec)(nil)

// Identity returns the provider "model2vec" and as Model the folder that was
// loaded, an @ and a checksum of the model's content in eight hex digits, so
// that vectors of a model that was replaced in its folder are not taken for
// the new one's.
func (m *Model2Vec) Identity() Identity {
	return Identity{
		Provider:  "model2vec",
		Model:     fmt.Sprintf("%s@%08x", filepath.Clean(m.dir), m.sum),
		Dimension: m.rows.columns,
	}
}

// Documents returns the vector of each text, in the order of texts, of unit
// length or zero where no token of a text is known. It fails when ctx ends, or
// when a value of the model that a text needs is not a number.
func (m *Model2Vec) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := m.Query(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

// Query returns the vector of a text as Documents does.
func (m *Model2Vec) Query(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.vector(text, true)
}

// Encode returns the vector that model2vec gives a text: the mean of its
// tokens' rows, and of unit length only where the model's configuration asks
// for it (normalize in config.json, or a Normalize in modules.json).
func (m *Model2Vec) Encode(text string) ([]float32, error) {
	return m.vector(text, m.normalize)
}

// vector returns the mean of the rows of a text's tokens, each times its
// token's weight; zero when there is none.
func (m *Model2Vec) vector(text string, unit bool) ([]float32, error) {
	sum := make([]float64, m.rows.columns)
	ids := m.tokenizer.ids(text, maxTokens)
	for _, id := range ids {
		row, weight := id, 1.0
		if m.mapping != nil {
			row = m.mapping[id]
		}
		if m.weights != nil {
			weight = float64(m.weights[id])
		}
		m.rows.add(sum, m.rows.row(row), weight)
	}
	divisor := float64(max(1, len(ids)))
	if unit {
		divisor = scale(sum)
	}
	vector := make([]float32, len(sum))
	if divisor == 0 {
		return vector, nil
	}
	for i, x := range sum {
		x /= divisor
		if !(math.Abs(x) <= math.MaxFloat32) { // too great, or not a number
			return nil, fmt.Errorf("%s: a row of this text's tokens holds a value that is not finite", m.path)
		}
		vector[i] = float32(x)
	}
	return vector, nil
}

// scale divides v by its greatest absolute value, so that no square is too
// great or too small for a float64, and returns the Euclidean norm of the
// result: 0 when all numbers are 0, NaN when one is not finite.
func scale(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x)) // NaN if one is
	}
	if top == 0 {
		return 0
	}
	squares := 0.0
	for i := range v {
		v[i] /= top
		squares += v[i] * v[i]
	}
	return math.Sqrt(squares)
}
