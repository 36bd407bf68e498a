package transcript

// Packed holds the contexts of a session outside of the memory, or in fewer bytes of it. The
// sessions of one read are for one goroutine while they are packed.
type Packed interface {
	// Open returns the contexts. The error is that of the place where they are.
	Open() ([]Context, error)
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
