package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// LoadModel2Vec reads the model in a folder: model.safetensors, tokenizer.json and
// config.json side by side, as model2vec writes them, or as
// sentence-transformers does, where modules.json names the folder of the first
// two (0_StaticEmbedding without it).
//
// The error says which file is missing, damaged or of a kind that is not
// supported, and what about it. A damaged file never panics.
func LoadModel2Vec(dir string) (*Model2Vec, error) {
	folder, err := findModel(dir)
	if err != nil {
		return nil, err
	}
	tokenizer := filepath.Join(folder, "tokenizer.json")
	data, err := readFile(tokenizer, maxTokenizer)
	if err != nil {
		return nil, err
	}
	m := &Model2Vec{dir: dir, path: filepath.Join(folder, "model.safetensors")}
	if m.tokenizer, err = parseTokenizer(data); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizer, err)
	}
	m.sum = crc32.Checksum(data, castagnoli)
	f, size, err := open(m.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := m.readWeights(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", m.path, err)
	}
	return m, nil
}

// castagnoli is the table of the checksum that processors compute by themselves: a
// model of hundreds of megabytes is summed in the time it takes to read it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	m.add, m.columns = add, int(matrix.shape[1])
	m.width = m.columns * int(elementSize[matrix.dtype])
	if m.rows, err = m.read(f, matrix); err != nil {
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
	if t.dtype != "I32" && t.dtype != "I64" {
		return nil, fmt.Errorf("type %s; I32 and I64 are supported", t.dtype)
	}
	mapping := make([]int32, t.shape[0])
	for i := range mapping {
		var n int64
		if t.dtype == "I32" {
			n = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		} else {
			n = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
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
	add := adders[t.dtype]
	if add == nil || t.dtype == "I8" {
		return nil, fmt.Errorf("type %s; F64, F32, F16 and BF16 are supported", t.dtype)
	}
	width, factors := int(elementSize[t.dtype]), make([]float32, t.shape[0])
	for i := range factors {
		var x [1]float64
		add(x[:], data[i*width:(i+1)*width], 1)
		factors[i] = float32(x[0])
		if f := float64(factors[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("the weight of token %d is not a number", i)
		}
	}
	return factors, nil
}

// read returns the bytes of a tensor and adds them, and its type and shape, to
// the model's checksum.
func (m *Model2Vec) read(f *os.File, t tensor) ([]byte, error) {
	m.sum = crc32.Update(m.sum, castagnoli, fmt.Appendf(nil, "%s %d\n", t.dtype, t.shape))
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
		m.sum = crc32.Update(m.sum, castagnoli, part)
		rest = rest[len(part):]
	}
	return data, nil
}

// The most that is read of the small files, in bytes.
const (
	maxTokenizer = 256 << 20
	maxConfig    = 1 << 20
)

// nested is the folder of the embedding in a folder that sentence-transformers
// wrote, where modules.json does not say another.
const nested = "0_StaticEmbedding"

// findModel returns the folder of a model's files within dir. A folder of model2vec
// has all files; in one of sentence-transformers, modules.json says in which
// folder the embedding is.
func findModel(dir string) (folder string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", plain(err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s: not a folder", dir)
	}
	folder, listed, err := readModules(filepath.Join(dir, "modules.json"))
	if err != nil {
		return "", err
	}
	if !listed && !exists(filepath.Join(dir, "model.safetensors")) && exists(filepath.Join(dir, nested)) {
		folder = nested
	}
	folder = filepath.Join(dir, folder)
	path := filepath.Join(dir, "config.json")
	data, err := readFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		if !listed && !exists(filepath.Join(dir, "config_sentence_transformers.json")) {
			return "", fmt.Errorf("%s: missing, and so is modules.json: not a static embedding model", path)
		}
		return folder, nil
	}
	if err != nil {
		return "", err
	}
	var config struct {
		Normalize *bool `json:"normalize"` // refused where it is no bool; vectors have unit length anyhow
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return folder, nil
}

// readModules returns the folder of the static embedding, relative to the one of
// the file, and whether there is such a file. A normalizing module may follow; any
// other is an error, since it would change the vectors.
func readModules(path string) (folder string, found bool, err error) {
	data, err := readFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if err := json.Unmarshal(data, &modules); err != nil {
		return "", false, fmt.Errorf("%s: %w", path, err)
	}
	for i, m := range modules {
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case i == 0 && kind == "StaticEmbedding":
			folder, found = filepath.FromSlash(m.Path), true
		case i > 0 && kind == "Normalize":
		default:
			return "", false, fmt.Errorf("%s: module %d is a %s; a static model is a StaticEmbedding, and a Normalize or nothing after it", path, i, kind)
		}
	}
	if !found {
		return "", false, fmt.Errorf("%s: no modules", path)
	}
	// SECURITY: a model's files are inside its folder.
	if folder != "" && !filepath.IsLocal(folder) {
		return "", false, fmt.Errorf("%s: path %q leaves the folder", path, folder)
	}
	return folder, true, nil
}

// readFile returns the bytes of a regular file; more than limit is an error.
func readFile(path string, limit int64) ([]byte, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, fmt.Errorf("%s: %d bytes; at most %d are read", path, size, limit)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// open opens a regular file and returns its size. Anything else, a pipe say,
// could hold up or feed a reader without end.
func open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, plain(err)
	}
	return f, info.Size(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// plain returns an error of the file system without the name of the call, and
// says of a file that is not there that it is missing.
func plain(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", p.Path, errMissing)
	}
	return fmt.Errorf("%s: %w", p.Path, p.Err)
}

// errMissing reads "missing" and is fs.ErrNotExist.
var errMissing error = missing{}

type missing struct{}

func (missing) Error() string        { return "missing" }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }
