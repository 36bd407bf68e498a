package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/screen"
	"caliper/watch"
)

// A file is opened by its path, read again with R, and outlives what the watcher reports.
func TestOpenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "big.json")
	write := func(text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("[1,2,3]")
	d := open(t, 118, 30, Options{}).Press("f")
	d.Run(d.Asked(path))
	d.Wants("big.json", "[1,2,3]")
	write("[4]")
	d.Run(d.S.Update(screen.RereadMsg{}))
	d.Wants("[4]")
	d.Run(d.S.take([]watch.File{{Name: "watched.txt", Data: []byte("x")}}))
	d.Wants("[4]")
	d.Run(d.Asked(filepath.Dir(path)))
	if last := d.Notices[len(d.Notices)-1]; !strings.Contains(last, errNotAFile.Error()) {
		t.Errorf("a folder is answered with %q", last)
	}
}

// A pasted path of a file is offered to be opened, and is a text for who wants that; one
// of no file is a text at once.
func TestPastedPath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a result.txt")
	require.NoError(t, os.WriteFile(path, []byte("what the tool said"), 0o600))
	d := open(t, 118, 30, Options{}).Paste("'" + path + "'\n").Press("enter")
	d.Run(d.Chosen(openIt))
	d.Wants("what the tool said")
	d.Paste(path).Press("enter")
	d.Run(d.Chosen("text"))
	d.Paste(path + ".none").Press("enter").Wants("pasted 2  of")
	var names []string
	for _, r := range d.S.sources {
		names = append(names, r.name)
	}
	if want := []string{path, "pasted", "pasted 2"}; !slices.Equal(names, want) {
		t.Errorf("sources are %q, want %q", names, want)
	}
	if got := d.S.AtStake(); len(got) != 2 {
		t.Errorf("%q are lost on leaving, want the two pasted ones", got)
	}
}
