package rescue

import (
	"bytes"
	"context"
	"io"
	"slices"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// maxLayers is how many envelopes inside each other are opened.
const maxLayers = 4

// UnwrapReader returns a reader of the text inside an MCP envelope, and the kind of the
// envelope. A result without one is read whole, and its kind is "". The texts of several
// blocks are joined by a line break; a block that is no text is named in its place, such as
// "[image block, 5120 bytes]". The text never has more bytes than src.
// Structured content is left out where there is a text, which by the protocol
// repeats it.
//
// It needs a memory of a few windows. It reads the result once to see whether it is an
// envelope, which ends early for most that are not, and r reads it again. Errors come from
// src and of the context.
func UnwrapReader(ctx context.Context, src io.ReaderAt, size int64) (r io.Reader, envelope string, err error) {
	open := func() io.Reader { return io.NewSectionReader(src, 0, size) }
	chosen, pending := open, open // pending is inside a result object, which is to be an envelope
	label := ""
	for range maxLayers {
		s := newScanner(ctx, pending())
		e, ok := scanEnvelope(s)
		if err := s.ReadErr(); err != nil {
			return nil, "", err
		}
		if !ok {
			break
		}
		outer := pending
		pending = func() io.Reader { return &unwrapped{r: outer(), pieces: e.pieces} }
		label = joinLabel(label, e)
		if !e.object {
			chosen, envelope = pending, label
		}
		if len(e.pieces) != 1 || e.texts != 1 {
			break
		}
	}
	return chosen(), envelope, nil
}

// joinLabel adds the name of an envelope to those around it.
func joinLabel(around string, e *envelope) string {
	name := "result"
	switch {
	case e.bare:
		name = "content blocks"
	case e.content:
		name = "MCP content"
	}
	if e.failed {
		name += " of an error"
	}
	if slices.ContainsFunc(e.pieces, func(p piece) bool { return p.note != "" }) {
		name += ", without the tokens of what is not text" // an image costs by its pixels (help rescue), which no count of characters says
	}
	if around == "" {
		return name
	}
	return around + " > " + name
}

// unwrapped reads the pieces of a text, joined by line breaks.
type unwrapped struct {
	r      io.Reader
	at     int64 // of r
	pieces []piece
	raw    []byte // read and not yet decoded
	ready  []byte // decoded and not yet given
	buf    []byte // of ready
	chunk  []byte // that is read
	begun  bool   // pieces[0] is being read
}

func (u *unwrapped) Read(p []byte) (int, error) {
	for len(u.ready) == 0 {
		if len(u.pieces) == 0 {
			return 0, io.EOF
		}
		if err := u.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

// advance decodes a window of the current piece, or goes to the next.
func (u *unwrapped) advance() error {
	p := u.pieces[0]
	if !u.begun {
		u.begun = true
		if err := u.skip(p.from - u.at); err != nil {
			return err
		}
		u.ready = []byte(p.note)
		return nil
	}
	if u.at == p.to || p.note != "" {
		u.ready = decodeString(u.buf[:0], &u.raw, true)
		u.pieces, u.begun = u.pieces[1:], false
		if len(u.pieces) > 0 {
			u.ready = append(u.ready, '\n')
		}
		return nil
	}
	if u.buf == nil {
		u.buf, u.chunk = make([]byte, 0, window), make([]byte, window/2)
	}
	chunk := u.chunk[:min(p.to-u.at, window/2)]
	n, err := io.ReadFull(u.r, chunk)
	u.at += int64(n)
	if err == io.EOF { // the text was longer before
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if !p.escaped {
		u.ready = chunk
		return nil
	}
	u.raw = append(u.raw, chunk...)
	u.ready = decodeString(u.buf[:0], &u.raw, false)
	return nil
}

// skip reads past n bytes.
func (u *unwrapped) skip(n int64) error {
	skipped, err := io.CopyN(io.Discard, u.r, n)
	u.at += skipped
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decodeString appends to dst what the inside of a JSON string stands for. It
// takes from raw what it decodes, and leaves an escape that may go on unless
// this is the end. A lone surrogate becomes U+FFFD.
func decodeString(dst []byte, raw *[]byte, end bool) []byte {
	b := *raw
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			dst = append(dst, b...)
			b = nil
			break
		}
		dst = append(dst, b[:i]...)
		b = b[i:]
		if len(b) < 12 && !end { // a pair of escapes has 12 bytes
			break
		}
		r, size := jsontree.Unescape(b)
		dst, b = utf8.AppendRune(dst, r), b[size:]
	}
	*raw = append((*raw)[:0], b...)
	return dst
}
