package meaning

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"caliper/engine/retrieval"
)

// LoadTable returns the table in the binary. The first call unpacks it, in some 10 milliseconds;
// each later one returns the same table. It fails only if the table was damaged.
var LoadTable = sync.OnceValues(readPacked)

func readPacked() (*Table, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	data, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("table of words: %w", err)
	}
	return parse(data)
}

// packed is the table as the script in make writes it, compressed by zstd:
//
//	"caliper words 2\n"
//	uint32   rows, dimension             little-endian; the dimension is even
//	byte     weight of each row, in steps of 1/255, at least 1
//	int4     rows, two numbers a byte, the first in the lower half
//	         the stems, sorted by bytes, each with a line feed after it
//
// A stem that differs from the most common word with it has that word behind it: a tab,
// a digit that says how many bytes to cut from the stem, and what follows them.
//
//go:embed table.bin.zst
var packed []byte

const magic = "caliper words 2\n"

// header is the length of what comes before the first weight.
const header = len(magic) + 2*4

// Table has vectors of words.
type Table struct {
	stems     []string // sorted
	words     []string // the most common one with each stem
	weights   string   // of each row, in one byte
	planes    []uint64 // of the rows, see appendPlanes
	squares   []int32  // the product of each row with itself
	dimension int
}

// parse returns the table that data holds.
func parse(data []byte) (*Table, error) {
	if len(data) < header || string(data[:len(magic)]) != magic {
		return nil, errors.New("table of words: not one of this version")
	}
	rows := int(binary.LittleEndian.Uint32(data[len(magic):]))
	dimension := int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	rest := data[header:]
	if rows > len(rest) || dimension < 2 || dimension > 1<<10 || dimension%2 != 0 || rows*(1+dimension/2) > len(rest) {
		return nil, fmt.Errorf("table of words: %d rows of %d numbers do not fit into %d bytes", rows, dimension, len(data))
	}
	t := &Table{dimension: dimension, stems: make([]string, 0, rows), words: make([]string, 0, rows)}
	t.weights, rest = string(rest[:rows]), rest[rows:]
	width := (dimension + 63) / 64 * 4 // of a row in planes
	t.planes, t.squares = make([]uint64, 0, rows*width), make([]int32, rows)
	var vectors sync.WaitGroup // beside the stems
	defer vectors.Wait()
	numbers := rest
	vectors.Go(func() {
		for i := range t.squares {
			t.planes = appendPlanes(t.planes, numbers[i*dimension/2:][:dimension/2])
			own := t.planes[i*width:]
			t.squares[i] = dot(own, own)
		}
	})
	for line := range strings.Lines(string(rest[rows*dimension/2:])) {
		line, _ = strings.CutSuffix(line, "\n")
		stem, how, other := strings.Cut(line, "\t")
		word := stem
		if other {
			if how == "" || how[0] < '0' || int(how[0]-'0') > min(9, len(stem)) {
				return nil, fmt.Errorf("table of words: %q says nothing about its word", line)
			}
			word = stem[:len(stem)-int(how[0]-'0')] + how[1:]
		}
		if n := len(t.stems); n > 0 && stem <= t.stems[n-1] {
			return nil, fmt.Errorf("table of words: %q comes after %q", stem, t.stems[n-1])
		}
		t.stems, t.words = append(t.stems, stem), append(t.words, word)
	}
	if len(t.stems) != rows {
		return nil, fmt.Errorf("table of words: %d stems, and %d rows", len(t.stems), rows)
	}
	if i := strings.IndexByte(t.weights, 0); i >= 0 {
		return nil, fmt.Errorf("table of words: %q has the weight 0", t.stems[i])
	}
	return t, nil
}

// Words returns the most common word with each stem, by the order of the stems. The list must not be changed.
func (t *Table) Words() []string { return t.words }

// Entry returns the vector and the weight of a stem by its index.
func (t *Table) Entry(i int) (Vector, float64) {
	n := (t.dimension + 63) / 64 * 4
	return Vector{t.planes[i*n : (i+1)*n], t.squares[i]}, float64(t.weights[i]) / 255
}

// Find returns the index of a stem among all, sorted, and whether the table has it.
func (t *Table) Find(stem string) (int, bool) { return slices.BinarySearch(t.stems, stem) }

// Word returns the vector of a word in lower case, and whether the table has its stem.
// The zero Vector is like no word.
func (t *Table) Word(word string) (Vector, bool) {
	i, ok := t.Find(retrieval.Stem(word))
	if !ok {
		return Vector{}, false
	}
	v, _ := t.Entry(i)
	return v, true
}
