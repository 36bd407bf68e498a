package config

import (
	"slices"

	"caliper/model/yamltext"
)

// Generation is a version of the reference agent, by whose rules the bridge is
// put in, answers and calls.
type Generation string

// The generations. Source: Hermes Agent by Nous Research (MIT), as of June and of
// late September 2026.
const (
	June2026      Generation = "june-2026"      // the default
	September2026 Generation = "september-2026" // batches, a listing, checked arguments
)

// Generations are the values of tools.tool_search.generation, oldest first. It
// must not be changed.
var Generations = []string{string(June2026), string(September2026)}

// The settings that only the later generation reads. A file that has one of them
// was written for it.
const (
	KeyGeneration  = KeyToolSearch + ".generation"
	KeyListing     = KeyToolSearch + ".listing"
	KeyListingMost = KeyToolSearch + ".listing_max_tokens"
	KeyDefer       = KeyToolSearch + ".defer"
)

// curatedDefer is the later generation's own list of core tools that are deferred
// nevertheless, in alphabetical order: 18 names. Source: as for Generations. The
// names are facts; tools.tool_search.defer of a file replaces the list.
var curatedDefer = []string{
	"annotate_preview", "apply_layout", "close_terminal", "computer_use", "cronjob_manage", "desktop_preview",
	"desktop_project", "drive_preview", "focus_pane", "gui_tour", "image_generate", "process_manage",
	"read_terminal", "read_window_below", "session_search", "setup_mcp", "show_tip", "todo_list",
}

// DefaultOf returns the configuration of an empty file under the rules of a
// generation. Every call returns fresh slices.
func DefaultOf(g Generation) Config {
	c := Config{Model: Model{Origin: ContextUnknown}, Sessions: []Session{{Name: DefaultSession}}}
	for _, r := range table {
		if r.at != nil {
			r.reset(&c, g)
		}
	}
	c.ToolSearch.Generation = g
	return c
}

// Reads reports whether the agent of a generation, or caliper beside it, reads
// the setting.
func (s Spec) Reads(g Generation) bool { return s.Since != September2026 || g == September2026 }

// DefaultIn returns the default of the setting in a generation.
func (s Spec) DefaultIn(g Generation) any {
	if g == September2026 && s.Later != nil {
		return s.Later
	}
	return s.Default
}

// generation returns the generation by whose rules a file is read: the one that a
// flag or the file names, else the later one when the file has a setting that only
// it reads. By is the key of that setting; empty otherwise.
func (f *File) generation() (g Generation, by string) {
	switch f.host() {
	case hostJune:
		return June2026, ""
	case hostSeptember:
		return September2026, ""
	}
	if named, ok := f.given[KeyGeneration]; ok && named.value.Kind == yamltext.Text && slices.Contains(Generations, named.value.Text) {
		return Generation(named.value.Text), ""
	}
	for _, r := range table {
		if given, ok := f.given[r.Key]; ok && r.Since == September2026 && given.value.Kind != yamltext.Null {
			return September2026, r.Key
		}
	}
	return June2026, ""
}

// evaluateGeneration puts the generation into the configuration, and tells what
// has selected it. The setting itself is checked as any other.
func (f *File) evaluateGeneration(r row, g Generation, by string) {
	f.evaluateRow(r)
	f.ToolSearch.Generation = g
	s := &f.Settings[len(f.Settings)-1]
	s.Value = string(g)
	switch given, own := f.given[KeyHost], f.given[KeyGeneration].value.Text; {
	case by == "" && f.host() != "" && own != "" && own != string(g):
		s.Origin, s.Note = given.origin, KeyHost+" says which"
	}
	if by != "" {
		given := f.given[by]
		s.Origin, s.Note = given.origin, by+" is a setting of this generation"
		if given.origin == OriginFile {
			s.File, s.Line, s.Col = f.name, given.line, given.col
		}
	}
}

// evaluateUnread warns about a setting that the generation does not read.
func (f *File) evaluateUnread(r row) {
	if g, ok := f.given[r.Key]; ok {
		f.warn(g, r.Key, "not_read", "the agent of "+string(f.ToolSearch.Generation)+" does not read this; "+string(r.Since)+" does")
	}
}

// setDefer takes the names of the core tools that are deferred. As the agent
// does, it makes text of every item, cuts blanks off its ends, and leaves out what
// is empty; the names are sorted and each is there once. A YAML set counts as a
// list. Anything else leaves the curated list, with a warning.
func setDefer(r row, c *Config, v value) outcome {
	if v.Kind == yamltext.Null {
		return outcome{}
	}
	names, ok := v.texts()
	if !ok {
		return outcome{status: rejected, code: "not_a_list", problem: v.source() + " is not a list of names", instead: "; " + r.instead}
	}
	c.Defer = names
	return outcome{}
}
