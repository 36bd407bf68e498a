// Package builtin has a table of word vectors in the binary: how near in meaning
// two English words are, without a network, a folder or a key.
//
// Goals: microseconds a word; nothing read or computed before the first use; the
// same numbers on every machine; numbers that can be shown, word by word.
//
// Non-goals: ranking, and texts as a whole, which package retrieval and those below
// it do; other languages, about whose words the table says nothing.
//
// # The table
//
// A row is the vector of one or more whole words, in whole numbers from -127 to 127.
// Package make (a folder of Python) made the rows once from a neural teacher and says which,
// with its licence, the corpus and why the numbers are what they are. The table
// has no stems and no parts of words: "refund", "refunds" and "refunded" are
// three words. A word that it does not have has no meaning here, and adds nothing.
//
// # What it computes
//
// The similarity of two words is the cosine of their rows a and b:
//
//	similarity = a·b / √(a·a · b·b)
//
// The products are sums of whole numbers, so that the result is the same to the last
// bit everywhere. The weight of a word says how much it means by itself, from its
// share p of the words of the corpus (Arora, Liang and Ma, "A Simple but
// Tough-to-Beat Baseline for Sentence Embeddings", 2017):
//
//	weight = 0.001 / (0.001 + p)
//
// It is stored as one of 255 steps: "the" has 0.02, a rare word 1.
//
// # Example
//
// Two rows of three numbers, (127, 0, 64) and (127, 127, 0): a·b = 16129,
// a·a = 20225, b·b = 32258, and the similarity is 16129/√(20225·32258) = 0.631.
//
// Invariants:
//   - a word has a similarity of exactly 1 to itself, and similarity is symmetric;
//   - neighbours are ordered by falling similarity, then by word: a total order;
//   - a weight is above 0 and at most 1;
//   - a Table is immutable, and so safe for concurrent use.
//
// A word is found by binary search; similarity costs one pass over two rows,
// Neighbours one over all rows.
package builtin

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Load returns the table in the binary. The first call finds where its words begin
// and the length of its rows, in a few milliseconds; each later one returns the same table. It fails
// only if the table was damaged.
func Load() (*Table, error) { return load() }

var load = sync.OnceValues(func() (*Table, error) { return parse(stored) })

// stored is the table as package make writes it:
//
//	"caliper words 1\n"
//	uint32   words, rows, dimension     little-endian
//	uint16   row of each word           rows are at most 65,536
//	byte     weight of each word, in steps of 1/255, at least 1
//	int8     rows
//	         the words, sorted by bytes, each with a line feed after it
//
//go:embed table.bin
var stored string

const magic = "caliper words 1\n"

// header is the length of what comes before the row of the first word.
const header = len(magic) + 3*4

// Table has vectors of words.
type Table struct {
	words     []string // sorted
	places    string   // row of each word, in two bytes
	weights   string   // weight of each word, in one byte
	rows      string
	squares   []int32 // a·a of each row
	dimension int
}

// parse returns the table that data holds, which it keeps.
func parse(data string) (*Table, error) {
	if len(data) < header || data[:len(magic)] != magic {
		return nil, errors.New("table of words: not one of this version")
	}
	var sizes [3]int
	for i := range sizes {
		sizes[i] = int(binary.LittleEndian.Uint32([]byte(data[len(magic)+4*i:])))
	}
	words, rows, dimension := sizes[0], sizes[1], sizes[2]
	rest := data[header:]
	if words > len(rest) || rows > 1<<16 || dimension < 1 || dimension > 1<<10 || 3*words+rows*dimension > len(rest) {
		return nil, fmt.Errorf("table of words: %d words and %d rows of %d numbers do not fit into %d bytes", words, rows, dimension, len(data))
	}
	t := &Table{dimension: dimension}
	t.places, rest = rest[:2*words], rest[2*words:]
	t.weights, rest = rest[:words], rest[words:]
	t.rows, rest = rest[:rows*dimension], rest[rows*dimension:]
	t.words = make([]string, 0, words)
	for len(rest) > 0 {
		word, after, _ := strings.Cut(rest, "\n")
		if n := len(t.words); n > 0 && word <= t.words[n-1] {
			return nil, fmt.Errorf("table of words: %q comes after %q", word, t.words[n-1])
		}
		t.words, rest = append(t.words, word), after
	}
	if len(t.words) != words {
		return nil, fmt.Errorf("table of words: %d words, and %d said", len(t.words), words)
	}
	for i := range words {
		if t.place(i) >= rows || t.weights[i] == 0 {
			return nil, fmt.Errorf("table of words: %q has row %d of %d, and the weight %d", t.words[i], t.place(i), rows, t.weights[i])
		}
	}
	t.squares = make([]int32, rows)
	for i := range t.squares {
		row := t.rows[i*dimension : (i+1)*dimension]
		if t.squares[i] = dot(row, row); t.squares[i] == 0 {
			return nil, fmt.Errorf("table of words: row %d is all zero", i)
		}
	}
	return t, nil
}

// place returns the row of the word at i.
func (t *Table) place(i int) int { return int(t.places[2*i]) | int(t.places[2*i+1])<<8 }

// find returns the position of a word, and whether the table has it.
func (t *Table) find(word string) (int, bool) {
	i := sort.SearchStrings(t.words, word)
	return i, i < len(t.words) && t.words[i] == word
}

// Len returns the number of words.
func (t *Table) Len() int { return len(t.words) }

// Dimension returns how many numbers a row has.
func (t *Table) Dimension() int { return t.dimension }

// Word returns the vector of a whole word in lower case, and whether the table has
// one. The zero Vector is like no word.
func (t *Table) Word(word string) (Vector, bool) {
	i, ok := t.find(word)
	if !ok {
		return Vector{}, false
	}
	return t.vector(i), true
}

// vector returns the vector of the word at i.
func (t *Table) vector(i int) Vector {
	at := t.place(i)
	return Vector{row: t.rows[at*t.dimension : (at+1)*t.dimension], square: t.squares[at]}
}

// Weight returns how much a word means by itself, above 0 and at most 1. It is 1
// for a word that the table does not have, since those are rare.
func (t *Table) Weight(word string) float64 {
	i, ok := t.find(word)
	if !ok {
		return 1
	}
	return float64(t.weights[i]) / 255
}

// Similarity returns how near two words are, from -1 to 1, and whether the table has
// both.
func (t *Table) Similarity(a, b string) (float64, bool) {
	v, known := t.Word(a)
	u, also := t.Word(b)
	return v.Similarity(u), known && also
}
