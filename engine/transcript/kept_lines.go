package transcript

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Lines are what a reader made of the lines of a log, packed.
type Lines struct {
	Facts []byte
	Count int
	over  bool // they are more than the cache takes
}

// mostFacts is how many bytes the lines of a log have at most before they are packed. Of 500 MB
// of logs of most agents that is as much; a log with more is read by each run.
const mostFacts = 64 << 20

var (
	zip = sync.OnceValue(func() *zstd.Encoder {
		z, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true)) // with options that it takes
		return z
	})
	// SECURITY: the packed bytes may be anybody's: they do not choose the size.
	unzip = sync.OnceValue(func() *zstd.Decoder {
		z, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*mostFacts))
		return z
	})
)

// fact is a line as a reader understood it, or the note that it was left out before.
type fact[L any] struct {
	Line int
	What string // why it is left out; "" where it is not
	Of   L
}

// LineReader reads a log whose lines can be taken one after the other, and the
// kept lines of it. L is the facts of a line; gob keeps its exported fields.
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

// Read takes the lines of in, and keeps them in k; nil keeps nothing. Where in is nil it takes
// those of k. The error is ctx's or the stream's, or ErrDamaged: the lines taken are then to be
// thrown away.
func (r LineReader[L]) Read(ctx context.Context, in io.Reader, k *Lines) error {
	if in == nil {
		data, err := unzip().DecodeAll(k.Facts, nil)
		if err != nil {
			return ErrDamaged
		}
		from := gob.NewDecoder(bytes.NewReader(data))
		for range k.Count {
			var f fact[L]
			if from.Decode(&f) != nil {
				return ErrDamaged
			}
			if r.take(&f); ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}
	keep := func(*fact[L]) {}
	if k != nil {
		var out bytes.Buffer
		to := gob.NewEncoder(&out)
		keep = func(f *fact[L]) {
			if k.Count++; !k.over && (to.Encode(f) != nil || out.Len() > mostFacts) {
				k.over, out = true, bytes.Buffer{} // at once: it would grow with the log for nothing
			}
		}
		defer func() { k.Facts = zip().EncodeAll(out.Bytes(), nil) }()
	}
	skip := func(number int, what string) {
		keep(&fact[L]{Line: number, What: what})
		r.Skip(number, what)
	}
	var last []uint64 // the keys of the last lines, of their length and CRC-32C
	again := func(line []byte) bool {
		key := TextSum(line)
		known := slices.Contains(last, key)
		if !known {
			last = append(last[max(0, len(last)+1-mostRecent):], key)
		}
		return known
	}
	var f fact[L] // one for all lines: it is larger than all else that most lines allocate
	return Raw{
		Line: func(number int, data []byte) error {
			var ok bool
			f.Line = number
			if f.Of, ok = r.Parse(data); !ok {
				skip(number, "not JSON")
			} else if r.Once != nil && again(data) && r.Once(&f.Of) {
				skip(number, "repeated")
			} else {
				keep(&f)
				r.take(&f)
			}
			return nil
		},
		Long:     func(number int) { skip(number, "too long") },
		Torn:     func(number int) { skip(number, "torn") },
		Progress: r.Progress,
	}.Read(ctx, in)
}

// take takes a line, or counts it as left out.
func (r LineReader[L]) take(f *fact[L]) {
	what := f.What
	if what == "" {
		what = r.Take(&f.Of)
	}
	if what != "" {
		r.Skip(f.Line, what)
	}
}

// mostRecent is how many lines a line may be behind the one that it repeats.
const mostRecent = 16
