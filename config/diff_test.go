package config

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

func TestLines(t *testing.T) {
	numbered := strings.Join(strings.Split("1 2 3 4 5 6 7 8 9", " "), "\n") + "\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"empty", "", "", ""},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"one line changed", numbered, strings.Replace(numbered, "5", "five", 1),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"one line added at the end", numbered, numbered + "10\n", "@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+10\n"},
		{"two far apart", numbered, strings.NewReplacer("1", "one", "9", "nine").Replace(numbered),
			"@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+nine\n"},
		{"no line feed at the end", "a\nb", "a\nb\nc", "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n"},
		{"lines like heads", "--- x\n", "@@ y\n", "@@ -1,1 +1,1 @@\n---- x\n+@@ y\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"blank lines", "\n\n", "\nx\n\n", "@@ -1,2 +1,3 @@\n \n+x\n \n"},
	} {
		want := c.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if got := Unified("old", "new", Diff([]byte(c.old), []byte(c.new))); got != want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, want)
		}
	}
}

// TestLinesTell checks that the lines of a difference, put into the old text,
// give the new one, and that their numbers are right.
func TestLinesTell(t *testing.T) {
	line := rapid.SampledFrom([]string{"a", "b", "c", "-d", "+e", " f", "@@ g", `\ h`, ""})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []string { return rapid.SliceOfN(line, 0, 30).Draw(t, name) }
		before, after := draw("old"), draw("new")
		text := func(lines []string) []byte {
			var b strings.Builder
			for _, l := range lines {
				b.WriteString(l + "\n")
			}
			return []byte(b.String())
		}
		var got []string
		next := 0 // of the old lines
		for _, l := range Diff(text(before), text(after)) {
			switch l.Op {
			case Same, Removed:
				got = append(got, before[next:l.Old-1]...)
				if next = l.Old; before[l.Old-1] != l.Text {
					t.Fatalf("old line %d is %q, not %q", l.Old, before[l.Old-1], l.Text)
				}
			case Added:
				if after[l.New-1] != l.Text {
					t.Fatalf("new line %d is %q, not %q", l.New, after[l.New-1], l.Text)
				}
			case Hunk:
				continue
			}
			if l.Op == Same && after[l.New-1] != l.Text {
				t.Fatalf("new line %d is %q, not %q", l.New, after[l.New-1], l.Text)
			}
			if l.Op != Removed {
				got = append(got, l.Text)
			}
		}
		got = append(got, before[next:]...)
		if !slices.Equal(got, after) {
			t.Fatalf("%q, want %q", got, after)
		}
	})
}
