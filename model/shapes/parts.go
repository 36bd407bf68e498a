package shapes

import (
	"bytes"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"caliper/model/jsontree"
)

// A long array of tools is read in parts, on all processors. Where the parts
// begin is guessed: at a comma that looks like the one between the first two
// entries. The guess is then proved, in order: if a part begins between two
// entries of the array, and it holds whole entries up to where the next one
// begins, then so does the next one. A wrong guess only costs that two parts
// are read again as one.
//
// Lines that hold a definition each are read in parts too: see lines.go.
//
// Each part is read by a reader of its own. A part with nothing in it but
// definitions is taken over as it is; what else there is in an array, as what
// there is to note, depends on what stands before it, so that such a part is
// read again in its turn. An array that is not read to its end in this way,
// because it is not valid, is read again by the one reader that finds faults.
//
// Invariants: the result equals reading the source entry by entry, whatever
// the size of the parts. No more than two readings of a part and one of the
// whole are in vain.

// partSize is how many bytes of a source are one part, or a little more. It is
// long enough that finding, copying and joining parts costs nothing beside
// reading them. Tests set it.
var partSize = 1 << 20

// part is the entries of an array, or the documents, from one offset of the text to
// another.
type part struct {
	from, to int
	memory   []found // to read into
	read     *reader // of a plain part
	entries  int     // of an array
	end      int     // offset of what stands behind its last entry
	closed   bool    // the array ends there, or the text
	err      error
	faulty   bool          // err is not that the part ends too early
	done     chan struct{} // closed when the part has been read
}

// how reads a part by a reader, as the entries from the index first on. It may use
// buffer, and returns that for the next part.
type how func(p *part, by *reader, first int, buffer []byte) []byte

// plain reports whether p holds definitions and nothing else.
func (p *part) plain() bool {
	r := p.read
	return p.err == nil && len(r.found) == p.entries+r.lone && r.lone == r.documents && r.lone == r.arrays &&
		r.foreign+len(r.listed)+r.listings+r.hosted.count+r.skipped+len(r.toolsets)+len(r.noted)+len(r.queries) == 0 && !r.dataSet
}

// readParts reads an array of tools whose path is prefix, which is next at c, as
// readTools does. It returns false, and reads nothing, if the array is short or
// is to be read entry by entry for another reason.
func (r *reader) readParts(c *jsontree.Cursor, prefix *string) (ok bool, err error) {
	start := c.Ahead() + 1
	size := len(r.text.Data) - start
	if r.inPart || r.depth > 0 || r.arrays > 1 || size < 2*partSize || start > size {
		return false, nil
	}
	depth := c.Depth() + 1
	parts := r.cut(start, depth)
	if len(parts) < 2 {
		return false, nil
	}
	before := r.mark()
	end, err := r.join(parts, func(p *part, by *reader, first int, buffer []byte) []byte {
		return p.readEntries(by, prefix, first, depth, buffer)
	})
	if err == nil {
		err = c.Pass(end + 1)
	}
	if err != nil {
		r.reset(before)
		return false, r.ctx.Err()
	}
	return true, nil
}

// cut divides what stands from the first entry of an array on into parts.
func (r *reader) cut(start, depth int) []*part {
	strong, weak, comma := r.separator(start, depth)
	if comma < 0 {
		return nil
	}
	return r.divide(start, 1, func(data []byte) int {
		at := bytes.Index(data[:min(len(data), partSize)], strong)
		if at < 0 {
			at = bytes.Index(data, weak)
		}
		if at < 0 {
			return at
		}
		return at + comma
	})
}

// divide divides the text from an offset on into parts, with some bytes between two. End
// returns where one may end in a text, -1 for nowhere.
func (r *reader) divide(from, between int, end func(data []byte) int) (parts []*part) {
	data := r.text.Data
	for {
		to := len(data)
		if target := from + partSize; target < len(data) {
			if at := end(data[target:]); at >= 0 {
				to = target + at
			}
		}
		parts = append(parts, &part{from: from, to: to, done: make(chan struct{})})
		if to == len(data) {
			return parts
		}
		from = to + between
	}
}

// separator returns two texts that are likely to stand only between two entries
// of the array whose first entry begins at an offset or behind it, and where
// their comma is, -1 for no such text. The weak one is a beginning of the strong
// one and ends with the name of an entry's first member; the strong one goes on
// up to the first value that differs between the first two entries.
func (r *reader) separator(start, depth int) (strong, weak []byte, comma int) {
	data := r.text.Data
	c, _ := jsontree.NewPart(data, start, min(len(data), start+partSize), depth, nil)
	var entries [2]jsontree.Value
	for i := range entries {
		v, err := c.Value()
		if err != nil || !v.IsObject() {
			return nil, nil, -1
		}
		entries[i] = v
	}
	first, second := entries[0], entries[1]
	end := first.At + len(first.Raw)
	same := 0
	for same < min(len(first.Raw), len(second.Raw)) && first.Raw[same] == second.Raw[same] {
		same++
	}
	last := bytes.LastIndexByte(second.Raw[:same], '"')
	colon := bytes.Index(second.Raw, []byte(`":`))
	if colon < 0 || last < colon {
		return nil, nil, -1
	}
	text := data[end-1 : second.At+last+1]
	return text, text[:second.At-end+1+colon+2], bytes.IndexByte(text, ',')
}

// errOpen is the error that a part does not end where it was to end.
var errOpen = errors.New("not a part of an array")

// join reads parts at once and adds what they hold in their order. It returns
// the offset behind the last entry: of the bracket that ends an array. The error is
// that the parts do not make an array or lines, or the context's.
func (r *reader) join(parts []*part, read how) (end int, err error) {
	var next atomic.Int64
	var ended atomic.Bool
	spare := make(chan []found, len(parts)) // memory of parts that have been taken over
	var workers sync.WaitGroup
	defer workers.Wait()
	defer ended.Store(true)
	for range min(len(parts), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			var buffer []byte
			for i := int(next.Add(1)) - 1; i < len(parts) && !ended.Load(); i = int(next.Add(1)) - 1 {
				select {
				case parts[i].memory = <-spare:
				default:
				}
				buffer = parts[i].readBeside(r, read, buffer)
				close(parts[i].done)
			}
		})
	}
	var buffer []byte
	entries := 0
	for i := 0; i < len(parts); {
		p := parts[i]
		<-p.done
		i++
		for more := 1; p.err != nil && !p.faulty && i < len(parts) && r.ctx.Err() == nil; more *= 2 {
			i = min(i+more, len(parts)) // the guess was wrong: p ends inside of an entry
			p = &part{from: p.from, to: parts[i-1].to}
			buffer = p.readBeside(r, read, buffer)
		}
		if p.plain() {
			spare <- r.take(p, entries, len(parts)-i)
		} else if p.err == nil {
			buffer = read(p, r, entries, buffer)
		}
		if p.err != nil {
			return 0, p.err
		}
		entries += p.entries
		if p.closed {
			return p.end, nil
		}
	}
	return 0, errOpen
}

// readBeside reads p by a reader of its own, beside the one that reads the
// source, and finishes the tools of a plain part. It returns the buffer for the
// next part. Of r it uses only what reading does not change: what a list in an
// entry changes meanwhile, such as the depth, has its zero value where parts
// are read.
func (p *part) readBeside(r *reader, read how, buffer []byte) []byte {
	own := newReader(r.ctx, r.source, r.index, r.text, nil)
	own.found, own.once, own.inPart = p.memory, r.once, true
	p.read = own
	buffer = read(p, own, 0, buffer)
	if p.plain() {
		for i := range own.found {
			if t := own.found[i].tool; t.Function != nil {
				r.finisher.content(t)
			}
		}
	}
	return buffer
}

// readEntries reads p by a reader, as the entries of the array from the index first
// on. It returns the buffer for the next part.
func (p *part) readEntries(r *reader, prefix *string, first, depth int, buffer []byte) []byte {
	c, buffer := jsontree.NewPart(r.text.Data, p.from, p.to, depth, buffer)
	p.entries, p.err = 0, nil
	for c.Next() != ']' && p.err == nil {
		p.err = r.readEntry(c, prefix, first+p.entries)
		p.entries++
	}
	p.end = c.Ahead()
	p.closed = p.end < p.to
	if p.entries == 0 && p.err == nil {
		p.err = errOpen // nothing stands between two commas
	}
	return buffer
}

// take adds the definitions of a plain part, behind as many entries as are
// given, and returns memory that is free then. Rest is how many parts are left.
func (r *reader) take(p *part, entries, rest int) []found {
	for i := range p.read.found {
		p.read.found[i].index += entries
	}
	if n := len(r.found) + len(p.read.found); n > cap(r.found) {
		r.found = slices.Grow(r.found, len(p.read.found)*(rest+1)*17/16)
	}
	r.found = append(r.found, p.read.found...)
	r.documents, r.arrays, r.lone = r.documents+p.read.documents, r.arrays+p.read.arrays, r.lone+p.read.lone
	memory := p.read.found
	p.read = nil
	clear(memory)
	return memory[:0]
}

// mark returns what r is now, for reset.
func (r *reader) mark() reader {
	now := *r
	now.noted = maps.Clone(r.noted)
	return now
}

// reset makes r what it was. Its block of tools may be in use by the finisher.
func (r *reader) reset(was reader) {
	*r = was
	r.block = nil
}
