package kept

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"time"

	"caliper/engine/transcript"
)

// ErrDamaged says that an entry is none.
var ErrDamaged = errors.New("an entry of the index is damaged")

// Decoder reads what an Encoder wrote. After a fault every value is zero, Err is
// not nil and More is false.
type Decoder struct {
	data    []byte // what is left
	texts   []string
	seconds int64
	err     error

	definitions [][]byte
}

// NewDecoder returns a decoder of what an Encoder wrote.
func NewDecoder(data []byte) *Decoder { return &Decoder{data: data, texts: []string{""}} }

// More reports whether there is another value.
func (d *Decoder) More() bool { return len(d.data) > 0 && d.err == nil }

// Err returns why the data cannot be read; nil when it can.
func (d *Decoder) Err() error { return d.err }

// fail notes a fault.
func (d *Decoder) fail() { d.err, d.data = ErrDamaged, nil }

// resume makes e an encoder that goes on where d has come to: data is what d has read.
func (d *Decoder) resume(e *Encoder, data []byte) {
	e.reset()
	e.Data, e.seconds, e.next = append(e.Data, data...), d.seconds, oldText+uint64(len(d.texts))
	for i, s := range d.texts {
		e.numbers[s] = oldText + uint64(i)
	}
	for _, definition := range d.definitions {
		e.number(definition)
	}
}

// Uint reads a number.
func (d *Decoder) Uint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[size:]
	return n
}

// Int reads a number that may be negative.
func (d *Decoder) Int() int {
	n, size := binary.Varint(d.data)
	if size <= 0 || n < math.MinInt || n > math.MaxInt {
		d.fail()
		return 0
	}
	d.data = d.data[size:]
	return int(n)
}

// Len reads the length of a list. No value takes less than a byte, so that it is
// never more than what is left.
func (d *Decoder) Len() int {
	n := d.Uint()
	if n > uint64(len(d.data)) {
		d.fail()
		return 0
	}
	return int(n)
}

// bytes reads some bytes.
func (d *Decoder) bytes(n int) []byte {
	if n > len(d.data) {
		d.fail()
		return nil
	}
	read := d.data[:n]
	d.data = d.data[n:]
	return read
}

// Text reads a text.
func (d *Decoder) Text() string {
	var s string
	switch n := d.Uint(); n {
	case freshText:
		s = string(d.bytes(d.Len()))
	case freshUUID:
		s = uuidText(d.bytes(16))
	default:
		if n -= oldText; n >= uint64(len(d.texts)) {
			d.fail()
			return ""
		}
		return d.texts[n]
	}
	if d.err == nil && len(s) <= longText {
		d.texts = append(d.texts, s)
	}
	return s
}

// maxAhead is the longest list that gets its memory before it is read: a damaged length
// may be any.
const maxAhead = 64

// Texts reads a list of texts; nil for an empty one.
func (d *Decoder) Texts() (list []string) {
	n := d.Len()
	if n == 0 {
		return nil
	}
	list = make([]string, 0, min(n, maxAhead))
	for ; n > 0 && d.err == nil; n-- {
		list = append(list, d.Text())
	}
	return list
}

// Time reads a time.
func (d *Decoder) Time() time.Time {
	n := d.Uint()
	if n == 0 {
		return time.Time{}
	}
	nanos := (n - 1) / 2
	if n%2 == 1 {
		nanos *= uint64(time.Millisecond)
	}
	if nanos >= uint64(time.Second) || (n-1)/2 >= uint64(time.Second) {
		d.fail()
		return time.Time{}
	}
	d.seconds += int64(d.Int())
	return time.Unix(d.seconds, int64(nanos)).UTC()
}

// Size reads a size.
func (d *Decoder) Size() (s transcript.Size) {
	set := d.Uint()
	if set >= 1<<(transcript.Classes+1) {
		d.fail()
		return s
	}
	for c := range s.Chars {
		if set&(1<<c) != 0 {
			s.Chars[c] = d.Int()
		}
	}
	if set&(1<<transcript.Classes) != 0 {
		s.Tokens = d.Int()
	}
	return s
}

// Usage reads a usage.
func (d *Decoder) Usage() transcript.Usage {
	var n [4]int
	for i := range n {
		n[i] = d.Int()
	}
	return transcript.Usage{Input: n[0], CacheRead: n[1], CacheWrite: n[2], Output: n[3]}
}

// Call reads a call as it was made.
func (d *Decoder) Call() (c transcript.Call) {
	kind := d.Uint()
	if kind > uint64(transcript.Wrap) {
		d.fail()
		return c
	}
	c.Kind = transcript.CallKind(kind)
	c.ID, c.Tool = d.Text(), d.Text()
	if c.Kind != transcript.Use {
		c.Ask(transcript.Lookup{Queries: d.Texts(), Names: d.Texts()})
	}
	c.Size = d.Size()
	return c
}

// uuidText returns how a UUID is written.
func uuidText(id []byte) string {
	if len(id) != 16 {
		return ""
	}
	var out [36]byte
	hex.Encode(out[:8], id[:4])
	hex.Encode(out[9:13], id[4:6])
	hex.Encode(out[14:18], id[6:8])
	hex.Encode(out[19:23], id[8:10])
	hex.Encode(out[24:], id[10:])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}
