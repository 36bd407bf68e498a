package main

import (
	"slices"
	"testing"

	"caliper/tui"
	"caliper/tui/cli"
	"caliper/watch"
)

// A watched folder is read as it is at a start: YAML about something else is left out, and
// a folder of nothing else has no dump.
func TestChangeOfFolder(t *testing.T) {
	file := func(path, data string) watch.File { return watch.File{Path: path, Data: []byte(data)} }
	names := func(c tui.Change) (out []string) {
		for _, f := range c.Files {
			name := f.Name
			if f.Err != nil {
				name += ": " + f.Err.Error()
			}
			out = append(out, name)
		}
		return out
	}
	api, ci := file("d/api.yaml", "openapi: 3.0.0\npaths: {}\n"), file("d/ci.yaml", "name: ci\n")
	for _, c := range []struct {
		files []watch.File
		named []string
		want  []string
	}{
		{[]watch.File{api, ci}, []string{"d"}, []string{"d/api.yaml"}},
		{[]watch.File{ci}, []string{"d/ci.yaml"}, []string{"d/ci.yaml"}},
		{[]watch.File{ci, file("d/x.yml", "a: 1\n"), file("e.json", "[]")}, []string{"d", "e.json"}, []string{"e.json", "d: " + cli.ErrNoDump.Error()}},
		{[]watch.File{ci}, nil, []string{"d/ci.yaml"}},
	} {
		if got := names(changeOf(watch.Change{Files: c.files}, c.named)); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.named, got, c.want)
		}
	}
}
