package tui

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/tui/workbench"
)

// reload is what a load found changed in the files. It is nil where the files
// say what they said before: knobs, and other sessions and tokenizers, are no
// reload.
type reload struct {
	registry, config bool // which of the two were read anew

	diff     engine.Diff // of bounded size
	session  string      // whose figures are told; safe for a terminal
	same     bool        // that they are the figures of one session, counted alike
	auto     bool        // the mode is auto, and so the threshold decides
	settings []string    // the settings that changed, a line each
	flips    []engine.Flip
	lost     int                // relevant tools of saved queries that fell out of the limit
	found    int                // and those that came within
	warnings []model.Diagnostic // that are new
	gone     int                // warnings that are no more
}

// reloadOf returns what changed on disk from one state to the next, nil when
// nothing was read anew. It looks at every tool, asks every labelled query and
// decides for every session, so that it is made where the load is, beside the
// interface. was and now are the config files that the states were made of.
func reloadOf(ctx context.Context, before, after *workbench.State, was, now *workbench.File, queries []engine.Query) *reload {
	if before == nil || after.Snapshot == nil {
		return nil
	}
	before, after = before.OnDisk(), after.OnDisk()
	old, new := before.Snapshot, after.Snapshot
	r := &reload{
		registry: old.Registry != new.Registry,
		session:  shortName(new.Session.Name),
		same:     old.Session.Name == new.Session.Name && old.Tokenizer == new.Tokenizer,
		auto:     new.Config.ToolSearch.Enabled == config.Auto,
		settings: settingChanges(before.Config, after.Config),
	}
	if r.config = readAnew(was, now) && (len(r.settings) > 0 || !faulty(now, after.Errors)); !r.config {
		r.settings = nil // those are of flags
	}
	if !r.registry && !r.config {
		return nil
	}
	var err error
	if r.diff, err = engine.Compare(ctx, old, new, queries); err != nil {
		return nil
	}
	if r.same {
		r.rankQueries()
	} else {
		r.diff.Queries = nil // of two sessions; nothing has moved
	}
	r.diff = r.diff.Head(keptDetails / 4)
	if len(old.Registry.Tools) > 0 && len(new.Registry.Tools) > 0 { // what comes from or to nothing flips nothing
		if r.flips, err = engine.Flips(ctx, old, new); err != nil {
			return nil
		}
	}
	slices.SortStableFunc(r.flips, func(a, b engine.Flip) int { // the session on screen first
		mine := func(f engine.Flip) int {
			if f.New.Session == new.Session.Name {
				return 0
			}
			return 1
		}
		return mine(a) - mine(b)
	})
	r.warnings, r.gone = warningChanges(before.Warnings, after.Warnings)
	return r
}

// rankQueries keeps the queries whose relevant tools moved, those that lost one
// first, then those that found one again, and counts both.
func (r *reload) rankQueries() {
	place := func(q engine.QueryChange) int {
		at := 3
		for _, rank := range q.Ranks {
			switch {
			case rank.Regressed:
				at = 0
			case rank.Regained:
				at = min(at, 1)
			case rank.Old != rank.New:
				at = min(at, 2)
			}
		}
		return at
	}
	moved := slices.DeleteFunc(slices.Clone(r.diff.Queries), func(q engine.QueryChange) bool { return place(q) == 3 })
	slices.SortStableFunc(moved, func(a, b engine.QueryChange) int { return place(a) - place(b) })
	r.diff.Queries = moved
	for _, q := range moved {
		for _, rank := range q.Ranks {
			if rank.Regressed {
				r.lost++
			}
			if rank.Regained {
				r.found++
			}
		}
	}
}

// readAnew reports whether a file holds other bytes than before.
func readAnew(was, now *workbench.File) bool {
	if was == nil || now == nil {
		return was != now
	}
	return !bytes.Equal(was.Data, now.Data)
}

// faulty reports whether a file is one that has an error.
func faulty(f *workbench.File, errors []model.Diagnostic) bool {
	return f != nil && slices.ContainsFunc(errors, func(d model.Diagnostic) bool { return d.File == model.Sanitize(f.Name) })
}

// places are the parts of a warning that change when something before it is
// added or removed.
var places = regexp.MustCompile(`\[\d+\]`)

// warningChanges returns the warnings that are new, and how many are gone.
// Warnings that have only moved are neither.
func warningChanges(was, now []model.Diagnostic) (added []model.Diagnostic, gone int) {
	placeless := func(d model.Diagnostic) model.Diagnostic {
		d.Line, d.Col = 0, 0
		d.Path, d.Message = places.ReplaceAllString(d.Path, "[]"), places.ReplaceAllString(d.Message, "[]")
		return d
	}
	known := map[model.Diagnostic]int{}
	for _, d := range was {
		known[placeless(d)]++
	}
	gone = len(was)
	for _, d := range now {
		if key := placeless(d); known[key] > 0 {
			known[key]--
			gone--
		} else {
			added = append(added, d)
		}
	}
	return added, gone
}

// warningWords is a warning with the names of files instead of their paths.
func warningWords(d model.Diagnostic) string {
	if d.File != "" {
		d.Message = strings.ReplaceAll(d.Message, d.File, filepath.Base(d.File))
	}
	return model.Sanitize(brief(d))
}
