package results

import (
	"testing"

	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/internal/stage"
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
