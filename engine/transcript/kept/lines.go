package kept

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"caliper/engine/transcript/lines"
)

// Lines are what a reader made of the lines of a log.
type Lines struct {
	// Data has a value for each line that is not blank.
	Data []byte
	// Whole is how many bytes of Data are of lines that ended. Behind them is
	// what a last line without an end was read as.
	Whole int
	// Number counts the lines that ended, and Offset is where the last one does.
	Number int
	Offset int64
	// Recent are keys of the last lines that ended, where a Reader asks for them.
	Recent []uint64

	over bool // it is more than the index takes: nothing is kept
}

// Fits reports whether the index takes what is kept. A log of which it is too much is read
// anew each time.
func (k *Lines) Fits() bool { return !k.over }

// Reader reads a log whose lines can be taken one after the other, and what is
// kept of it. L is what is made of a line; what is not in it cannot be kept.
type Reader[L any] struct {
	// Parse makes of a line what Take takes; it returns false for what is no
	// JSON object. What it returns must not depend on the lines before.
	Parse func(data []byte) (L, bool)
	// Take takes a line, and returns what it is when it is left out. It must not keep l,
	// which is another line afterwards.
	Take func(l *L) (what string)
	// Once reports whether a line that is there again, byte for byte, is the same one:
	// where it has a time or an id that no other line can have. Writers that were
	// interrupted write their last lines again. Nil: it is another one.
	Once func(l *L) bool
	// Skip counts a line that is left out.
	Skip func(number int, what string)
	// Encode and Decode write and read a line.
	Encode func(*Encoder, *L)
	Decode func(*Decoder) L
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
}

// Read takes the lines of k and then those of in, which begins at k.Offset; nil
// when k has the whole log. It adds to k what it reads. Where k is nil nothing is
// kept, and in begins at the first line. The error is ctx's or the stream's, or
// says that k is damaged: what was taken is then to be thrown away.
func (r Reader[L]) Read(ctx context.Context, in io.Reader, k *Lines) error {
	if k == nil {
		return r.read(ctx, in, nil, nil)
	}
	if in != nil {
		k.Data = k.Data[:k.Whole:k.Whole]
	}
	d := NewDecoder(k.Data)
	number := 0
	for d.More() {
		n := d.Uint()
		number += int(n >> 1)
		if n&1 != 0 {
			if what := d.Text(); d.err == nil {
				r.Skip(number, what)
			}
			continue
		}
		if l := r.Decode(d); d.err == nil {
			r.take(number, &l)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if d.err != nil || in == nil {
		return d.err
	}
	e := encoders.Get().(*Encoder)
	defer func() {
		if cap(e.Data) <= mostPooled {
			encoders.Put(e)
		}
	}()
	d.resume(e, k.Data)
	err := r.read(ctx, in, k, &writer{Encoder: e, last: number})
	if k.over {
		*k = Lines{over: true}
	} else {
		k.Data = bytes.Clone(e.Data)
	}
	return err
}

// mostPooled is how many bytes an encoder may have written that is used again.
const mostPooled = 1 << 20

// encoders are used again, since a folder may have thousands of short logs.
var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// writer is an encoder of lines, which knows the number of the last one.
type writer struct {
	*Encoder
	last int
}

// line begins a line: the lines since the last one, and whether it is left out
// before anything is made of it.
func (w *writer) line(number int, skipped uint64) {
	w.Uint(uint64(number-w.last)<<1 | skipped)
	w.last = number
}

// take takes a line.
func (r Reader[L]) take(number int, l *L) {
	if what := r.Take(l); what != "" {
		r.Skip(number, what)
	}
}

// read reads the lines of a stream and writes to w what is made of them.
func (r Reader[L]) read(ctx context.Context, in io.Reader, k *Lines, w *writer) error {
	skip := func(number int, what string) {
		if w != nil {
			w.line(number, 1)
			w.Text(what)
		}
		r.Skip(number, what)
	}
	var last recent
	if k != nil {
		last = slices.Clone(k.Recent)
	}
	var l L // one for all lines: it is larger than all else that most lines allocate
	reader := lines.Reader{
		Line: func(number int, data []byte) error {
			var ok bool
			if l, ok = r.Parse(data); !ok {
				skip(number, "not JSON")
				return nil
			}
			if r.Once != nil && last.has(data) && r.Once(&l) {
				skip(number, "repeated")
				return nil
			}
			if w != nil {
				w.line(number, 0)
				r.Encode(w.Encoder, &l)
				if len(w.Data) > shardSize-recordHead {
					*w.Encoder = Encoder{} // the memory would grow with the log for nothing
					k.over, w = true, nil
				}
			}
			r.take(number, &l)
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int, _ int64) { skip(number, "torn") },
		Progress: r.Progress,
	}
	if k != nil {
		reader.Number, reader.Offset = k.Number, k.Offset
		reader.Ended = func(number int, offset int64) {
			if w != nil {
				k.Number, k.Offset, k.Whole, k.Recent = number, offset, len(w.Data), slices.Clone(last)
			}
		}
	}
	return reader.Read(ctx, in)
}

// window is how many lines a line may be behind the one that it repeats.
const window = 16

// recent are keys of the last lines.
type recent []uint64

// has reports whether one of the last lines is this one, and takes it as the last. Two
// lines have one key if their length and their CRC-32C are the same.
func (r *recent) has(line []byte) bool {
	key := sum(line)
	if slices.Contains(*r, key) {
		return true
	}
	if len(*r) == window {
		*r = (*r)[:copy(*r, (*r)[1:])]
	}
	*r = append(*r, key)
	return false
}

// sum returns the length and the CRC-32C of a text.
func sum(text []byte) uint64 {
	return uint64(len(text))<<32 | uint64(crc32.Checksum(text, castagnoli()))
}

// Sum returns what tells a long text from others that nobody made to look like it: its
// length and its CRC-32C. It takes a tenth of the time of a Digest.
func Sum(text []byte) []byte { return binary.BigEndian.AppendUint64(nil, sum(text)) }

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })
