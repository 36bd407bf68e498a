package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"caliper/model/jsontree"
)

// Values tells what to do with the JSON values of a stream that holds one a line, or an
// array of them, or values on several lines each.
type Values struct {
	// Value is called with each value and the line on which it begins. An array that is
	// not in a line of its own is taken apart. The bytes are valid until Value returns.
	Value func(number int, data []byte) error
	// Bad is called with the line of a part that is left out and the reason: "not JSON",
	// "torn" or "too long".
	Bad func(number int, what string)
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
}

// headSize is how many bytes of a stream tell how it is written.
const headSize = 64 << 10

// Read reads a stream to its end, holding one value of it. The error is ctx's, the
// stream's, or Value's.
func (v Values) Read(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, headSize)
	head, err := in.Peek(headSize)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return err
	}
	head = StrippedLine(head)
	first, rest, more := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("[")) || more && len(rest) > 0 && bytes.HasPrefix(head, []byte("{")) && !jsontree.Whole(first) {
		return v.scan(ctx, in)
	}
	return Raw{
		Line:     v.Value,
		Long:     func(number int) { v.Bad(number, "too long") },
		Torn:     func(number int) { v.Bad(number, "torn") },
		Progress: v.Progress,
	}.Read(ctx, in)
}

// maxDepth is how many arrays and objects may lie in one another.
//
// SECURITY: a foreign text may open arrays without end.
const maxDepth = 1000

var errTooLong = errors.New("a value is too long")

// scan reads values wherever they are broken into lines. Behind a fault it reads those
// that stand in lines of their own.
func (v Values) scan(ctx context.Context, in *bufio.Reader) error {
	if mark, _ := in.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		_, _ = in.Discard(len(byteOrderMark)) // it was peeked at
	}
	w := &window{in: in, progress: v.Progress, line: 1, begun: true}
	s := jsontree.NewScanner(ctx, w, 0)
	s.MaxDepth = maxDepth
	damaged := false // the last value is
	value := func() bool {
		s.Peek()
		w.at(s.Offset())
		from, to, ok := s.Value()
		damaged = !ok
		if ok {
			w.buffer = w.buffer[:copy(w.buffer, w.buffer[from-w.from:])] // without the bytes before
			w.from = from
			w.err = v.Value(w.line, w.buffer[:to-from])
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
	if !damaged { // the fault is behind it
		w.at(s.Offset())
	}
	var fault *jsontree.SyntaxError
	switch err := s.Err(); {
	case w.err == errTooLong:
		v.Bad(w.line, "too long")
	case w.err != nil:
		return w.err
	case s.ReadErr() != nil:
		return s.ReadErr()
	case errors.As(err, &fault) && fault.Ended:
		v.Bad(w.line, "torn")
	case err != nil:
		v.Bad(w.line, "not JSON")
		return v.resume(ctx, w, damaged)
	}
	return nil
}

// resume reads on behind a fault: it takes the later lines that hold a value and begin
// where the damaged value does or further to the left, since one further to the right
// is a part of it. The line of the fault counts if a value may begin there.
func (v Values) resume(ctx context.Context, w *window, damaged bool) error {
	w.passes = true
	first := w.line
	if !damaged && w.begun {
		first--
	}
	return Raw{
		Number: w.line - 1,
		within: true, columns: w.columns,
		Line: func(number int, line []byte) error {
			line = bytes.Trim(line, ", \t")
			switch {
			case number <= first, len(bytes.Trim(line, "[]{}")) == 0: // the damaged part; brackets around the values
				return nil
			case !jsontree.Whole(line):
				v.Bad(number, "not JSON")
				return nil
			}
			return v.Value(number, line)
		},
		Long: func(number int) {
			if number > first {
				v.Bad(number, "too long")
			}
		},
	}.Read(ctx, io.MultiReader(bytes.NewReader(w.buffer[min(w.begins-w.from, int64(len(w.buffer))):]), w, strings.NewReader("\n")))
}

// window keeps what a scanner has read since the last value.
type window struct {
	in       io.Reader
	progress func(int)
	buffer   []byte
	from     int64 // offset of the first byte that is kept
	begins   int64 // offset of the last value, or of a fault
	line     int   // on which that is, from 1
	columns  int   // in front of it in its line
	begun    bool  // they are blank
	passes   bool  // nothing more is kept
	err      error
}

// Read reads on, and keeps the bytes.
func (w *window) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if w.progress != nil && n > 0 {
		w.progress(n)
	}
	if w.passes {
		return n, err
	}
	// SECURITY: a value of any size would be kept whole.
	if len(w.buffer)+n > MaxLine {
		w.err = errTooLong
		return 0, errTooLong
	}
	w.buffer = append(w.buffer, p[:n]...)
	return n, err
}

// at records the offset of a value or a fault. None is before the last one.
func (w *window) at(begins int64) {
	before := w.buffer[max(0, w.begins-w.from):min(begins-w.from, int64(len(w.buffer)))]
	w.begins = begins
	w.line += bytes.Count(before, []byte("\n"))
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 {
		before = before[line+1:]
		w.columns, w.begun = 0, true
	}
	w.columns += len(before)
	w.begun = w.begun && len(bytes.TrimSpace(before)) == 0
}

// ParseObject returns the tree of an object of a log, read over bytes that are no UTF-8; ok is
// false for anything but a JSON object.
func ParseObject(data []byte) (n *jsontree.Node, ok bool) {
	n, err := jsontree.Parse(jsontree.Mend(data), jsontree.Strict)
	return n, err == nil && n.Is(jsontree.Object)
}
