package workbench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/watch"
)

// loadRegistry parses the registry, unless its files and the configured servers
// are the same as last time. When the files are broken, it keeps the last good
// registry. Files of folders that are broken beside others that are not are left out, or
// as they were in the last good registry; it returns their faults.
func (w *Workbench) loadRegistry(ctx context.Context, in *Input) (leftOut []model.Diagnostic, broken *model.Diagnostic) {
	files, servers := slices.DeleteFunc(slices.Clone(in.Registry), func(f watch.File) bool { return IsSkill(f.Name) }), w.config.Servers
	naming := NamingOf(cmp.Or(config.Generation(in.Flags.Generation), w.config.ToolSearch.Generation))
	if w.registry != nil && naming == w.naming && slices.EqualFunc(files, w.registryFrom, sameFile) && slices.Equal(servers, w.servers) {
		return w.leftOut, nil
	}
	sources := make([]model.Source, len(files))
	faults := make([]*model.Diagnostic, len(files)) // of files of folders
	for i, f := range files {
		sources[i] = model.Source{Name: f.Name, Data: f.Data, Servers: servers, Naming: naming}
		if f.InFolder {
			sources[i].Toolset = shapes.ToolsetName(f.Name)
		}
		switch {
		case f.Err != nil && !f.InFolder:
			return nil, unreadable(f)
		case f.Err != nil:
			faults[i] = unreadable(f)
		}
	}
	in.enter(PhaseParsing)
	leftOut, good := w.separate(sources, faults)
	registry, err := shapes.Parse(ctx, good...)
	if err != nil || len(good) == 0 && len(leftOut) > 0 {
		for i, f := range files {
			var d model.Diagnostic
			if !f.InFolder || faults[i] != nil {
				continue
			}
			if _, err := shapes.Parse(ctx, sources[i]); errors.As(err, &d) {
				faults[i] = &d
			}
		}
		leftOut, good = w.separate(sources, faults)
		switch {
		case ctx.Err() != nil:
			return nil, nil // which the load says
		case len(leftOut) == 0:
			return nil, diagnostic(err, "")
		case len(good) == 0:
			return leftOut[1:], &leftOut[0]
		}
		if registry, err = shapes.Parse(ctx, good...); err != nil {
			return nil, diagnostic(err, "")
		}
	}
	w.registry, w.registryFrom, w.servers, w.naming, w.leftOut = registry, slices.Clone(files), servers, naming, leftOut
	return leftOut, nil
}

// separate returns the faults that there are, and the sources: one with a fault is as it
// was in the last good registry, if that had it, and else left out.
func (w *Workbench) separate(sources []model.Source, faults []*model.Diagnostic) (leftOut []model.Diagnostic, good []model.Source) {
	for i, s := range sources {
		if faults[i] != nil {
			leftOut = append(leftOut, *faults[i])
			s.Data = nil
			if w.registry != nil {
				if at := slices.IndexFunc(w.registry.Sources, func(was model.Source) bool { return was.Name == s.Name }); at >= 0 {
					s.Data = w.registry.Sources[at].Data
				}
			}
			if s.Data == nil {
				continue
			}
		}
		good = append(good, s)
	}
	return leftOut, good
}

// NamingOf returns how the agent of a generation names the tools of MCP servers.
func NamingOf(g config.Generation) model.Naming {
	if g == config.September2026 {
		return model.LaterNaming
	}
	return model.HermesNaming
}

// loadConfig parses the configuration, unless its file is the same as last
// time. When the file is broken, it keeps the last good configuration,
// initially the defaults.
func (w *Workbench) loadConfig(f *watch.File) *model.Diagnostic {
	if f == nil {
		if w.configFrom != nil || !w.configGood {
			w.config, _ = config.Parse("", nil)
			w.configFrom, w.configGood = nil, true
		}
		return nil
	}
	if w.configFrom != nil && sameFile(*f, *w.configFrom) {
		return nil
	}
	if f.Err != nil {
		return unreadable(*f)
	}
	parsed, err := config.Parse(f.Name, f.Data, w.Lookup)
	if err == nil {
		w.config, w.configFrom, w.configGood = parsed, &watch.File{Name: f.Name, Data: f.Data}, true
		return nil
	}
	if !w.configGood {
		w.config = parsed
	}
	return diagnostic(err, f.Name)
}

// loadQueries parses the labelled queries, unless their file is the same as
// last time. When the file cannot be read or has only errors, it keeps the last
// good queries; a missing file has none.
func (w *Workbench) loadQueries(f *watch.File) *model.Diagnostic {
	if f == nil || errors.Is(f.Err, fs.ErrNotExist) {
		w.queries, w.queryFaults, w.queriesFrom = nil, nil, nil
		return nil
	}
	if w.queriesFrom != nil && sameFile(*f, *w.queriesFrom) {
		return nil
	}
	if f.Err != nil {
		return unreadable(*f)
	}
	if w.queriesFrom != nil && len(w.queryFaults) == 0 && bytes.Equal(f.Data, w.queriesFrom.Data) {
		return nil // of another name, or written anew
	}
	queries, faults := labels.Parse(f.Name, f.Data)
	if len(queries) == 0 && len(faults) > 0 && len(w.queries) > 0 {
		return &faults[0]
	}
	w.queries, w.queryFaults = queries, faults
	w.queriesFrom = &watch.File{Name: f.Name, Data: f.Data}
	return nil
}

// sameFile reports whether two reads have the same bytes. Watchers return the
// same slice while a file is unchanged, so the comparison is cheap.
func sameFile(a, b watch.File) bool {
	return a.Name == b.Name && a.Err == nil && b.Err == nil && bytes.Equal(a.Data, b.Data)
}

// unreadable returns the diagnostic for a file that could not be read.
func unreadable(f watch.File) *model.Diagnostic {
	return &model.Diagnostic{File: safetext.Line(f.Name), Code: "unreadable", Message: safetext.Line(Cause(f.Err).Error())}
}

// Cause returns the innermost error, whose text does not repeat the path.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// diagnostic returns a parser's error as a diagnostic of a file.
func diagnostic(err error, file string) *model.Diagnostic {
	var d model.Diagnostic
	if errors.As(err, &d) {
		return &d
	}
	return &model.Diagnostic{File: safetext.Line(file), Code: "invalid", Message: safetext.Line(err.Error())}
}

// configName returns the name of the configuration file, empty without one.
func configName(f *watch.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}

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
