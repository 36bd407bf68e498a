package replay

import (
	"encoding/binary"
	"math"
)

// pieces holds values as bytes, in few pieces of memory that the garbage
// collector does not look into.
type pieces struct {
	chunks [][]byte
	starts []uint64 // of each value: the number of its chunk, and its offset in it
}

// chunkSize is how many bytes of values are in one piece of memory.
const chunkSize = 64 << 10

// len returns the number of values.
func (p *pieces) len() int { return len(p.starts) }

// add adds a value.
func (p *pieces) add(data []byte) {
	last := len(p.chunks) - 1
	if last < 0 || len(p.chunks[last])+len(data) > cap(p.chunks[last]) {
		p.chunks = append(p.chunks, make([]byte, 0, max(chunkSize, len(data))))
		last++
	}
	p.starts = append(p.starts, uint64(last)<<32|uint64(len(p.chunks[last])))
	p.chunks[last] = append(p.chunks[last], data...)
}

// at returns a reader of a value.
func (p *pieces) at(i int) unpacker {
	return unpacker{p.chunks[p.starts[i]>>32][p.starts[i]&math.MaxUint32:]}
}

// texts numbers texts that many values have.
type texts struct {
	list    []string
	numbers map[string]uint64
}

// number returns the number of a text.
func (t *texts) number(text string) uint64 {
	n, ok := t.numbers[text]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]uint64{}
		}
		n = uint64(len(t.list))
		t.numbers[text], t.list = n, append(t.list, text)
	}
	return n
}

// bits returns a number with one bit for each fact, the first the lowest, set where it holds.
func bits(facts ...bool) (set uint64) {
	for i, holds := range facts {
		if holds {
			set |= 1 << i
		}
	}
	return set
}

func appendInts(data []byte, list ...int) []byte {
	for _, n := range list {
		data = binary.AppendVarint(data, int64(n))
	}
	return data
}

func appendText(data []byte, text string) []byte {
	return append(binary.AppendVarint(data, int64(len(text))), text...)
}

func appendFloat(data []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
}

// unpacker reads a value.
type unpacker struct{ data []byte }

func (u *unpacker) uint() uint64 {
	n, size := binary.Uvarint(u.data)
	u.data = u.data[size:]
	return n
}

func (u *unpacker) int() int {
	n, size := binary.Varint(u.data)
	u.data = u.data[size:]
	return int(n)
}

func (u *unpacker) bytes(n int) []byte {
	read := u.data[:n]
	u.data = u.data[n:]
	return read
}

func (u *unpacker) text() string { return string(u.bytes(u.int())) }

func (u *unpacker) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(u.bytes(8)))
}
