package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"

	"caliper/tui/cells"
)

// stateVersion is the format of the state file. A file of another version is
// not read.
const stateVersion = 1

// maxHistory is how many queries are remembered.
const maxHistory = 100

// savedState is what the explorer remembers from one run to the next.
type savedState struct {
	Version int      `json:"version"`
	Query   string   `json:"query"`
	Focus   string   `json:"focus"`
	History []string `json:"history"` // oldest first, without repeats
}

// StatePath returns where the state is kept: XDG_STATE_HOME, else
// ~/.local/state. It is empty when the environment names no home.
func StatePath(getenv func(string) string) string {
	folder := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) { // the XDG specification ignores relative ones
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "caliper", "state.json")
}

// loadState reads the state file. A missing, broken or foreign file is an
// empty state: it is never a reason not to start.
func loadState(path string) savedState {
	empty := savedState{Version: stateVersion}
	if path == "" {
		return empty
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return empty
	}
	if s, ok := parseState(data); ok {
		return s
	}
	return empty
}

// parseState returns the state that a state file holds; ok is false for what
// is no state of this version.
//
// SECURITY: other programs of the user can write the file. What it holds is
// drawn, and is bounded and made safe as what is typed is.
func parseState(data []byte) (s savedState, ok bool) {
	if json.Unmarshal(data, &s) != nil || s.Version != stateVersion {
		return savedState{}, false
	}
	s.Query = cells.Clean(s.Query)
	read := s.History[max(0, len(s.History)-maxHistory):]
	s.History = nil
	for _, q := range read {
		s.History = remember(s.History, cells.Clean(q))
	}
	return s, true
}

// save writes the state file in one step, so that two programs that end at
// once leave the state of one of them and never half of each.
func (s savedState) save(path string) error {
	if path == "" {
		return nil
	}
	s.Version = stateVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(path, append(data, '\n'), 0o600)
}

// remember adds a query to the history, newest last.
func remember(history []string, query string) []string {
	query = folded(query)
	if query == "" {
		return history
	}
	history = slices.DeleteFunc(slices.Clone(history), func(q string) bool { return q == query })
	history = append(history, query)
	return history[max(0, len(history)-maxHistory):]
}
