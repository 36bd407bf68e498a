package workbench

import (
	"bytes"
	"path/filepath"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/watch"
)

// lesson is the lessons of a file of labelled queries about a registry.
type lesson struct {
	path     string
	data     []byte
	registry *model.Registry
	lessons  *engine.Lessons // nil for a file that cannot be read
	faults   []model.Diagnostic
}

// learn returns the lessons of the file that the flags or else the configuration name. It
// returns the last ones while the file and the registry are the same. The diagnostic
// is about a file that cannot be read, which teaches nothing.
func (w *Workbench) learn(r *model.Registry, in Input, c config.Config) (lesson, *model.Diagnostic) {
	path := in.Flags.Learn
	if path == "" && c.ToolSearch.Learn != "" {
		if path = c.ToolSearch.Learn; !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(configName(in.Config)), path)
		}
	}
	if path == "" {
		return lesson{}, nil
	}
	data, err := w.ReadFile(path)
	if err != nil {
		return lesson{path: path}, unreadable(watch.File{Name: path, Err: err})
	}
	if t := w.taught; t != nil && t.path == path && t.registry == r && bytes.Equal(t.data, data) {
		return *t, nil
	}
	queries, faults := labels.Parse(path, data)
	w.taught = &lesson{path, data, r, labels.Lessons(r, queries), faults}
	return *w.taught, nil
}
