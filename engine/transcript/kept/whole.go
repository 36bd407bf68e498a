package kept

import (
	"io/fs"

	"caliper/engine/transcript"
)

// Whole is what a reader made of a whole file whose lines do not tell it: the sessions
// in the order in which they ended, and what was left out. A nil Whole keeps nothing.
type Whole struct {
	e    Encoder
	over bool // it is more than the index takes: nothing is kept
	// Before are digests of parts of the file which readers of several files count
	// once, with whether an earlier file had them. What was kept stands for the file only
	// while the earlier files have the same ones.
	Before []Part
}

// Part is a part of a file that another file may repeat.
type Part struct {
	Digest Digest
	Known  bool // an earlier file has it
}

// What comes next in a Whole.
const (
	aSession = iota + 1
	aSkip
)

// Fits reports whether the index takes what is kept. A file of which it is too much is
// read anew each time.
func (w *Whole) Fits() bool { return w != nil && !w.over }

// keeps reports whether more is kept. What is too much is forgotten at once, since the
// memory would grow with the file for nothing.
func (w *Whole) keeps() bool {
	if w.Fits() && len(w.e.Data)+len(w.Before)*(1+len(Digest{})) > shardSize-recordHead {
		*w = Whole{over: true}
	}
	return w.Fits()
}

// Session keeps a session, which begins on a line of the file.
func (w *Whole) Session(s *transcript.Session, line int) {
	if !w.keeps() {
		return
	}
	w.e.Uint(aSession)
	w.e.Int(line)
	w.e.Session(s)
}

// Skip keeps that a line was left out, and what it is.
func (w *Whole) Skip(line int, what string) {
	if !w.keeps() {
		return
	}
	w.e.Uint(aSkip)
	w.e.Int(line)
	w.e.Text(what)
}

// Part keeps a part of the file, and whether an earlier file has it.
func (w *Whole) Part(d Digest, known bool) {
	if w.keeps() {
		w.Before = append(w.Before, Part{d, known})
	}
}

// Lines returns what is kept, with the state of the files beside a log when it was read.
func (w *Whole) Lines(beside []byte) *Lines {
	var e Encoder
	e.Uint(uint64(len(beside)))
	e.Data = append(e.Data, beside...)
	e.Uint(uint64(len(w.Before)))
	for _, p := range w.Before {
		e.Uint(Bits(p.Known))
		e.Data = append(e.Data, p.Digest[:]...)
	}
	e.Data = append(e.Data, w.e.Data...)
	return &Lines{Data: e.Data, Whole: len(e.Data)}
}

// Beside returns the state of the files beside a log that Lines were made with.
func (k *Lines) Beside() []byte {
	d := NewDecoder(k.Data)
	return d.bytes(d.Len())
}

// Take hands over what is kept of a file at a path, in its order. It reports false, and
// hands over nothing, where known says of a part something else than when it was kept. The
// error says that k is damaged: what was handed over is then to be thrown away.
func (k *Lines) Take(path string, known func(Digest) bool, session func(transcript.Session, int), skip func(line int, what string)) (ok bool, err error) {
	d := NewDecoder(k.Data)
	d.bytes(d.Len())
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		var digest Digest
		was := d.Uint() == 1
		copy(digest[:], d.bytes(len(digest)))
		if d.err == nil && known(digest) != was {
			return false, nil
		}
	}
	for d.More() {
		switch kind, line := d.Uint(), d.Int(); {
		case d.err != nil:
		case kind == aSession:
			if s := d.Session(path); d.err == nil {
				session(s, line)
			}
		case kind == aSkip:
			if what := d.Text(); d.err == nil {
				skip(line, what)
			}
		default:
			d.fail()
		}
	}
	return true, d.err
}

// Parts calls each with the digests that are kept.
func (k *Lines) Parts(each func(Digest)) {
	d := NewDecoder(k.Data)
	d.bytes(d.Len())
	for n := d.Len(); n > 0 && d.err == nil; n-- {
		var digest Digest
		d.Uint()
		copy(digest[:], d.bytes(len(digest)))
		each(digest)
	}
}

// StateOf writes what tells a file from the same file later.
func StateOf(info fs.FileInfo, e *Encoder) {
	e.Uint(uint64(info.Size()))
	e.Int(int(info.ModTime().UnixNano()))
	e.Uint(fileOf(info))
}
