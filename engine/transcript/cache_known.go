package transcript

import (
	"context"
	"io"
	"slices"
)

// Lines are what a reader made of the lines of a log.
type Lines struct {
	// Facts has a value for each line that is not blank, packed. Count is their number.
	Facts []byte
	Count int
	// Whole is how many of them are of lines that ended. Behind them is
	// what a last line without an end was read as.
	Whole int
	// Number counts the lines that ended, and Offset is where the last one does.
	Number int
	Offset int64
	// Recent are keys of the last lines that ended, where a Reader asks for them.
	Recent []uint64

	over bool // it is more than the cache takes
}

// Fits reports whether the cache takes the kept facts. A log with too many is read
// by each run.
func (k *Lines) Fits() bool { return !k.over }

// LineReader reads a log whose lines can be taken one after the other, and the
// kept facts of it. L is the facts of a line; gob keeps its exported fields.
type LineReader[L any] struct {
	// Parse makes of a line what Take takes; it returns false for anything but a
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
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
}

// Read takes the lines of k and then those of in, which begins at k.Offset; nil
// when k has the whole log. It adds to k what it reads: a log of which too much would be
// kept does not fit. Where k is nil nothing is kept, and in begins at the first line. The
// error is ctx's or the stream's, or that k is damaged: the lines taken are then to be
// thrown away.
func (r LineReader[L]) Read(ctx context.Context, in io.Reader, k *Lines) error {
	if k == nil {
		return r.read(ctx, in, nil, nil)
	}
	var w *writer[L]
	n := k.Count
	if in != nil {
		w, n = newWriter[L](), k.Whole
	}
	err := each(k.Facts, n, func(f *fact[L]) error {
		w.put(f)
		if f.What != "" {
			r.Skip(f.Line, f.What)
		} else {
			r.take(f.Line, &f.Of)
		}
		return ctx.Err()
	})
	if in == nil {
		return err
	}
	if err == nil {
		err = r.read(ctx, in, k, w)
	}
	w.end(k)
	return err
}

// take takes a line.
func (r LineReader[L]) take(number int, l *L) {
	if what := r.Take(l); what != "" {
		r.Skip(number, what)
	}
}

// read reads the lines of a stream and writes their facts to w.
func (r LineReader[L]) read(ctx context.Context, in io.Reader, k *Lines, w *writer[L]) error {
	skip := func(number int, what string) {
		w.put(&fact[L]{Line: number, What: what})
		r.Skip(number, what)
	}
	var last recent
	if k != nil {
		last = slices.Clone(k.Recent)
	}
	var f fact[L] // one for all lines: it is larger than all else that most lines allocate
	reader := Raw{
		Line: func(number int, data []byte) error {
			var ok bool
			f.Line = number
			if f.Of, ok = r.Parse(data); !ok {
				skip(number, "not JSON")
				return nil
			}
			if r.Once != nil && last.has(data) && r.Once(&f.Of) {
				skip(number, "repeated")
				return nil
			}
			w.put(&f)
			r.take(number, &f.Of)
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int, _ int64) { skip(number, "torn") },
		Progress: r.Progress,
	}
	if k != nil {
		reader.Number, reader.Offset = k.Number, k.Offset
		reader.Ended = func(number int, offset int64) {
			k.Number, k.Offset, k.Whole, k.Recent = number, offset, w.n, slices.Clone(last)
		}
	}
	return reader.Read(ctx, in)
}

// mostRecent is how many lines a line may be behind the one that it repeats.
const mostRecent = 16

// recent are keys of the last lines.
type recent []uint64

// has reports whether one of the last lines is this one, and takes it as the last. Two
// lines have one key if their length and their CRC-32C are the same.
func (r *recent) has(line []byte) bool {
	key := TextSum(line)
	if slices.Contains(*r, key) {
		return true
	}
	if len(*r) == mostRecent {
		*r = (*r)[:copy(*r, (*r)[1:])]
	}
	*r = append(*r, key)
	return false
}
