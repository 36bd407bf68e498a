package config

import (
	"strings"
	"testing"

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
