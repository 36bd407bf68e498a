package rescue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// failing is a blob whose nth read does something else.
type failing struct {
	io.ReaderAt
	left int
	what func() error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.left--; f.left == 0 {
		if err := f.what(); err != nil {
			return 0, err
		}
	}
	return f.ReaderAt.ReadAt(p, off)
}

// TestEveryReadFault: whichever read fails, no handle is made of the rest.
func TestEveryReadFault(t *testing.T) {
	disk := errors.New("disk gone")
	for name, text := range map[string]string{
		"log":         strings.Repeat("a line of words\n", 20000),
		"a line":      strings.Repeat("wörds ", 60000),
		"array":       "[" + strings.Repeat(`{"a":"é"},`, 30000) + "1]",
		"large items": `["` + strings.Repeat("é", 200000) + `",` + strings.Repeat("1,", 20) + `"` + strings.Repeat("é", 200000) + `"]`,
		"member":      `{"ok":true,"rows":[` + strings.Repeat(`{"a":"é"},`, 30000) + `1],"z":"é"}`,
		"binary":      strings.Repeat("\x00\xff", 90000),
		"envelope":    `{"content":[{"type":"text","text":"` + strings.Repeat(`é\n`, 60000) + `"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(text)
			m := metaOf("t", data)
			want := handleOf(t, "t", data, Default())
			for n := 1; ; n++ {
				src := &failing{bytes.NewReader(data), n, func() error { return disk }}
				p, err := Handle(context.Background(), src, m, Default())
				if src.left > 0 {
					break
				}
				if !errors.Is(err, disk) || p.Text != "" {
					t.Fatalf("read %d: %v, %.100q", n, err, p.Text)
				}
				c, cancel := context.WithCancel(context.Background())
				src = &failing{bytes.NewReader(data), n, func() error { cancel(); return nil }}
				p, err = Handle(c, src, m, Default())
				cancel()
				if !errors.Is(err, context.Canceled) && p.Text != want.Text {
					t.Fatalf("cancelled in read %d: %v, %.100q", n, err, p.Text)
				}
			}
			for n := 1; ; n++ {
				src := &failing{bytes.NewReader(data), n, func() error { return disk }}
				kind, err := DetectAt(context.Background(), src, m.Bytes)
				if src.left > 0 {
					break
				}
				if !errors.Is(err, disk) || kind != "" {
					t.Fatalf("detecting, read %d: %q, %v", n, kind, err)
				}
			}
		})
	}
}

// short is a blob whose reads are short, without an error.
type short struct{}

func (short) ReadAt(p []byte, _ int64) (int, error) { return len(p) - 1, nil }

func TestReadPart(t *testing.T) {
	if _, err := readPart(short{}, 0, 2); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if _, err := readPart(strings.NewReader("a"), 0, 2); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	disk := errors.New("disk gone")
	if _, err := readPart(&failing{strings.NewReader("ab"), 1, func() error { return disk }}, 0, 2); err != disk {
		t.Error(err)
	}
	if b, err := readPart(strings.NewReader("abc"), 1, 3); err != nil || string(b) != "bc" {
		t.Error(string(b), err)
	}
}

// TestDefaults: the limits are the plugin's.
func TestDefaults(t *testing.T) {
	want := Limits{12000, 4000, 50000, 8000, 40, 15, 5, 2, true, 500 * time.Millisecond, 80, 2000, nil, nil, ""}
	if got := Default(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v", got)
	}
}

// TestPageIsFilled: a line that just fits is in, and one more character is not.
func TestPageIsFilled(t *testing.T) {
	p := page{room: 3}
	if !p.add(Line{Text: "éa"}) || p.room != 0 || p.add(Line{}) || joined(p.lines) != "éa" {
		t.Errorf("%+v", p)
	}
	x := excerpt{size: 4, meta: Meta{Lines: 2}, limits: Limits{HeadLines: 9, TailLines: 9}, src: strings.NewReader("a\nb\n")}
	if lines, end := x.headLines([]byte("a\nb\n"), 10); len(lines) != 2 || end != 4 {
		t.Errorf("%+v %d", lines, end)
	}
	if lines, end := x.headLines([]byte("a\nb\n"), 9); len(lines) != 1 || end != 2 {
		t.Errorf("%+v %d", lines, end)
	}
	if lines, begin := x.tailLines([]byte("a\nb\n"), 0, 10); len(lines) != 2 || begin != 0 {
		t.Errorf("%+v %d", lines, begin)
	}
	if lines, begin := x.tailLines([]byte("a\nb\n"), 0, 9); len(lines) != 1 || begin != 2 {
		t.Errorf("%+v %d", lines, begin)
	}
}

// TestSuspectIsCutOnlyWhenLong: a short line is shown from its start however late
// its word comes, and a long one whose word comes early.
func TestSuspectIsCutOnlyWhenLong(t *testing.T) {
	for _, c := range []struct {
		before, after    int
		fromStart, toEnd bool
	}{
		{100, 20, true, true}, {10, 700, true, false}, {60, 700, true, false}, {61, 700, false, false}, {400, 20, false, true},
		{0, 175, true, true}, {0, 176, true, false},
	} {
		text := strings.Repeat("x", max(0, c.before-1)) + strings.Repeat(" ", min(1, c.before)) + "error" + strings.Repeat(".", c.after)
		s, err := findErrors(context.Background(), strings.NewReader(text), int64(len(text)), 0, 1, nil)
		if err != nil || len(s.lines) != 1 {
			t.Fatal(s, err)
		}
		if l := s.lines[0]; l.fromStart != c.fromStart || l.toEnd != c.toEnd || CountChars(l.text) > maxSuspectLine {
			t.Errorf("%+v: from start %v, to end %v, %d", c, l.fromStart, l.toEnd, len(l.text))
		}
	}
}

// TestLongLinesShareTheRoom: among more than three lines one long line leaves room for
// the others; of three it may take all.
func TestLongLinesShareTheRoom(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for lines, want := range map[int]int{4: 4, 3: 1} {
		text := long + "\n" + strings.Repeat("b\n", lines-1)
		x := excerpt{size: int64(len(text)), meta: Meta{Lines: lines}, limits: Limits{HeadLines: 9, TailLines: 9}, src: strings.NewReader(text)}
		got, _ := x.headLines([]byte(text), 1000)
		if cut := got[0].chars; cut > 936 || lines > 3 && cut > 300-gutterRoom || lines == 3 && cut < 900 {
			t.Errorf("of %d lines the first shows %d characters", lines, cut)
		}
		if lines > 3 && len(got) != want {
			t.Errorf("%d of %d lines are shown", len(got), lines)
		}
		text = strings.Repeat("b\n", lines-1) + long + "\n"
		x.src = strings.NewReader(text)
		got, _ = x.tailLines([]byte(text), 0, 1000)
		last := got[len(got)-1]
		if last.number != lines || lines > 3 && (last.chars > 300-gutterRoom || len(got) != want) || lines == 3 && last.chars < 900 {
			t.Errorf("at the end %+v of %d lines, %d shown", last.chars, lines, len(got))
		}
	}
}

// TestMemberOfHalf: a member is shown by its items when it is more than half of the
// blob, and not when it is half.
func TestMemberOfHalf(t *testing.T) {
	list := "[" + strings.Repeat("1,", 4000) + "1]"
	for other, want := range map[int]bool{len(list) + 100: false, len(list) - 100: true} {
		text := `{"a":` + list + `,"b":"` + strings.Repeat("y", other) + `"}`
		p := handleOf(t, "t", []byte(text), Default())
		if got := strings.Contains(p.Text, `[shape of "a"`); got != want {
			t.Errorf("beside %d characters, by its items: %v", other, got)
		}
	}
}
