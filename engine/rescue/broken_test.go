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

func TestScannerRemembersTheBeginningOfAString(t *testing.T) {
	s := newScanner([]byte(`"` + strings.Repeat(`\u0041b`, 500) + `"`))
	ok := s.Peek() == '"' && s.String()
	if from, to := s.TextAt(); !ok || from != 1 || to != 3501 || len(captured(s)) != maxCaptured || !strings.HasPrefix(captured(s), `\u0041b\u0041b`) {
		t.Errorf("%d to %d, %v, %q", from, to, ok, captured(s))
	}
}
