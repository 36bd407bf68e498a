package rescue

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

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
	if !p.add(Line{Text: "éa"}) || p.room != 0 || p.add(Line{}) || len(p.lines) != 1 || p.lines[0].Text != "éa" {
		t.Errorf("%+v", p)
	}
	x := excerpt{data: []byte("a\nb\n"), meta: Meta{Lines: 2}, limits: Limits{HeadLines: 9, TailLines: 9}}
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
		s := findErrors([]byte(text), 0, 1, nil)
		if len(s.lines) != 1 {
			t.Fatal(s)
		}
		if l := s.lines[0]; l.fromStart != c.fromStart || l.toEnd != c.toEnd || utf8.RuneCount(l.text) > maxSuspectLine {
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
		x := excerpt{data: []byte(text), meta: Meta{Lines: lines}, limits: Limits{HeadLines: 9, TailLines: 9}}
		got, _ := x.headLines([]byte(text), 1000)
		if cut := got[0].chars; cut > 936 || lines > 3 && cut > 300-gutterRoom || lines == 3 && cut < 900 {
			t.Errorf("of %d lines the first shows %d characters", lines, cut)
		}
		if lines > 3 && len(got) != want {
			t.Errorf("%d of %d lines are shown", len(got), lines)
		}
		text = strings.Repeat("b\n", lines-1) + long + "\n"
		x.data = []byte(text)
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
