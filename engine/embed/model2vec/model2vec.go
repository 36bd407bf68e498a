// Package model2vec embeds texts with a static model from a local folder: a
// table with one vector for each token, of which a text's vector is the mean.
//
// It reads the folders that model2vec and sentence-transformers write
// (safetensors in F32, F16, BF16, F64 or I8, with or without weights and a
// mapping) and tokenizes with WordPiece as BERT does. Source of the layout and
// of the computation: github.com/MinishLab/model2vec.
//
// Goals: the vectors that model2vec gives; a model of hundreds of megabytes
// held once, in the type it is stored in; no network; an error that names the
// file and what is wrong with it, whatever its bytes.
//
// Non-goals: other tokenizers (Unigram, BPE, WordLevel), which are refused;
// neural models; training. model2vec also cuts a text at 512 times the median
// length of its tokens, in characters, before it tokenizes; here only the limit
// of tokens holds, which gives the same vector for any text shorter than that.
package model2vec

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"caliper/engine/embed"
)

// maxTokens is how many known tokens of a text count, from its start.
const maxTokens = 512

// Model is a static embedding model. It is immutable, and so safe for
// concurrent use.
type Model struct {
	dir       string
	path      string // of the file of tensors
	tokenizer *tokenizer
	rows      rows
	mapping   []int32   // token: row; nil when they are the same
	weights   []float32 // token: factor; nil when all are 1
	normalize bool
	sum       uint32 // of everything the vectors depend on
}

var _ embed.Embedder = (*Model)(nil)

// Identity returns the provider "model2vec" and as Model the folder that was
// loaded, an @ and a checksum of the model's content in eight hex digits, so
// that vectors of a model that was replaced in its folder are not taken for
// those of the new one.
func (m *Model) Identity() embed.Identity {
	return embed.Identity{
		Provider:  "model2vec",
		Model:     fmt.Sprintf("%s@%08x", filepath.Clean(m.dir), m.sum),
		Dimension: m.rows.columns,
	}
}

// Documents returns the vector of each text, in the order of texts, of unit
// length or zero where no token of a text is known. It fails when ctx ends, or
// when a value of the model that a text needs is not a number.
func (m *Model) Documents(ctx context.Context, texts []string) ([][]float32, error) {
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
func (m *Model) Query(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.vector(text, true)
}

// Encode returns the vector that model2vec gives a text: the mean of its
// tokens' rows, and of unit length only where the model's configuration asks
// for it (normalize in config.json, or a Normalize in modules.json).
func (m *Model) Encode(text string) ([]float32, error) {
	return m.vector(text, m.normalize)
}

// vector returns the mean of the rows of a text's tokens, each times its
// token's weight; zero when there is none.
func (m *Model) vector(text string, unit bool) ([]float32, error) {
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
// great or too small for a float64, and returns the Euclidean norm of what is
// left: 0 when all numbers are 0, NaN when one is not finite.
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
