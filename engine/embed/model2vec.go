package embed

import (
	"context"
	"encoding/binary"
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
	// The matrix as its file holds it, little-endian, row by row: a model has up to hundreds of megabytes, and a text
	// touches a few rows.
	rows    []byte
	add     func(sum []float64, row []byte, weight float64)
	width   int // bytes in a row
	columns int
	mapping []int32   // token: row; nil when they are the same
	weights []float32 // token: factor; nil when all are 1
	sum     uint32    // of everything the vectors depend on
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
		Dimension: m.columns,
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

// Query returns the vector of a text as Documents does: the mean of the rows of its
// tokens, each times its token's weight, made of unit length. Whether the model's own
// encoder would do the last is its configuration's affair; a cosine does not ask.
func (m *Model2Vec) Query(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sum := make([]float64, m.columns)
	for _, id := range m.tokenizer.ids(text, maxTokens) {
		row, weight := int(id), 1.0
		if m.mapping != nil {
			row = int(m.mapping[id])
		}
		if m.weights != nil {
			weight = float64(m.weights[id])
		}
		m.add(sum, m.rows[row*m.width:(row+1)*m.width], weight)
	}
	// Divided by the greatest absolute value, so that no square is too great or too small for a float64. Both are
	// NaN if a number is not finite.
	top, squares := 0.0, 0.0
	for _, x := range sum {
		top = max(top, math.Abs(x))
	}
	for i := range sum {
		if top != 0 {
			sum[i] /= top
		}
		squares += sum[i] * sum[i]
	}
	length := math.Sqrt(squares)
	vector := make([]float32, len(sum))
	if length == 0 {
		return vector, nil
	}
	for i, x := range sum {
		x /= length
		if !(math.Abs(x) <= math.MaxFloat32) { // too great, or not a number
			return nil, fmt.Errorf("%s: a row of this text's tokens holds a value that is not finite", m.path)
		}
		vector[i] = float32(x)
	}
	return vector, nil
}

// adders add a row of a type, times weight, to sum. Whole numbers are taken
// as they are: model2vec stores them without the scale they were made with,
// which normalizing makes up for.
var adders = map[string]func(sum []float64, row []byte, weight float64){
	"F32": func(sum []float64, row []byte, weight float64) {
		row = row[:4*len(sum)]
		for i := range sum {
			sum[i] += weight * float64(math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:])))
		}
	},
	"F16": func(sum []float64, row []byte, weight float64) {
		row = row[:2*len(sum)]
		for i := range sum {
			sum[i] += weight * half(binary.LittleEndian.Uint16(row[2*i:]))
		}
	},
	"BF16": func(sum []float64, row []byte, weight float64) {
		row = row[:2*len(sum)]
		for i := range sum {
			sum[i] += weight * float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(row[2*i:]))<<16))
		}
	},
	"F64": func(sum []float64, row []byte, weight float64) {
		row = row[:8*len(sum)]
		for i := range sum {
			sum[i] += weight * math.Float64frombits(binary.LittleEndian.Uint64(row[8*i:]))
		}
	},
	"I8": func(sum []float64, row []byte, weight float64) {
		row = row[:len(sum)]
		for i := range sum {
			sum[i] += weight * float64(int8(row[i]))
		}
	},
}

// half returns the value of a number of 16 bits: one of sign, five of
// exponent, ten of fraction (IEEE 754, binary16). Put in the places of a
// float32, the number is too small by the difference of the exponents' biases,
// 127 - 15, subnormal ones too.
func half(b uint16) float64 {
	bits := uint32(b&0x8000)<<16 | uint32(b&0x7fff)<<13
	if b&0x7c00 == 0x7c00 { // infinite, or not a number
		return float64(math.Float32frombits(bits | 0x7f800000))
	}
	return float64(math.Float32frombits(bits) * 0x1p112)
}
