package workbench

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/watch"
)

// Reload is the difference that a load found in the files. Changes of knobs,
// session or tokenizer alone make no Reload.
type Reload struct {
	Registry, Config bool // whether each was read again
	Overridden       bool // of the registry, only the descriptions of the overrides file changed

	Diff     diff.Diff // has at most MaxChanges changes of each kind
	Same     bool      // both sides of Diff have the same session and tokenizer
	Auto     bool      // the mode is auto, so the threshold decides
	Settings []SettingChange
	Flips    []engine.Flip      // sessions whose decision changed, the loaded one first
	Lost     int                // relevant tools of labelled queries that fell out of the limit
	Found    int                // relevant tools that came within the limit
	Warnings []model.Diagnostic // new warnings
	Gone     int                // number of warnings that are gone
}

// MaxChanges is how many changes of each kind the Diff of a Reload holds.
const MaxChanges = 50

// ReloadOf returns the changes on disk from one state to the next, nil when no
// file was read again. It compares every tool, runs every labelled query of
// after and decides for every session; call it in the goroutine of the load,
// not in the interface. was and now are the config files of the two states.
func ReloadOf(ctx context.Context, before, after *State, was, now *watch.File) *Reload {
	if before == nil || after.Snapshot == nil {
		return nil
	}
	before, after = before.OnDisk(), after.OnDisk()
	old, new := before.Snapshot, after.Snapshot
	r := &Reload{
		Registry: old.Registry != new.Registry,
		Same:     old.Session.Name == new.Session.Name && old.Tokenizer == new.Tokenizer,
		Auto:     new.Config.ToolSearch.Enabled == config.Auto,
		Settings: settingChanges(before.Config, after.Config),
	}
	r.Overridden = r.Registry && before.plain == after.plain
	faulty := func(d model.Diagnostic) bool { return now != nil && d.File == safetext.Line(now.Name) }
	if r.Config = ReadAgain(was, now) && (len(r.Settings) > 0 || !slices.ContainsFunc(after.Errors, faulty)); !r.Config {
		r.Settings = nil // they were changed by flags
	}
	if !r.Registry && !r.Config {
		return nil
	}
	var err error
	if r.Diff, err = diff.Compare(ctx, old, new, after.Queries); err != nil {
		return nil
	}
	if r.Same {
		r.rankQueries()
	} else {
		r.Diff.Queries = nil // they compare two sessions
	}
	r.Diff = r.Diff.Head(MaxChanges)
	if len(old.Registry.Tools) > 0 && len(new.Registry.Tools) > 0 { // an empty registry has no decision to compare
		if r.Flips, err = engine.Flips(ctx, old, new); err != nil {
			return nil
		}
	}
	if i := slices.IndexFunc(r.Flips, func(f engine.Flip) bool { return f.New.Session == new.Session.Name }); i > 0 { // the loaded session comes first
		r.Flips = slices.Concat(r.Flips[i:i+1], r.Flips[:i], r.Flips[i+1:])
	}
	r.Warnings, r.Gone = warningChanges(before.Warnings, after.Warnings)
	return r
}

// rankQueries keeps the queries whose relevant tools moved: those that lost a
// tool first, then those that found one again. It counts both.
func (r *Reload) rankQueries() {
	place := func(q diff.QueryChange) int {
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
	moved := slices.DeleteFunc(slices.Clone(r.Diff.Queries), func(q diff.QueryChange) bool { return place(q) == 3 })
	model.Sort(moved, func(a, b diff.QueryChange) int { return place(a) - place(b) })
	r.Diff.Queries = moved
	for _, q := range moved {
		for _, rank := range q.Ranks {
			if rank.Regressed {
				r.Lost++
			}
			if rank.Regained {
				r.Found++
			}
		}
	}
}

// ReadAgain reports whether the bytes of a file changed.
func ReadAgain(was, now *watch.File) bool {
	if was == nil || now == nil {
		return was != now
	}
	return !bytes.Equal(was.Data, now.Data)
}

// places matches what changes in a warning when something before it is added or
// removed: the indexes of a path, and in a message the place of another thing.
var places = words.LazyRegexp(`\[\d+\]|:\d+:\d+\b|\bline \d+\b`)

// warningChanges returns the new warnings, and how many are gone. It ignores
// warnings where only a position moved, their own or one that they name.
func warningChanges(was, now []model.Diagnostic) (added []model.Diagnostic, gone int) {
	withoutPosition := func(d model.Diagnostic) model.Diagnostic {
		d.Line, d.Col = 0, 0
		d.Path = places().ReplaceAllString(d.Path, "")
		d.Message = places().ReplaceAllString(d.Message, "")
		return d
	}
	known := map[model.Diagnostic]int{}
	for _, d := range was {
		known[withoutPosition(d)]++
	}
	gone = len(was)
	for _, d := range now {
		if key := withoutPosition(d); known[key] > 0 {
			known[key]--
			gone--
		} else {
			added = append(added, d)
		}
	}
	return added, gone
}

// SettingChange is a setting that differs between two configurations.
type SettingChange struct {
	Session  string // session that has the setting; empty for none
	Key      string // dotted key, or policy; the list of a session, empty when the session was added or removed
	Old, New any    // nil for none; lists are []string
}

// settingChanges returns the differences between two configurations: settings
// in the order of config show, then sessions, then the policy.
func settingChanges(old, new config.File) []SettingChange {
	was := map[string]any{}
	for _, s := range old.Settings {
		was[s.Key] = s.Value
	}
	var out []SettingChange
	for _, s := range new.Settings {
		_, isPolicy := s.Value.([]config.Rule)
		if !isPolicy && !strings.HasPrefix(s.Key, "sessions.") && !reflect.DeepEqual(s.Value, was[s.Key]) {
			out = append(out, SettingChange{Key: s.Key, Old: was[s.Key], New: s.Value})
		}
	}
	sessions := map[string]config.Session{}
	for _, s := range old.Sessions {
		sessions[s.Name] = s
	}
	for _, s := range new.Sessions {
		before, known := sessions[s.Name]
		delete(sessions, s.Name)
		if !known {
			out = append(out, SettingChange{Session: s.Name, New: s})
			continue
		}
		if (before.Enabled == nil) != (s.Enabled == nil) || !slices.Equal(before.Enabled, s.Enabled) {
			out = append(out, SettingChange{s.Name, "enabled_toolsets", before.Enabled, s.Enabled})
		}
		if !slices.Equal(before.Disabled, s.Disabled) {
			out = append(out, SettingChange{s.Name, "disabled_toolsets", before.Disabled, s.Disabled})
		}
	}
	for _, s := range old.Sessions {
		if _, gone := sessions[s.Name]; gone {
			out = append(out, SettingChange{Session: s.Name, Old: s})
		}
	}
	rules := func(policy []config.Rule) (texts []string) {
		for _, r := range policy {
			texts = append(texts, string(r.Action)+" "+r.Match)
		}
		return texts
	}
	if a, b := rules(old.Policy), rules(new.Policy); !slices.Equal(a, b) {
		out = append(out, SettingChange{Key: "policy", Old: a, New: b})
	}
	return out
}
