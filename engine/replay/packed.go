package replay

import (
	"encoding/binary"
	"iter"
	"math"
	"reflect"
	"time"
)

// packedRows holds sessions in a few bytes each: a log may have hundreds of thousands. A
// session of six strategies takes 1 kB as a Session, and some 150 bytes here. Numbers are varints,
// in pieces of memory that the garbage collector does not look into. Texts and prices are kept once
// for the rows that share them, and have a number in each.
type packedRows struct {
	chunks [][]byte
	starts []uint64 // of each row: the number of its chunk, and its offset in it
	shared sharedValues
}

// chunkSize is how many bytes of rows are in one piece of memory.
const chunkSize = 64 << 10

// add adds a row.
func (p *packedRows) add(row *Session) {
	p.starts = append(p.starts, 0)
	p.set(len(p.starts)-1, row)
}

// set sets a row anew. The bytes that it had stay.
func (p *packedRows) set(i int, row *Session) {
	var room [512]byte
	data := p.shared.pack(room[:0], reflect.ValueOf(row).Elem())
	last := len(p.chunks) - 1
	if last < 0 || len(p.chunks[last])+len(data) > cap(p.chunks[last]) {
		p.chunks = append(p.chunks, make([]byte, 0, max(chunkSize, len(data))))
		last++
	}
	p.starts[i] = uint64(last)<<32 | uint64(len(p.chunks[last]))
	p.chunks[last] = append(p.chunks[last], data...)
}

// at returns a row.
func (p *packedRows) at(i int) (row Session) {
	p.shared.unpack(p.chunks[p.starts[i]>>32][p.starts[i]&math.MaxUint32:], reflect.ValueOf(&row).Elem())
	return row
}

// sharedValues are the values that rows share.
type sharedValues struct {
	texts  numbered[string]
	prices numbered[Price]
}

// numbered are different values with a number each.
type numbered[V comparable] struct {
	list    []V
	numbers map[V]uint64
}

// mostNumbered is how many values are known again. Most texts of a log are there once, and rows that
// share one stand together.
const mostNumbered = 1 << 12

// number returns the number of a value.
func (t *numbered[V]) number(v V) uint64 {
	n, ok := t.numbers[v]
	if !ok {
		if t.numbers == nil || len(t.numbers) == mostNumbered {
			t.numbers = map[V]uint64{}
		}
		n = uint64(len(t.list))
		t.numbers[v], t.list = n, append(t.list, v)
	}
	return n
}

// pack appends a value: its members in their order, for a pointer, a list or a time whether it is
// there and then what it holds.
func (s *sharedValues) pack(data []byte, v reflect.Value) []byte {
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return append(data, 0)
		}
		return binary.AppendVarint(binary.AppendVarint(append(data, 1), x.Unix()), int64(x.Nanosecond()))
	case *Price:
		if x == nil {
			return append(data, 0)
		}
		return binary.AppendUvarint(data, 1+s.prices.number(*x))
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(data, 1)
		}
		return append(data, 0)
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(data, math.Float64bits(v.Float()))
	case reflect.String:
		return binary.AppendUvarint(data, s.texts.number(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			data = s.pack(data, v.Field(i))
		}
		return data
	case reflect.Pointer:
		if v.IsNil() {
			return append(data, 0)
		}
		return s.pack(append(data, 1), v.Elem())
	case reflect.Slice:
		data = binary.AppendUvarint(data, uint64(v.Len()))
		for i := range v.Len() {
			data = s.pack(data, v.Index(i))
		}
		return data
	}
	return binary.AppendVarint(data, v.Int())
}

// unpack sets a value to what pack wrote of one, and returns the bytes behind it. An empty list is nil.
func (s *sharedValues) unpack(data []byte, v reflect.Value) []byte {
	number := func() uint64 {
		n, size := binary.Uvarint(data)
		data = data[size:]
		return n
	}
	signed := func() int64 {
		n, size := binary.Varint(data)
		data = data[size:]
		return n
	}
	switch to := v.Addr().Interface().(type) {
	case *time.Time:
		if number() == 1 {
			*to = time.Unix(signed(), signed()).UTC()
		}
		return data
	case **Price:
		if n := number(); n > 0 {
			*to = &s.prices.list[n-1]
		}
		return data
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(number() == 1)
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(data)))
		return data[8:]
	case reflect.String:
		v.SetString(s.texts.list[number()])
	case reflect.Struct:
		for i := range v.NumField() {
			data = s.unpack(data, v.Field(i))
		}
	case reflect.Pointer:
		if number() == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			return s.unpack(data, v.Elem())
		}
	case reflect.Slice:
		if n := int(number()); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				data = s.unpack(data, v.Index(i))
			}
		}
	default:
		v.SetInt(signed())
	}
	return data
}

// Session returns a session, packed or not.
func (r *Report) Session(i int) Session {
	if r.packed != nil {
		return r.packed.at(i)
	}
	return r.Sessions[i]
}

// Len returns the number of sessions, packed or not.
func (r *Report) Len() int {
	if r.packed != nil {
		return len(r.packed.starts)
	}
	return len(r.Sessions)
}

// Each returns all sessions in their order, packed or not.
func (r *Report) Each() iter.Seq2[int, Session] {
	return func(yield func(int, Session) bool) {
		for i := range r.Len() {
			if !yield(i, r.Session(i)) {
				return
			}
		}
	}
}
