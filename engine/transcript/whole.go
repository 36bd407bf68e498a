package transcript

import (
	"strings"
)

// Whole takes what a reader made of a whole file whose lines do not tell it: the sessions
// in the order in which they ended, and what was left out. A nil Whole keeps nothing.
type Whole struct{ w *writer[piece] }

// piece is one fact of a whole file: a session that begins on a line, or a RepeatedPart.
type piece struct {
	Session *Session
	OfFile  bool // its id begins with the path of the file
	Part    *RepeatedPart
}

// RepeatedPart is a part of a file that another file may repeat: what was kept stands for the file
// only while the earlier files have the same ones.
type RepeatedPart struct {
	Digest Digest
	Known  bool // an earlier file has it
}

// NewWhole returns one that has nothing yet.
func NewWhole() *Whole { return &Whole{newWriter[piece]()} }

// Session keeps a session, which begins on a line of the file.
//
// SECURITY: the path of the file, which may be the beginning of the id, is not written.
func (w *Whole) Session(s *Session, line int) {
	if w == nil {
		return
	}
	own := *s
	id, ofFile := strings.CutPrefix(s.ID, s.File)
	if ofFile = ofFile && s.File != ""; ofFile {
		own.ID = id
	}
	own.File = ""
	w.w.put(&fact[piece]{Line: line, Of: piece{Session: &own, OfFile: ofFile}})
}

// Skip keeps that a line was left out, and what it is.
func (w *Whole) Skip(line int, what string) {
	if w != nil {
		w.w.put(&fact[piece]{Line: line, What: what})
	}
}

// Part keeps a part of the file, and whether an earlier file has it.
func (w *Whole) Part(d Digest, known bool) {
	if w != nil {
		w.w.put(&fact[piece]{Of: piece{Part: &RepeatedPart{d, known}}})
	}
}

// Lines returns the kept facts.
func (w *Whole) Lines() *Lines {
	k := new(Lines)
	w.w.end(k)
	return k
}

// Take hands over the kept facts of a file at a path, in its order. It reports false, and
// hands over nothing, where known answers differently about a part than when it was kept. The
// error is that k is damaged: the parts handed over are then to be thrown away.
func (k *Lines) Take(path string, known func(Digest) bool, session func(Session, int), skip func(line int, what string)) (ok bool, err error) {
	same := true
	if known != nil {
		err = k.Parts(func(p RepeatedPart) { same = same && known(p.Digest) == p.Known })
	}
	if err != nil || !same {
		return false, err
	}
	return true, each(k.Facts, k.Count, func(f *fact[piece]) error {
		switch s := f.Of.Session; {
		case f.What != "":
			skip(f.Line, f.What)
		case s != nil:
			if s.File = path; f.Of.OfFile {
				s.ID = path + s.ID
			}
			if !valid(s) {
				return ErrDamaged
			}
			session(*s, f.Line)
		}
		return nil
	})
}

// Parts calls do with the parts that are kept.
func (k *Lines) Parts(do func(RepeatedPart)) error {
	return each(k.Facts, k.Count, func(f *fact[piece]) error {
		if f.Of.Part != nil {
			do(*f.Of.Part)
		}
		return nil
	})
}

// valid reports whether a session keeps what package transcript promises of one.
//
// SECURITY: an entry of the cache may be anybody's, and replay counts on these numbers.
func valid(s *Session) bool {
	for _, c := range s.Contexts {
		for i := range c.Entries {
			e := &c.Entries[i]
			if e.Parent < None || e.Parent >= i || e.Kind < User || e.Kind > Summary || (e.Kind == Answer) != (e.Request != nil) {
				return false
			}
			if r := e.Request; r != nil && (r.Tools < None || r.Tools >= max(len(s.Arrays), 1)) {
				return false
			}
			if e.Kind != Result {
				continue
			}
			if e.CallEntry < 0 || e.CallEntry >= i || e.Call < 0 {
				return false
			}
			if of := c.Entries[e.CallEntry].Request; of == nil || e.Call >= len(of.Calls) {
				return false
			}
		}
	}
	return len(s.Contexts) > 0
}
