package embed

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// LoadModel2Vec reads the model in a folder: model.safetensors, tokenizer.json and
// config.json side by side, as model2vec writes them, or as
// sentence-transformers does, where modules.json names the folder of the first
// two (0_StaticEmbedding without it).
//
// The error says which file is missing, damaged or of a kind that is not
// supported, and what about it. A damaged file never panics.
func LoadModel2Vec(dir string) (*Model2Vec, error) {
	l, err := findLayout(dir)
	if err != nil {
		return nil, err
	}
	data, err := readFile(l.tokenizer, maxTokenizer)
	if err != nil {
		return nil, err
	}
	m := &Model2Vec{dir: dir, path: l.weights, normalize: l.normalize}
	if m.tokenizer, err = parseTokenizer(data); err != nil {
		return nil, fmt.Errorf("%s: %w", l.tokenizer, err)
	}
	m.sum = crc32.Checksum(data, castagnoli())
	f, size, err := open(l.weights)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := m.readWeights(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", l.weights, err)
	}
	return m, nil
}

// castagnoli returns the table of the checksum that processors compute by
// themselves: a model of hundreds of megabytes is summed in the time it takes to
// read it. The library makes it once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// readWeights reads the tensors of a model and checks that every token has a
// row. The matrix stays as the file holds it, and is the only large allocation.
func (m *Model2Vec) readWeights(f *os.File, size int64) error {
	tensors, err := parseHeader(f, size)
	if err != nil {
		return err
	}
	name := "embeddings"
	matrix, ok := tensors[name]
	if !ok {
		name = "embedding.weight"
		if matrix, ok = tensors[name]; !ok {
			return errors.New("no tensor embeddings or embedding.weight")
		}
	}
	add := adders[matrix.dtype]
	switch {
	case add == nil:
		return fmt.Errorf("tensor %q: type %s; F32, F16, BF16, F64 and I8 are supported", name, matrix.dtype)
	case len(matrix.shape) != 2 || matrix.shape[0] == 0 || matrix.shape[1] == 0:
		return fmt.Errorf("tensor %q: shape %v; a matrix of rows and columns is wanted", name, matrix.shape)
	case matrix.shape[0] > math.MaxInt32 || matrix.shape[1] > math.MaxInt32:
		return fmt.Errorf("tensor %q: shape %v is too large", name, matrix.shape)
	}
	tokens := matrix.shape[0] // how many token numbers have a row
	if t, ok := tensors["mapping"]; ok {
		if m.mapping, err = m.readMapping(f, t, int64(matrix.shape[0])); err != nil {
			return fmt.Errorf("tensor %q: %w", "mapping", err)
		}
		tokens = uint64(len(m.mapping))
	}
	if uint64(m.tokenizer.top) >= tokens {
		return fmt.Errorf("%d tokens have a row, and the tokenizer numbers them up to %d", tokens, m.tokenizer.top)
	}
	if t, ok := tensors["weights"]; ok {
		if m.weights, err = m.readFactors(f, t); err != nil {
			return fmt.Errorf("tensor %q: %w", "weights", err)
		}
	}
	m.rows = rows{add: add, columns: int(matrix.shape[1])}
	m.rows.width = m.rows.columns * int(elementSize[matrix.dtype])
	if m.rows.data, err = m.read(f, matrix); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	return nil
}

// readMapping reads the row of each token.
func (m *Model2Vec) readMapping(f *os.File, t tensor, rows int64) ([]int32, error) {
	if len(t.shape) != 1 {
		return nil, fmt.Errorf("shape %v; a list is wanted", t.shape)
	}
	data, err := m.read(f, t)
	if err != nil {
		return nil, err
	}
	numbers, ok := decodeIntegers(t.dtype, data)
	if !ok {
		return nil, fmt.Errorf("type %s; I32 and I64 are supported", t.dtype)
	}
	mapping := make([]int32, len(numbers))
	for i, n := range numbers {
		if n < 0 || n >= rows {
			return nil, fmt.Errorf("token %d has row %d of %d", i, n, rows)
		}
		mapping[i] = int32(n)
	}
	return mapping, nil
}

// readFactors reads the weight of each token, a list or a matrix of one column.
func (m *Model2Vec) readFactors(f *os.File, t tensor) ([]float32, error) {
	if len(t.shape) != 1 && (len(t.shape) != 2 || t.shape[1] != 1) {
		return nil, fmt.Errorf("shape %v; a list is wanted", t.shape)
	}
	if t.shape[0] <= uint64(m.tokenizer.top) {
		return nil, fmt.Errorf("%d weights, and the tokenizer numbers tokens up to %d", t.shape[0], m.tokenizer.top)
	}
	data, err := m.read(f, t)
	if err != nil {
		return nil, err
	}
	factors, ok := decodeFloats(t.dtype, data)
	if !ok {
		return nil, fmt.Errorf("type %s; F64, F32, F16 and BF16 are supported", t.dtype)
	}
	for i, x := range factors {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("the weight of token %d is not a number", i)
		}
	}
	return factors, nil
}

// read returns the bytes of a tensor and adds them, and its type and shape, to
// the model's checksum.
func (m *Model2Vec) read(f *os.File, t tensor) ([]byte, error) {
	m.sum = crc32.Update(m.sum, castagnoli(), fmt.Appendf(nil, "%s %d\n", t.dtype, t.shape))
	data := make([]byte, t.size) // parseHeader saw that the file is that long
	if _, err := f.Seek(t.offset, io.SeekStart); err != nil {
		return nil, err
	}
	const piece = 1 << 20 // small enough to be summed while it is in the cache
	for rest := data; len(rest) > 0; {
		part := rest[:min(piece, len(rest))]
		if _, err := io.ReadFull(f, part); err != nil {
			return nil, err
		}
		m.sum = crc32.Update(m.sum, castagnoli(), part)
		rest = rest[len(part):]
	}
	return data, nil
}
