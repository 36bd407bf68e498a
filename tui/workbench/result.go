package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"caliper/engine/rescue"
	"caliper/engine/tokens"
)

// Result is the result of a tool, without its envelope and counted. ReadAt
// reads the text that the model would get. Close it after use.
type Result struct {
	Tool         string
	Envelope     string // envelope that was removed; empty for none
	Chars, Lines int
	Kind         rescue.Kind
	*spool
}

// readResult reads a result of at most most bytes, or of at most plain bytes
// when it cannot be an envelope. A longer one is a *rescue.StoreFull error.
func readResult(ctx context.Context, tool string, in io.Reader, most, plain int64) (*Result, error) {
	var count rescue.Counter
	raw, err := newSpool(ctx, io.TeeReader(in, &count), most, plain)
	if err != nil {
		return nil, err
	}
	t := &Result{Tool: tool, spool: raw}
	text, envelope, err := rescue.UnwrapReader(ctx, raw, raw.Size())
	if err == nil && envelope != "" {
		count = rescue.Counter{}
		t.Envelope = envelope
		t.spool, err = newSpool(ctx, io.TeeReader(text, &count), most, most)
		err = errors.Join(err, raw.Close())
	}
	if err == nil {
		t.Chars, t.Lines = count.Chars(), count.Lines()
		t.Kind, err = rescue.DetectAt(ctx, t, t.Size())
	}
	if err != nil {
		if t.spool != nil {
			_ = t.Close()
		}
		return nil, err
	}
	return t, nil
}

// spoolMemory is the number of bytes of a result that are kept in memory. The
// rest goes to a file; spoolWindow bytes of it are in memory at once.
const (
	spoolMemory = 1 << 20
	spoolWindow = 256 << 10
)

// spool holds bytes of a stream so that they can be read again and at any
// offset.
type spool struct {
	io.ReaderAt
	size int64
	file *os.File // nil when the bytes are in memory
	name string   // name of the file, on systems where an open file must have one
}

// newSpool reads in to its end. The stream may have at most most bytes, or at
// most plain bytes when it does not begin like a JSON object.
func newSpool(ctx context.Context, in io.Reader, most, plain int64) (*spool, error) {
	var head bytes.Buffer
	n, err := copyTo(ctx, &head, io.LimitReader(in, spoolMemory), most)
	if err != nil {
		return nil, err
	}
	if n < spoolMemory {
		return &spool{ReaderAt: bytes.NewReader(head.Bytes()), size: n}, nil
	}
	if !bytes.HasPrefix(bytes.TrimLeft(head.Bytes(), " \t\r\n"), []byte("{")) {
		most = plain
	}
	// SECURITY: CreateTemp creates a file that nobody else can open.
	file, err := os.CreateTemp("", "caliper-result-")
	if err != nil {
		return nil, err
	}
	s := &spool{ReaderAt: file, file: file}
	// An open file needs no name. Removing the name makes the file disappear
	// however the process ends. Some systems refuse; there Close removes the
	// file.
	if os.Remove(file.Name()) != nil {
		s.name = file.Name()
	}
	s.size, err = copyTo(ctx, file, io.MultiReader(&head, in), most)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Size returns the number of bytes.
func (s *spool) Size() int64 { return s.size }

// Close releases the bytes.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	return err
}

// copyTo copies in to its end and returns the number of bytes. More than most
// bytes are a *rescue.StoreFull error.
func copyTo(ctx context.Context, out io.Writer, in io.Reader, most int64) (int64, error) {
	window := make([]byte, spoolWindow)
	for total := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return total, err
		}
		n, err := in.Read(window)
		if total += int64(n); total > most {
			return total, &rescue.StoreFull{Cap: most}
		}
		if _, err := out.Write(window[:n]); err != nil {
			return total, fmt.Errorf("keeping it for a while: %w", err)
		}
		switch err {
		case nil:
		case io.EOF:
			return total, nil
		default:
			return total, err
		}
	}
}

// sized is a text of known size that can be read at any offset.
type sized interface {
	io.ReaderAt
	Size() int64
}

// tokenWindow is the number of bytes that are counted at once.
const tokenWindow = 1 << 20

// textTokens returns the tokens of a text with chars characters. chars4 is a
// quarter of them, rounded up. The exact methods count windows that end at a
// line end if possible, so the count may be off by a token or more at each
// boundary.
func textTokens(ctx context.Context, text sized, m tokens.Method, chars int) (int, error) {
	if m = m.Base(); m == tokens.Chars4 {
		return tokens.Chars4.Tokens(chars), nil
	}
	total := 0
	window := make([]byte, min(tokenWindow, text.Size()))
	for at := int64(0); at < text.Size(); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := text.ReadAt(window, at)
		if err != nil && !(errors.Is(err, io.EOF) && at+int64(n) == text.Size()) {
			return 0, err
		}
		part := window[:n]
		if end := bytes.LastIndexByte(part, '\n'); end >= 0 && at+int64(n) < text.Size() {
			part = part[:end+1]
		}
		// Package tokens counts JSON as if it had no spaces, because it counts definitions, while the
		// model gets a result unchanged. JSON is therefore split before its last bracket or quote into
		// two halves that are not JSON.
		halves := [][]byte{part}
		if end := len(bytes.TrimRight(part, " \t\r\n")) - 1; end > 0 && bytes.IndexByte([]byte(`]}"`), part[end]) >= 0 && !bytes.Equal(tokens.Compact(nil, part), part) {
			halves = [][]byte{part[:end], part[end:]}
		}
		units := 0
		for _, half := range halves {
			units += m.Units(half)
		}
		total += m.Tokens(units)
		at += int64(len(part))
	}
	return total, nil
}
