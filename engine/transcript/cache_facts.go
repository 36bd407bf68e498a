package transcript

import (
	"bytes"
	"encoding/gob"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	// mostPacked is how many bytes an entry has at most. Of 500 MB of logs of most agents up
	// to 10 MB are kept.
	mostPacked = 12 << 20
	// mostUnpacked is how many bytes are unpacked of an entry.
	mostUnpacked = 512 << 20
	// window is how far zstd looks back: texts repeat from line to line.
	lookBack = 512 << 10
)

// fact is one value of an entry: what a reader made of a line, or that it was left out
// before anything was made of it.
type fact[L any] struct {
	Line int
	What string // why it is left out; "" where it is not
	Of   L
}

// packers pack one entry after the other: one needs some megabytes.
var packers = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(lookBack), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are ours
	}
	return z
}}

// writer writes the facts of an entry. A nil writer writes nothing.
type writer[L any] struct {
	out  bytes.Buffer
	pack *zstd.Encoder
	gob  *gob.Encoder
	n    int // facts that were written
	over bool
}

func newWriter[L any]() *writer[L] {
	w := &writer[L]{pack: packers.Get().(*zstd.Encoder)}
	w.pack.Reset(&w.out)
	w.gob = gob.NewEncoder(w.pack)
	return w
}

// put writes a fact. An excess is forgotten at once, since the memory would grow with
// the log for nothing.
func (w *writer[L]) put(f *fact[L]) {
	if w == nil || w.over {
		return
	}
	w.n++
	if w.gob.Encode(f) != nil || w.out.Len() > mostPacked {
		w.over, w.out = true, bytes.Buffer{}
		w.pack.Reset(&w.out)
	}
}

// end sets what was written.
func (w *writer[L]) end(k *Lines) {
	err := w.pack.Close()
	packers.Put(w.pack)
	if k.over = err != nil || w.over || w.out.Len() > mostPacked; !k.over {
		k.Facts, k.Count = w.out.Bytes(), w.n
	}
}

// unpackers unpack one entry after the other.
var unpackers = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(lookBack))
	if err != nil {
		panic(err) // the options are ours
	}
	return d
}}

// each calls do with the first facts of an entry, each in the memory of the one before. The error is do's, or says that the entry is damaged.
//
// SECURITY: an entry may be anybody's: its size is not its own to choose.
func each[L any](packed []byte, n int, do func(*fact[L]) error) error {
	if n == 0 {
		return nil
	}
	d := unpackers.Get().(*zstd.Decoder)
	defer unpackers.Put(d)
	if err := d.Reset(bytes.NewReader(packed)); err != nil {
		return ErrDamaged
	}
	from := gob.NewDecoder(io.LimitReader(d, mostUnpacked))
	var f fact[L]
	for range n {
		f = fact[L]{}
		if from.Decode(&f) != nil {
			return ErrDamaged
		}
		if err := do(&f); err != nil {
			return err
		}
	}
	return nil
}
