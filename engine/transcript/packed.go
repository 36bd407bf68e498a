package transcript

import (
	"bytes"
	"encoding/gob"
	"time"
)

// Packed are the contexts of a session in fewer bytes.
type Packed struct {
	Contexts []byte    // as gob writes them
	Ended    time.Time // what LatestOf returns of them
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

// Pack makes the contexts of a session take few bytes, until Unpack: records of calls may
// have a million entries.
func (s *Session) Pack() {
	var out bytes.Buffer
	if s.Packed == nil && gob.NewEncoder(&out).Encode(s.Contexts) == nil {
		s.Contexts, s.Packed = nil, &Packed{out.Bytes(), LatestOf(s.Contexts)}
	}
}

// Unpack puts the contexts back into a session.
func (s *Session) Unpack() { *s = s.Opened() }

// Opened returns the session with its contexts. The session itself stays packed.
func (s *Session) Opened() Session {
	out := *s
	if p := s.Packed; p != nil {
		out.Packed = nil
		_ = gob.NewDecoder(bytes.NewReader(p.Contexts)).Decode(&out.Contexts) // which Pack wrote
	}
	return out
}
