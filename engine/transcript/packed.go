package transcript

import (
	"bytes"
	"encoding/gob"
	"sync"
	"time"
)

// Packer packs the contexts of sessions that rest, so that half a gigabyte of short logs takes
// a quarter of it. Its sessions may be opened by several goroutines. The zero value is ready.
type Packer struct {
	opening  sync.Mutex
	last     *[]byte
	contexts [][]Context // of the last pack that was opened
}

// mostTogether is how many entries are packed together; one session more may follow.
const mostTogether = 2000

// Packed is where the contexts of a session are.
type Packed struct {
	Ended time.Time // what LatestOf returns of them
	by    *Packer
	in    *[]byte // has the contexts of some sessions together, as gob writes them and zstd makes them smaller: to begin takes gob as long as fifty entries
	at    int
}

// Pack packs the contexts of sessions that have some.
func (p *Packer) Pack(sessions ...*Session) {
	var list [][]Context
	var out bytes.Buffer
	in, entries := new([]byte), 0
	end := func() {
		out.Reset()
		_ = gob.NewEncoder(&out).Encode(list) // of types that it takes, into memory
		*in = bytes.Clone(zip().EncodeAll(out.Bytes(), nil))
		list, in, entries = nil, new([]byte), 0
	}
	for _, s := range sessions {
		if s.Packed != nil {
			continue
		}
		s.Packed = &Packed{LatestOf(s.Contexts), p, in, len(list)}
		for _, c := range s.Contexts {
			entries += len(c.Entries)
		}
		if list, s.Contexts = append(list, s.Contexts), nil; entries > mostTogether {
			end()
		}
	}
	if len(list) > 0 {
		end()
	}
}

// Opened returns the session with its contexts. The session itself stays packed.
func (s *Session) Opened() Session {
	out := *s
	k := s.Packed
	if k == nil {
		return out
	}
	k.by.opening.Lock()
	defer k.by.opening.Unlock()
	if k.by.last != k.in {
		k.by.last, k.by.contexts = k.in, nil
		data, _ := unzip().DecodeAll(*k.in, nil)
		_ = gob.NewDecoder(bytes.NewReader(data)).Decode(&k.by.contexts) // which Pack wrote
	}
	out.Packed, out.Contexts = nil, k.by.contexts[k.at]
	return out
}

// Unpack puts the contexts back into a session that goes on. There is no other copy of it.
func (s *Session) Unpack() {
	if s.Packed != nil {
		*s = s.Opened()
	}
}

// LatestOf returns the latest time of an entry of some contexts; zero when none has a time.
func LatestOf(contexts []Context) (latest time.Time) {
	for i := range contexts {
		for k := range contexts[i].Entries {
			if at := contexts[i].Entries[k].Time; at.After(latest) {
				latest = at
			}
		}
	}
	return latest
}
