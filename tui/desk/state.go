package desk

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/newfile"
	"caliper/tui/ui"
)

// stateVersion is the version of the state file's format. Files of other
// versions are neither read nor written: they belong to a later program.
const stateVersion = 1

// SavedState is the memory of the explorer from one run to the next.
type SavedState struct {
	Version int          `json:"version"`
	History []string     `json:"history"` // oldest first, without repeats
	Inputs  []SavedInput `json:"inputs,omitempty"`
}

// SavedInput is the memory for one registry and configuration.
type SavedInput struct {
	Files     []string            `json:"files"`
	Query     string              `json:"query,omitempty"`
	Screen    string              `json:"screen,omitempty"`
	View      string              `json:"view,omitempty"` // of that screen; empty for one without views
	Trials    KeptKnobs           `json:"trials"`
	Pin       string              `json:"pin,omitempty"` // qualified name of the expected tool
	Session   string              `json:"session,omitempty"`
	Message   string              `json:"message,omitempty"`   // that tools are selected for
	Arguments map[string]string   `json:"arguments,omitempty"` // of the dry run, by qualified name
	Opened    map[string][]string `json:"opened,omitempty"`    // paths of files that were opened in a screen, by its name
}

// The most that is remembered: so many inputs, those used last, and so many bytes
// of arguments and opened files of a screen for one of them.
const (
	MaxInputs    = 20
	MaxArguments = 256 << 10
	MaxOpened    = 20
)

// Input returns the memory for some files; nil for none.
func (s SavedState) Input(files []string) *SavedInput {
	i := slices.IndexFunc(s.Inputs, func(in SavedInput) bool { return slices.Equal(in.Files, files) })
	if i < 0 {
		return nil
	}
	return &s.Inputs[i]
}

// LoadState reads the state file. It returns an empty state for a file that is
// missing, broken or of another version, so that the program always starts.
func LoadState(path string) SavedState {
	empty := SavedState{Version: stateVersion}
	if path == "" {
		return empty
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return empty
	}
	if s, ok := ParseState(data); ok {
		return s
	}
	return empty
}

// ReadLastFiles returns what the last runs were opened on by the state file, newest first. The
// demo, a registry that servers list, and paths that are not absolute are left out.
func ReadLastFiles(path string) []LastFiles {
	var last []LastFiles
	saved := LoadState(path).Inputs
	slices.Reverse(saved)
	for _, in := range saved {
		n := len(in.Files) - 1 // the configuration is the last of them
		if n < 1 || slices.ContainsFunc(in.Files[:n], func(p string) bool { return !filepath.IsAbs(p) }) || in.Files[n] != "" && !filepath.IsAbs(in.Files[n]) {
			continue
		}
		last = append(last, LastFiles{Registry: in.Files[:n], Config: in.Files[n]})
	}
	return last
}

// ParseState returns the state in the bytes of a state file; ok is false when
// they are not a state of this version.
//
// SECURITY: other programs of the user can write the file. Its content is
// drawn, so it is limited in size and cleaned like typed text.
func ParseState(data []byte) (s SavedState, ok bool) {
	if json.Unmarshal(data, &s) != nil || s.Version != stateVersion {
		return SavedState{}, false
	}
	s.Inputs = s.Inputs[max(0, len(s.Inputs)-MaxInputs):]
	for i := range s.Inputs {
		in := &s.Inputs[i]
		in.Query, in.Message = ui.Clean(in.Query), ui.Clean(in.Message)
	}
	read := s.History[max(0, len(s.History)-MaxHistory):]
	s.History = nil
	for _, q := range read {
		s.History = Remembered(s.History, ui.Clean(q))
	}
	return s, true
}

// ErrOtherVersion is the error that the state file is of another version.
var ErrOtherVersion = errors.New("a state file of another version is left alone")

// Save replaces the state file in one step, so that two programs that end at
// once never leave a mixture. What the file remembers for other inputs stays. The
// error is ErrOtherVersion when the file has another version.
func (s SavedState) Save(path string) error {
	if path == "" {
		return nil
	}
	if data, err := os.ReadFile(path); err == nil {
		var marked struct {
			Version *json.Number `json:"version"`
		}
		if json.Unmarshal(data, &marked) == nil && marked.Version != nil && *marked.Version != json.Number(strconv.Itoa(stateVersion)) {
			return ErrOtherVersion
		}
		old, _ := ParseState(data)
		for _, in := range s.Inputs {
			list := slices.DeleteFunc(slices.Clone(old.Inputs), func(old SavedInput) bool { return slices.Equal(old.Files, in.Files) })
			list = append(list, in)
			old.Inputs = list[max(0, len(list)-MaxInputs):]
		}
		s.Inputs = old.Inputs
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

// Keeper writes the state file, while the program runs and at its end. Commands
// run side by side: a state that was taken earlier never replaces a later one.
type Keeper struct {
	Path   string
	taken  int       // number of the newest state
	Trials KeptKnobs // of the state that was saved last

	mu      sync.Mutex
	written int // number of the state that was written last
	err     error
}

// Save returns a command that writes a state.
func (k *Keeper) Save(s SavedState) func() tea.Msg {
	k.taken++
	number := k.taken
	return func() tea.Msg {
		k.mu.Lock()
		defer k.mu.Unlock()
		if number > k.written {
			k.written, k.err = number, s.Save(k.Path)
		}
		return nil
	}
}

// Failed returns why the state could not be written when something was last tried;
// nil when it was.
func (k *Keeper) Failed() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// MaxHistory is the number of queries that are remembered.
const MaxHistory = 100

// Remembered returns a history with a query added as the newest and without
// repeats. It returns the history unchanged for a blank query.
func Remembered(history []string, query string) []string {
	query = ui.OneLine(query)
	if query == "" {
		return history
	}
	history = slices.DeleteFunc(slices.Clone(history), func(q string) bool { return q == query })
	history = append(history, query)
	return history[max(0, len(history)-MaxHistory):]
}
