package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"caliper/model/newfile"
)

// The index file, all numbers little endian:
//
//	 0  8 bytes  "calipvec"
//	 8  uint32   format, 1
//	12  uint32   dimension of the vectors, at least 1
//	16  uint32   count of vectors
//	20  uint32   length of the origin in bytes
//	24  origin   provider, model, both prefixes and the template's name, each
//	             behind its length as uint32
//	    count * 32 bytes         digests of the tools
//	    count * dimension * 4    vectors, float32, of unit length or zero
//	    32 bytes                 SHA-256 of everything before it
//
// Its length follows from the header, to the byte. Every later format begins with
// the same 12 bytes and ends with such a checksum, so that a file of a later
// program can be told from a damaged one, and is left alone.
const (
	magic         = "calipvec"
	formatVersion = 1
	headerSize    = 24
)

// Bounds of what a file may claim. The widest embedding models of 2026 have
// some 8,192 dimensions.
const (
	maxDimension = 1 << 15
	maxCount     = 1 << 20
	maxOrigin    = 1 << 16
	maxFile      = 1 << 30
)

// table is the content of an index file: values holds the vector of
// digests[i] at i*dimension.
type table struct {
	dimension int
	digests   []digest
	values    []float32
}

// row returns vector i.
func (t *table) row(i int) []float32 {
	return t.values[i*t.dimension : (i+1)*t.dimension]
}

// encode returns the file of t, whose vectors come from origin.
func encode(t *table, origin []byte) []byte {
	b := make([]byte, 0, headerSize+len(origin)+len(t.digests)*sha256.Size+len(t.values)*4+sha256.Size)
	b = append(b, magic...)
	for _, n := range []int{formatVersion, t.dimension, len(t.digests), len(origin)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, origin...)
	for _, d := range t.digests {
		b = append(b, d[:]...)
	}
	for _, x := range t.values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// errLater is the error that a file is a good one of another format.
var errLater = errors.New("left alone")

var errForeign = errors.New("made by another model, prefix, template or dimension")

// decode returns the content of a file whose vectors come from origin and
// have the dimension; dimension 0 takes any. The error tells the fault of
// the file, and is errForeign when it is a good one of something else. Nothing
// is allocated before the length of data was found to be what the header says.
func decode(data, want []byte, dimension int) (*table, error) {
	if len(data) < headerSize+sha256.Size || string(data[:len(magic)]) != magic {
		return nil, errors.New("not an index of vectors")
	}
	number := func(at int) int { return int(min(binary.LittleEndian.Uint32(data[at:]), math.MaxInt32)) }
	content, trailer := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	sum := sha256.Sum256(content)
	sound := bytes.Equal(sum[:], trailer)
	if v := number(8); v != formatVersion {
		err := fmt.Errorf("format %d, not %d", v, formatVersion)
		if sound {
			err = fmt.Errorf("%w, and %w", err, errLater)
		}
		return nil, err
	}
	t := &table{dimension: number(12)}
	count, length := number(16), number(20)
	if t.dimension < 1 || t.dimension > maxDimension || count > maxCount || length > maxOrigin {
		return nil, errors.New("damaged: header out of bounds")
	}
	body := headerSize + length
	if size := int64(body) + int64(count)*(sha256.Size+4*int64(t.dimension)) + sha256.Size; size != int64(len(data)) {
		return nil, fmt.Errorf("damaged: %d bytes, not %d", len(data), size)
	}
	if !sound {
		return nil, errors.New("damaged: checksum does not match")
	}
	if !bytes.Equal(data[headerSize:body], want) || dimension != 0 && dimension != t.dimension {
		return nil, errForeign
	}
	t.digests = make([]digest, count)
	for i := range t.digests {
		body += copy(t.digests[i][:], data[body:])
	}
	t.values = make([]float32, count*t.dimension)
	for i := range t.values {
		x := math.Float32frombits(binary.LittleEndian.Uint32(data[body+4*i:]))
		if !(x >= -maxComponent && x <= maxComponent) { // false for NaN too
			return nil, errors.New("damaged: a number that is not finite")
		}
		t.values[i] = x
	}
	return t, nil
}

// maxComponent is 1 and what rounding may add.
const maxComponent = 1.001

// load returns the content of the index file at path. The file must be a regular one of at most
// maxFile bytes. The error is fs.ErrNotExist when there is no file.
func load(path string, origin []byte, dimension int) (*table, error) {
	// SECURITY: looked at before it is opened, since opening a pipe waits for a
	// writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: %d bytes, more than %d", path, info.Size(), maxFile)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t, err := decode(data, origin, dimension)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// save writes the index file atomically: a reader of path finds the old bytes or
// all the new ones, at any moment and after a crash. When several processes write,
// the last one wins. save creates a missing folder. Only the user may read
// the file and the folder, because descriptions of tools can be confidential and
// vectors reveal some of them.
func save(path string, data []byte) error {
	if len(data) > maxFile {
		return fmt.Errorf("%s: %d bytes, more than %d", path, len(data), maxFile)
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// The folder is not synced: a crash of the machine may bring the old index
	// back, which is a sound one.
	return newfile.Write(path, data, 0o600)
}
