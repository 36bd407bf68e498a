package config

import (
	"slices"

	"caliper/model/yamltext"
)

// Generation is a version of the reference agent, whose rules the bridge follows.
type Generation string

// The generations. Source: Hermes Agent by Nous Research (MIT), as of June and of
// late September 2026.
const (
	June2026      Generation = "june-2026"      // the default
	September2026 Generation = "september-2026" // batches, a listing, checked arguments
)

// Generations are the values of tools.tool_search.generation, oldest first. It must not be
// changed.
var Generations = []string{string(June2026), string(September2026)}

// The settings that only the later generation reads. A file that has one of them
// was written for it.
const (
	KeyGeneration  = KeyToolSearch + ".generation"
	KeyListing     = KeyToolSearch + ".listing"
	KeyListingMost = KeyToolSearch + ".listing_max_tokens"
	KeyDefer       = KeyToolSearch + ".defer"
)

// curatedDefer are the core tools that the later generation defers nevertheless, in alphabetical
// order. Source: as for Generations. tools.tool_search.defer of a file replaces the list.
var curatedDefer = []string{
	"annotate_preview", "apply_layout", "close_terminal", "computer_use", "cronjob_manage", "desktop_preview",
	"desktop_project", "drive_preview", "focus_pane", "gui_tour", "image_generate", "process_manage",
	"read_terminal", "read_window_below", "session_search", "setup_mcp", "show_tip", "todo_list",
}

// DefaultOf returns the configuration of an empty file under a generation, with fresh slices.
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

// Reads reports whether the agent of a generation, or caliper beside it, reads the setting.
func (s Spec) Reads(g Generation) bool { return s.Since != September2026 || g == September2026 }

// DefaultIn returns the default of the setting in a generation.
func (s Spec) DefaultIn(g Generation) any {
	if g == September2026 && s.Later != nil {
		return s.Later
	}
	return s.Default
}

// generation returns the generation that a flag or the file names, else the later one if the file
// has a setting that only it reads, whose key is by.
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

// KeyHost is the agent whose search is simulated. It is a key of caliper's own in the agent's
// section.
const (
	KeyHost = agentKey + "." + hostKey
	hostKey = "host"
)

// Hosts are the values of KeyHost, sorted; package hosts has their rules. It must not be changed.
var Hosts = []string{"ai-sdk", "claude-code", "codex", "copilot-cli", "fastmcp", hostJune, hostSeptember, "livekit", "mastra", "pi"}

// The hosts that are generations of the reference agent.
const (
	hostJune      = "hermes-2026-06"
	hostSeptember = "hermes-2026-09"
)

// host returns the host of a flag, else the file's unless a flag names a generation; "" for none.
func (f *File) host() string {
	named := f.given[KeyHost]
	if named.value.Kind != yamltext.Text || !slices.Contains(Hosts, named.value.Text) ||
		named.origin == OriginFile && f.given[KeyGeneration].origin == OriginFlag {
		return ""
	}
	return named.value.Text
}

// unknownHost is the code of an unknown agent, an error.
const unknownHost = "unknown_host"
