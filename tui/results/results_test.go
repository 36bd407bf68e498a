package results

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/internal/stage"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/watch"
)

// driver drives the screen on the demo.
type driver = stage.Stage[*Screen]

// open drives the screen on files of results.
func open(t *testing.T, w, h int, o Options, files ...watch.File) *driver {
	t.Helper()
	o.Still = true
	d := stage.Open(t, w, h, stage.Demo(demo.Config()), func(h desk.Desk, g ui.Glyphs) *Screen { return New(h, g, o) })
	d.Run(d.S.take(files))
	return d.Reload().Settle()
}

// demoFiles are the results of the demo.
func demoFiles() []watch.File {
	var files []watch.File
	for _, name := range demo.ResultFiles {
		files = append(files, watch.File{Name: "some/" + name, Data: demo.Result(name)})
	}
	return files
}

// onDemo drives the screen on the results of the demo.
func onDemo(t *testing.T, w, h int) *driver {
	t.Helper()
	return open(t, w, h, Options{}, demoFiles()...)
}

// asking types requests, one after another.
func asking(d *driver, requests ...string) *driver {
	d.T.Helper()
	if d.S.typing != typingRequest {
		d.Press("e")
	}
	for _, r := range requests {
		d.Type(r).Press("enter")
	}
	return d
}

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
