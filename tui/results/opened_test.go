package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/tui/screen"
	"caliper/watch"
)

// A file is opened by its path, read again with R, and outlives what the watcher reports.
func TestOpenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "big.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[1,2,3]")
	d := open(t, 118, 30, Options{}).press("f")
	d.run(d.asked(path))
	d.wants("big.json", "[1,2,3]")
	write("[4]")
	d.run(d.s.Update(screen.RereadMsg{}))
	d.wants("[4]")
	d.run(d.s.take([]watch.File{{Name: "watched.txt", Data: []byte("x")}}))
	d.wants("[4]")
	d.run(d.asked(filepath.Dir(path)))
	if last := d.notices[len(d.notices)-1]; !strings.Contains(last, errNotAFile.Error()) {
		t.Errorf("a folder is answered with %q", last)
	}
}

// A pasted path of a file is offered to be opened, and is a text for who wants that; one
// of no file is a text at once.
func TestPastedPath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a result.txt")
	if err := os.WriteFile(path, []byte("what the tool said"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, 118, 30, Options{}).pasted("'" + path + "'\n").press("enter")
	d.run(d.choose(openIt))
	d.wants("what the tool said")
	d.pasted(path).press("enter")
	d.run(d.choose("text"))
	d.pasted(path + ".none").press("enter").wants("pasted 2  of")
	var names []string
	for _, r := range d.s.sources {
		names = append(names, r.name)
	}
	if want := []string{path, "pasted", "pasted 2"}; !slices.Equal(names, want) {
		t.Errorf("sources are %q, want %q", names, want)
	}
	if got := d.s.AtStake(); len(got) != 2 {
		t.Errorf("%q are lost on leaving, want the two pasted ones", got)
	}
}
