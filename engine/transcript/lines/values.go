package lines

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"caliper/model/jsontree"
)

// Values says what to do with the JSON values of a stream that holds one a line, or an
// array of them, or values on several lines each.
type Values struct {
	// Value is called with each value and the line on which it begins. An array that is
	// not in a line of its own is taken apart. The bytes are valid until Value returns.
	Value func(number int, data []byte) error
	// Bad is called with the line of what is left out and what it is: "not JSON",
	// "torn" or "too long".
	Bad func(number int, what string)
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
}

// Read reads a stream to its end, holding one value of it. The error is ctx's, the
// stream's, or that of Value.
func (v Values) Read(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(64 << 10)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))
	first, rest, more := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("[")) || more && len(rest) > 0 && bytes.HasPrefix(head, []byte("{")) && !jsontree.Whole(first) {
		return v.scan(ctx, in)
	}
	return Reader{
		Line:     v.Value,
		Long:     func(number int) { v.Bad(number, "too long") },
		Torn:     func(number int, _ int64) { v.Bad(number, "torn") },
		Progress: v.Progress,
	}.Read(ctx, in)
}

var errTooLong = errors.New("a value is too long")

// scan reads values wherever they are broken into lines. What follows a fault is not
// read, as nothing says where the next value begins.
func (v Values) scan(ctx context.Context, in *bufio.Reader) error {
	if mark, _ := in.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		_, _ = in.Discard(len(byteOrderMark)) // it was peeked at
	}
	w := &window{in: in, progress: v.Progress}
	s := jsontree.NewScanner(ctx, w, 0)
	// SECURITY: a foreign text may open arrays without end.
	s.MaxDepth = 1000
	value := func() bool {
		s.Peek()
		number := 1 + int(s.Breaks)
		from, to, ok := s.Value()
		if ok {
			w.err = v.Value(number, w.slice(from, to))
		}
		return ok && w.err == nil
	}
	ok := true
	for ok && !s.AtEnd() {
		if !s.Take('[') {
			ok = value()
			continue
		}
		for some := false; ok && s.Next(']', some); some = true {
			ok = value()
		}
		ok = ok && s.Err() == nil
	}
	var fault *jsontree.SyntaxError
	switch err := s.Err(); {
	case w.err == errTooLong:
		v.Bad(1+int(s.Breaks), "too long")
	case w.err != nil:
		return w.err
	case s.ReadErr() != nil:
		return s.ReadErr()
	case errors.As(err, &fault) && fault.Ended:
		v.Bad(1+int(s.Breaks), "torn")
	case err != nil:
		v.Bad(1+int(s.Breaks), "not JSON")
	}
	return nil
}

// window keeps what a scanner has read since the last value.
type window struct {
	in       io.Reader
	progress func(int)
	kept     []byte
	from     int64 // offset of the first byte that is kept
	err      error
}

// Read reads what is next, and keeps it.
func (w *window) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if w.progress != nil && n > 0 {
		w.progress(n)
	}
	// SECURITY: a value of any size would be kept whole.
	if len(w.kept)+n > MaxLine {
		w.err = errTooLong
		return 0, errTooLong
	}
	w.kept = append(w.kept, p[:n]...)
	return n, err
}

// slice returns the bytes between two offsets and forgets what is before them.
func (w *window) slice(from, to int64) []byte {
	w.kept = w.kept[:copy(w.kept, w.kept[from-w.from:])]
	w.from = from
	return w.kept[:to-from]
}
