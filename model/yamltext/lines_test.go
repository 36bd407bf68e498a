package yamltext

import (
	"strings"
	"testing"
)

func TestBreaksLine(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"line feed", "\na", true},
		{"carriage return", "\ra", true},
		{"carriage return at the end", "\r", true},
		{"carriage return before a line feed", "\r\n", false},
		{"next line", "\u0085a", true},
		{"first byte of a next line", "\xc2", false},
		{"no-break space", "\u00a0", false},
		{"line separator", "\u2028a", true},
		{"paragraph separator", "\u2029", true},
		{"first bytes of a separator", "\xe2\x80", false},
		{"first byte of a separator", "\xe2", false},
		{"dash of the same block", "\u2014", false},
		{"euro sign", "\u20ac", false},
		{"character with a separator's last byte", "\u20a8", false},
		{"letter", "a\n", false},
	}
	for _, test := range tests {
		if got := BreaksLine([]byte(test.text)); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

func TestPositions(t *testing.T) {
	data := "é=1\r\nb\u2028c\rd\nlast"
	lines := newLineTable([]byte(data))
	for _, c := range []struct {
		line, column int // as the library counts
		text         string
		wantLine     int
		wantCol      int
	}{
		{1, 1, "é", 1, 1}, {1, 2, "=", 1, 3}, {2, 1, "b", 2, 1}, {3, 1, "c", 2, 5}, {4, 1, "d", 2, 7}, {5, 1, "last", 3, 1}, {5, 4, "t", 3, 4},
		{5, 9, "", 3, 5}, {9, 1, "", 3, 5}, {0, 5, "é", 1, 1},
	} {
		at := lines.offset(c.line, c.column)
		line, col := lines.Position(at)
		if !strings.HasPrefix(data[at:], c.text) || line != c.wantLine || col != c.wantCol {
			t.Errorf("%d:%d is %q at %d:%d, want %q at %d:%d", c.line, c.column, data[at:], line, col, c.text, c.wantLine, c.wantCol)
		}
	}
	long := strings.Repeat("é", 1000) + "x"
	if at := newLineTable([]byte(long)).offset(1, 1001); at != 2000 {
		t.Errorf("column 1001 is at %d, want 2000", at)
	}
}
