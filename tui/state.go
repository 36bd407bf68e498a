package tui

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"caliper/model/newfile"
	"caliper/tui/cells"
	"caliper/tui/explore"
)

// stateVersion is the version of the state file's format. Files of other
// versions are neither read nor written: they belong to a later program.
const stateVersion = 1

// savedState is what the explorer remembers from one run to the next.
type savedState struct {
	Version int      `json:"version"`
	Query   string   `json:"query"`
	Focus   string   `json:"focus"`
	History []string `json:"history"` // oldest first, without repeats
}

// StatePath returns the path of the state file, under XDG_STATE_HOME or else
// ~/.local/state. It is empty when the environment has no home folder.
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

// loadState reads the state file. It returns an empty state for a file that is
// missing, broken or of another version, so that the program always starts.
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

// parseState returns the state in the bytes of a state file; ok is false when
// they are not a state of this version.
//
// SECURITY: other programs of the user can write the file. Its content is
// drawn, so it is limited in size and cleaned like typed text.
func parseState(data []byte) (s savedState, ok bool) {
	if json.Unmarshal(data, &s) != nil || s.Version != stateVersion {
		return savedState{}, false
	}
	s.Query = cells.Clean(s.Query)
	read := s.History[max(0, len(s.History)-explore.MaxHistory):]
	s.History = nil
	for _, q := range read {
		s.History = explore.Remembered(s.History, cells.Clean(q))
	}
	return s, true
}

// errOtherVersion says that the state file is one of another version.
var errOtherVersion = errors.New("a state file of another version is left alone")

// otherVersion reports whether the bytes of a state file say that they are of
// another version. Those of a broken file say nothing.
func otherVersion(data []byte) bool {
	var s struct {
		Version *json.Number `json:"version"`
	}
	return json.Unmarshal(data, &s) == nil && s.Version != nil && *s.Version != json.Number(strconv.Itoa(stateVersion))
}

// save replaces the state file in one step, so that two programs that end at
// once never leave a mixture. The error is errOtherVersion when the file has
// another version.
func (s savedState) save(path string) error {
	if path == "" {
		return nil
	}
	if old, err := os.ReadFile(path); err == nil && otherVersion(old) {
		return errOtherVersion
	}
	s.Version = stateVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return newfile.Write(path, append(data, '\n'), 0o600)
}
