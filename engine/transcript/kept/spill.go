package kept

import (
	"errors"
	"math"
	"os"
	"slices"

	"caliper/engine/transcript"
)

// spillBuffer is how many bytes wait until they are written.
const spillBuffer = 256 << 10

// MostUnpacked is how many entries a reader may keep in sessions that may go on in another
// file, beside those of the last file.
const MostUnpacked = 1 << 15

// Spill holds the contexts of sessions in a temporary file, so that the memory of a
// reader does not grow with what it has read. The file has no name from the moment on at
// which it is made, so that nothing is left of it however the process ends; the system
// frees it with the last session that is in it. Where a file cannot be without a name,
// or cannot be written, the contexts stay in memory, encoded. A nil Spill packs nothing.
type Spill struct {
	file    *os.File
	encoder Encoder
	waiting []byte // what is not written yet
	read    []byte // the session that was read back last
	written int64  // bytes in the file
	inside  bool   // nothing is written any more
	err     error  // of reading back
}

// Err returns why a session could not be opened; nil when all could.
func (p *Spill) Err() error {
	if p == nil {
		return nil
	}
	return p.err
}

// Pack takes the contexts from a session, which has them in Packed then.
func (p *Spill) Pack(s *transcript.Session) {
	if p == nil || s.Packed != nil {
		return
	}
	e := &p.encoder
	e.reset()
	e.contexts(s.Contexts)
	s.Contexts, s.Packed = nil, p.put(e.Data, len(s.Arrays))
}

// Unpack puts the contexts back into a session. Where that fails the session has one
// context without entries, and Err says why.
func (p *Spill) Unpack(s *transcript.Session) {
	if s.Packed == nil {
		return
	}
	opened, err := s.Opened()
	if err != nil {
		p.err = errors.Join(p.err, err)
		opened.Contexts = make([]transcript.Context, 1)
	}
	*s = opened
}

// put writes what was encoded.
func (p *Spill) put(data []byte, arrays int) transcript.Packed {
	if p.file == nil && !p.inside {
		p.begin()
	}
	if p.inside || len(data) > math.MaxInt32 {
		return &encoded{data: slices.Clone(data), arrays: arrays}
	}
	at := &onDisk{spill: p, from: p.written + int64(len(p.waiting)), size: int32(len(data)), arrays: int32(arrays)}
	p.waiting = append(p.waiting, data...)
	if len(p.waiting) >= spillBuffer {
		if _, err := p.file.WriteAt(p.waiting, p.written); err != nil {
			p.inside = true // what waits stays where it is, and the rest beside it
			return at
		}
		p.written += int64(len(p.waiting))
		p.waiting = p.waiting[:0]
	}
	return at
}

// begin makes the file.
//
// SECURITY: it has what users wrote: it is for its owner alone and nobody can find it.
func (p *Spill) begin() {
	f, err := os.CreateTemp("", "caliper-sessions-")
	if err != nil {
		p.inside = true
		return
	}
	if os.Remove(f.Name()) != nil { // an open file has to keep its name on this system
		_ = f.Close()
		_ = os.Remove(f.Name())
		p.inside = true
		return
	}
	p.file = f
}

// encoded are the contexts of one session, in memory.
type encoded struct {
	data   []byte
	arrays int // of tools, which the session has
}

// Open implements transcript.Packed.
func (p *encoded) Open() ([]transcript.Context, error) {
	d := NewDecoder(p.data)
	contexts := d.contexts(p.arrays)
	return contexts, d.err
}

// onDisk is where the contexts of one session are. There may be hundreds of thousands.
type onDisk struct {
	spill        *Spill
	from         int64
	size, arrays int32
}

// Open implements transcript.Packed.
func (p *onDisk) Open() ([]transcript.Context, error) {
	s := p.spill
	if p.from >= s.written {
		at := p.from - s.written
		return (&encoded{s.waiting[at : at+int64(p.size)], int(p.arrays)}).Open()
	}
	s.read = slices.Grow(s.read[:0], int(p.size))[:p.size]
	if _, err := s.file.ReadAt(s.read, p.from); err != nil {
		return nil, err
	}
	return (&encoded{s.read, int(p.arrays)}).Open()
}
