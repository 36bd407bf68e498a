package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"caliper/engine/retrieval"
	"caliper/model"
)

// The bytes of an index are these lists, each behind its length as uint32, all
// numbers little endian: the words, their letters' ends, the letters, what each
// word tells (from, rowOf, weight), the grams, and what each gram tells (idf, from,
// held, share). A list of texts is the list of their ends and their bytes. The
// last eight bytes are the idf of a gram that no word holds.

// WriteTo writes the index as bytes, from which Read makes it again for the same
// tools. It returns how many it wrote, and the error of w.
func (x *FuzzyIndex) WriteTo(w io.Writer) (n int64, err error) {
	l := listWriter{w: w}
	v := x.words
	l.texts(&v.words)
	writeList(&l, v.ends)
	writeList(&l, v.letters)
	writeList(&l, x.from)
	writeList(&l, x.rowOf)
	writeList(&l, x.weight)
	l.texts(&v.grams)
	writeList(&l, v.idf)
	writeList(&l, v.from)
	writeList(&l, v.held)
	writeList(&l, v.share)
	l.buffer = binary.LittleEndian.AppendUint64(l.buffer, math.Float64bits(v.new))
	l.flush()
	return l.written, l.err
}

// number is the type of the elements of lists.
type number interface {
	uint32 | int32 | float32 | float64 | byte
}

// listWriter writes lists one after another, until writing fails.
type listWriter struct {
	w       io.Writer
	buffer  []byte
	written int64
	err     error
}

// writeAtOnce is how many numbers are written at a time.
const writeAtOnce = 1 << 14

// flush writes the buffer.
func (l *listWriter) flush() {
	if l.err == nil {
		var n int
		n, l.err = l.w.Write(l.buffer)
		l.written += int64(n)
	}
	l.buffer = l.buffer[:0]
}

// length writes the length of a list.
func (l *listWriter) length(n int) {
	l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(n))
}

// writeList writes the length of a list and the list.
func writeList[N number](l *listWriter, list []N) {
	l.length(len(list))
	for len(list) > 0 {
		n := min(len(list), writeAtOnce)
		l.buffer, _ = binary.Append(l.buffer, binary.LittleEndian, list[:n]) // only a type without a size is an error
		list = list[n:]
		l.flush()
	}
}

// texts writes the terms of a dictionary.
func (l *listWriter) texts(d *retrieval.Dictionary) {
	ends, end := make([]uint32, d.Len()), 0
	for i := range ends {
		end += len(d.Term(uint32(i)))
		ends[i] = uint32(end)
	}
	writeList(l, ends)
	l.length(end)
	for i := range ends {
		if l.buffer = append(l.buffer, d.Term(uint32(i))...); len(l.buffer) > writeAtOnce {
			l.flush()
		}
	}
}

// errNoIndex is the error that bytes are no index.
var errNoIndex = errors.New("not the bytes of an index")

// ReadFuzzy returns the index of tools from the bytes that WriteTo wrote for the same
// tools. It does not trust them: an index that it returns can be asked anything.
// The scores equal New's if the bytes are of the same tools, which the
// caller has to know.
func ReadFuzzy(tools []*model.Tool, data []byte) (*FuzzyIndex, error) {
	r := &reader{data: data}
	x := newIndex(tools)
	v := &vocabulary{words: r.texts()}
	x.words = v
	words := v.words.Len()
	v.ends = list[uint32](r)
	v.letters = list[rune](r)
	x.from = list[uint32](r)
	x.rowOf = list[uint32](r)
	x.weight = list[float32](r)
	v.grams = r.texts()
	v.idf = list[float64](r)
	v.from = list[uint32](r)
	v.held = list[uint32](r)
	v.share = list[float32](r)
	if len(r.data) != 8 {
		r.failed = true
	} else {
		v.new = math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	}
	sound := !r.failed &&
		len(v.ends) == words && ascending(v.ends, len(v.letters)) &&
		len(x.from) == words+1 && ascending(x.from, len(x.rowOf)) && len(x.weight) == len(x.rowOf) && below(x.rowOf, len(tools)) &&
		len(v.idf) == v.grams.Len() && len(v.from) == v.grams.Len()+1 && ascending(v.from, len(v.held)) &&
		len(v.share) == len(v.held) && below(v.held, words)
	if !sound {
		return nil, fmt.Errorf("index of %d tools: %w", len(tools), errNoIndex)
	}
	return x, nil
}

// ascending reports whether ends do not fall and the last one is n; without ends n
// must be 0.
func ascending(ends []uint32, n int) bool {
	last := uint32(0)
	for _, end := range ends {
		if end < last {
			return false
		}
		last = end
	}
	return int(last) == n
}

// below reports whether all numbers are below n.
func below(numbers []uint32, n int) bool {
	for _, x := range numbers {
		if int(x) >= n {
			return false
		}
	}
	return true
}

// reader reads lists one after another. Once the data at hand is no list, it has
// failed, and every further list is empty.
type reader struct {
	data   []byte
	failed bool
}

// list reads a list.
func list[N number](r *reader) []N {
	var zero N
	size := binary.Size(zero)
	if r.failed || len(r.data) < 4 {
		r.failed = true
		return nil
	}
	n := int(binary.LittleEndian.Uint32(r.data))
	if n > (len(r.data)-4)/size { // nothing is allocated for a length that is a lie
		r.failed = true
		return nil
	}
	numbers := make([]N, n)
	_, err := binary.Decode(r.data[4:], binary.LittleEndian, numbers)
	r.failed = err != nil
	r.data = r.data[4+n*size:]
	return numbers
}

// texts reads a list of different texts.
func (r *reader) texts() retrieval.Dictionary {
	d := retrieval.NewDictionary()
	ends, text := list[uint32](r), list[byte](r)
	if r.failed || !ascending(ends, len(text)) {
		r.failed = true
		return d
	}
	from := uint32(0)
	for i, end := range ends {
		if d.Intern(text[from:end]) != uint32(i) {
			r.failed = true
			return d
		}
		from = end
	}
	return d
}
