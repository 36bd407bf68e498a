package transcript

import "time"

// Packed holds the contexts of a session outside of the memory, or in fewer bytes of it. Several
// goroutines may open it once the logs are read.
type Packed interface {
	// Open returns the contexts. The error is that of the place where they are.
	Open() ([]Context, error)
	// Ended returns what LatestOf returns of the contexts, without opening them.
	Ended() time.Time
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

// Opened returns the session with its contexts, wherever they are. The session itself
// stays packed.
func (s *Session) Opened() (Session, error) {
	out := *s
	if s.Packed == nil {
		return out, nil
	}
	var err error
	out.Packed = nil
	out.Contexts, err = s.Packed.Open()
	return out, err
}
