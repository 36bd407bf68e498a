package fetch

import (
	"context"
	"sort"
	"unicode/utf8"

	"caliper/engine/rescue"
)

// stride is the distance of two marks. A position is found by reading at most
// one stride, and a blob of 500 MB has 190 kB of marks.
const stride = 64 << 10

// mark is an offset at which a character of the blob begins, with the numbers of
// characters and of line breaks before it. It is never inside a line break.
type mark struct{ off, chars, breaks int64 }

// index is the facts that the first touch of a blob learns.
type index struct {
	src   Source
	marks []mark // marks[0] is the beginning
	size  int64
	chars int64
	lines int64
}

// touch returns the index, made by the first caller.
func (r *Reader) touch(ctx context.Context) (*index, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.touched != nil {
		return r.touched, nil
	}
	x, err := newIndex(ctx, r.src)
	if err != nil {
		return nil, err
	}
	r.touched = x
	return x, nil
}

func newIndex(ctx context.Context, src Source) (*index, error) {
	x := &index{src: src, size: src.Size(), marks: []mark{{}}}
	buf := make([]byte, 4*stride)
	var at mark
	ended := true
	for at.off < x.size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := readAt(src, buf, at.off)
		if err != nil {
			return nil, err
		}
		if at.off+int64(len(b)) < x.size {
			b = rescue.WholeBeginning(b)
		}
		for len(b) > 0 {
			piece := b[:min(len(b), stride)]
			if len(piece) < len(b) {
				piece = rescue.WholeBeginning(piece)
			}
			at.off += int64(len(piece))
			at.chars += int64(utf8.RuneCount(piece))
			at.breaks += int64(rescue.CountBreaks(piece))
			x.marks = append(x.marks, at)
			ended = rescue.BreakEnds(piece, len(piece))
			b = b[len(piece):]
		}
	}
	x.chars, x.lines = at.chars, at.breaks
	if !ended {
		x.lines++
	}
	return x, nil
}

// before returns the last mark m with key(m) <= v. Keys grow with the offset.
func (x *index) before(v int64, key func(mark) int64) mark {
	i := sort.Search(len(x.marks), func(i int) bool { return key(x.marks[i]) > v })
	return x.marks[i-1]
}

// piece reads the stride that follows m.
func (x *index) piece(m mark) ([]byte, error) {
	return readAt(x.src, make([]byte, stride+utf8.UTFMax), m.off)
}

// char returns where character n, from 0, begins; n = chars is the end.
func (x *index) char(n int64) (int64, error) {
	m := x.before(n, func(m mark) int64 { return m.chars })
	if m.chars == n {
		return m.off, nil
	}
	b, err := x.piece(m)
	if err != nil {
		return 0, err
	}
	size, _ := prefix(b, n-m.chars)
	return m.off + int64(size), nil
}

// line returns where line n, from 1 to lines, begins.
func (x *index) line(n int64) (int64, error) {
	if n == 1 {
		return 0, nil
	}
	// The mark must lie before the break that ends line n-1.
	m := x.before(n-2, func(m mark) int64 { return m.breaks })
	b, err := x.piece(m)
	if err != nil {
		return 0, err
	}
	at := 0
	for left := n - 1 - m.breaks; left > 0; left-- {
		i, size := rescue.NextBreak(b[at:])
		at += i + size
	}
	return m.off + int64(at), nil
}

// place returns the character that begins at byte off and the line that it is
// in. A \n after \r is in the line that they end.
func (x *index) place(off int64) (char, line int64, err error) {
	m := x.before(off, func(m mark) int64 { return m.off })
	if m.off == off {
		return m.chars, m.breaks + 1, nil
	}
	b, err := readAt(x.src, make([]byte, off-m.off+1), m.off)
	if err != nil {
		return 0, 0, err
	}
	before := b[:off-m.off]
	line = m.breaks + int64(rescue.CountBreaks(before)) + 1
	if len(b) > len(before) && b[len(before)] == '\n' && before[len(before)-1] == '\r' {
		line--
	}
	return m.chars + int64(utf8.RuneCount(before)), line, nil
}
