package workbench

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/engine/trial"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
)

// loadRegistry parses the registry, unless its files and the configured servers
// are the same as last time. When the files are broken, it keeps the last good
// registry.
func (w *Workbench) loadRegistry(ctx context.Context, in *Input) *model.Diagnostic {
	files, servers := in.Registry, w.config.Servers
	naming := NamingOf(cmp.Or(config.Generation(in.Flags.Generation), w.config.ToolSearch.Generation))
	if w.registry != nil && naming == w.naming && slices.EqualFunc(files, w.registryFrom, sameFile) && slices.Equal(servers, w.servers) {
		return nil
	}
	sources := make([]model.Source, len(files))
	for i, f := range files {
		if f.Err != nil {
			return unreadable(f)
		}
		sources[i] = model.Source{Name: f.Name, Data: f.Data, Toolset: f.Toolset, Servers: servers, Naming: naming}
	}
	in.enter(PhaseParsing)
	registry, err := w.parse(ctx, in, sources)
	if err != nil {
		return diagnostic(err, "")
	}
	w.registry, w.registryFrom, w.servers, w.naming = registry, slices.Clone(files), servers, naming
	return nil
}

// NamingOf returns how the agent of a generation names the tools of MCP servers.
func NamingOf(g config.Generation) model.Naming {
	if g == config.September2026 {
		return model.LaterNaming
	}
	return model.HermesNaming
}

// parse reads sources. Those of an input on demand are not read again.
func (w *Workbench) parse(ctx context.Context, in *Input, sources []model.Source) (*model.Registry, error) {
	if in.OnDemand {
		return shapes.Once(ctx, in.Part, sources...)
	}
	last := w.registry
	if last == nil {
		last = new(model.Registry)
	}
	return shapes.Stream(ctx, last, in.Part, sources...)
}

// loadConfig parses the configuration, unless its file is the same as last
// time. When the file is broken, it keeps the last good configuration,
// initially the defaults.
func (w *Workbench) loadConfig(f *File) *model.Diagnostic {
	if f == nil {
		if w.configFrom != nil || !w.configGood {
			w.config, _ = config.Parse("", nil)
			w.configFrom, w.configGood = nil, true
			w.configReads++
		}
		return nil
	}
	if w.configFrom != nil && sameFile(*f, *w.configFrom) {
		return nil
	}
	if f.Err != nil {
		return unreadable(*f)
	}
	parsed, err := config.Parse(f.Name, f.Data, config.WithEnvironment(w.Lookup))
	w.configReads++
	if err == nil {
		w.config, w.configFrom, w.configGood = parsed, &File{Name: f.Name, Data: f.Data}, true
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
func (w *Workbench) loadQueries(f *File) *model.Diagnostic {
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
	queries, faults := labels.Parse(f.Name, f.Data)
	if len(queries) == 0 && len(faults) > 0 && len(w.queries) > 0 {
		return &faults[0]
	}
	w.queries, w.queryFaults = queries, faults
	w.queriesFrom = &File{Name: f.Name, Data: f.Data}
	return nil
}

// editsOf returns the edits as edits of the tools of a registry.
func editsOf(r *model.Registry, edits []Edit) []trial.Edit {
	var out []trial.Edit
	for _, e := range edits {
		for _, t := range r.Lookup(e.Tool) {
			if t.Qualified == e.Tool && t.Description != e.Description {
				out = append(out, trial.Edit{Tool: t, Description: &e.Description})
			}
		}
	}
	return out
}

// sameFile reports whether two reads have the same bytes. Watchers return the
// same slice while a file is unchanged, so the comparison is cheap.
func sameFile(a, b File) bool {
	return a.Name == b.Name && a.Err == nil && b.Err == nil && len(a.Data) == len(b.Data) &&
		(len(a.Data) == 0 || &a.Data[0] == &b.Data[0])
}

// unreadable returns the diagnostic for a file that could not be read.
func unreadable(f File) *model.Diagnostic {
	return &model.Diagnostic{File: safetext.Line(f.Name), Code: "unreadable", Message: safetext.Line(cause(f.Err).Error())}
}

// cause returns the innermost error, whose text does not repeat the path.
func cause(err error) error {
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
func configName(f *File) string {
	if f == nil {
		return ""
	}
	return f.Name
}
