package kept

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"caliper/engine/transcript"
)

// MostUnpacked is how many entries a reader may keep in sessions that may go on in another
// file, beside those of the last file.
const MostUnpacked = 1 << 15

// Spill holds the contexts of sessions in a temporary file, so that the memory of a
// reader does not grow with what it has read. The system frees the file with the last
// session that is in it. Where no file can be made, the contexts stay in memory, encoded. A
// nil Spill packs nothing. A Spill is for one goroutine; the sessions that it packed are for
// several, once it packs no more.
type Spill struct {
	reading sync.Mutex // held while a session is opened
	scratch scratch
	encoder Encoder
	err     error // of reading back
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
	s.Contexts, s.Packed = nil, p.put(e.Data, len(s.Arrays), transcript.LatestOf(s.Contexts))
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

// put writes what was encoded of a session that ended at a time.
func (p *Spill) put(data []byte, arrays int, ended time.Time) transcript.Packed {
	if len(data) <= math.MaxInt32 {
		if from, ok := p.scratch.put(data); ok {
			return &onDisk{spill: p, from: from, size: int32(len(data)), arrays: int32(arrays), ended: ended}
		}
	}
	return &encoded{data: slices.Clone(data), arrays: arrays, ended: ended}
}

// encoded are the contexts of one session, in memory.
type encoded struct {
	data   []byte
	arrays int // of tools, which the session has
	ended  time.Time
}

// Open implements transcript.Packed.
func (p *encoded) Open() ([]transcript.Context, error) { return contextsIn(p.data, p.arrays) }

// Ended implements transcript.Packed.
func (p *encoded) Ended() time.Time { return p.ended }

// contextsIn returns the contexts of a session with some tools arrays.
func contextsIn(data []byte, arrays int) ([]transcript.Context, error) {
	d := NewDecoder(data)
	contexts := d.contexts(arrays)
	return contexts, d.err
}

// onDisk is where the contexts of one session are. There may be hundreds of thousands.
type onDisk struct {
	spill        *Spill
	from         int64
	size, arrays int32
	ended        time.Time
}

// Open implements transcript.Packed.
func (p *onDisk) Open() ([]transcript.Context, error) {
	p.spill.reading.Lock() // the next session is read into the same memory
	defer p.spill.reading.Unlock()
	data, err := p.spill.scratch.read(p.from, int(p.size))
	if err != nil {
		return nil, err
	}
	return contextsIn(data, int(p.arrays))
}

// Ended implements transcript.Packed.
func (p *onDisk) Ended() time.Time { return p.ended }
