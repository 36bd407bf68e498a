package tui

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
)

// The inputs of earlier runs come newest first, without the demo and anything but the
// path of a file.
func TestLastFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.json")
	var s desk.SavedState
	for _, files := range [][]string{{"/a.json", "/b.json", "/c.yaml"}, {"demo"}, {"servers of x", ""}, {"", "/c.yaml"}, {"/d", ""}} {
		s.Inputs = append(s.Inputs, desk.SavedInput{Files: files})
	}
	require.NoError(t, s.Save(path))
	want := []desk.LastFiles{{Registry: []string{"/d"}}, {Registry: []string{"/a.json", "/b.json"}, Config: "/c.yaml"}}
	if got := desk.ReadLastFiles(path); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := desk.ReadLastFiles(filepath.Join(t.TempDir(), "none")); got != nil {
		t.Errorf("%v of no state", got)
	}
}

// A file that a later version of the program wrote is left as it is, and one that is broken
// or of no version is replaced.
func TestStateOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for old, kept := range map[string]bool{
		`{"version": 2, "history": ["theirs"]}`:    true,
		`{"version": 1e3}`:                         true,
		`{"version": 1, "history": ["ours"]}`:      false,
		`{"history": ["of no version"]}`:           false,
		`{"version": 2, "history": ["cut off`:      false,
		`{"version": "1", "history": ["no text"]}`: false,
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		require.NoError(t, os.WriteFile(path, []byte(old), 0o600))
		if s := desk.LoadState(path); kept && len(s.History) > 0 {
			t.Errorf("%s is read", old)
		}
		err := (desk.SavedState{History: []string{"refund"}}).Save(path)
		if kept != errors.Is(err, desk.ErrOtherVersion) {
			t.Errorf("%s: %v", old, err)
		}
		if now, err := os.ReadFile(path); err != nil || kept != (string(now) == old) {
			t.Errorf("%s became %s, %v", old, now, err)
		}
	}
}

// The memory for other inputs stays, the inputs used last are last, and the
// oldest give way. SECURITY: what was searched for is nobody else's business.
func TestStateOfSeveralInputs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "state.json")
	name := func(i int) []string { return []string{"registry" + strconv.Itoa(i), ""} }
	save := func(i int, message string) {
		require.NoError(t, (desk.SavedState{Inputs: []desk.SavedInput{{Files: name(i), Message: message}}}).Save(path))
	}
	for i := range desk.MaxInputs {
		save(i, "first")
	}
	save(0, "second")
	save(desk.MaxInputs, "first")
	s := desk.LoadState(path)
	if in := s.Input(name(0)); in == nil || in.Message != "second" || len(s.Inputs) != desk.MaxInputs {
		t.Errorf("%d inputs, of the first %+v", len(s.Inputs), in)
	}
	if s.Input(name(1)) != nil || s.Input(name(2)) == nil {
		t.Error("it is not the oldest that gives way")
	}
	for where, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} { // SECURITY: what was searched for is nobody else's business
		if info, err := os.Stat(where); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: mode %v, %v", where, info.Mode(), err)
		}
	}
}

// The tour begins without the trials of the last run, and does not forget them. A state taken
// earlier does not replace a later one.
func TestTourKeepsTrials(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.StatePath = filepath.Join(t.TempDir(), "state.json")
	d := startExplorer(t, opt, 120, 36)
	a := d.app()
	early := a.keeper.Save(a.remembered())
	d.run(a.tryDescription("mcp_wiki_touch", "Confirm that an article is correct."))
	d.settle().wants("WHAT IF")
	early()
	opt.Tour, opt.Demo = true, "demo"
	startExplorer(t, opt, 120, 36).lacks("WHAT IF").Press("ctrl+c")
	opt.Tour, opt.Demo = false, ""
	startExplorer(t, opt, 120, 36).wants("WHAT IF", "1 trial of the last run: the text of mcp_wiki_touch")
}

// The pinned tool, the message and the arguments of the dry run come back on the same
// files, and on no others. A message of the command line is its own.
func TestPinMessageAndArgumentsComeBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.json")
	explorer := func(change func(*Options)) *App {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.StatePath = path
		change(&opt)
		return startExplorer(t, opt, 120, 36).app()
	}
	same := func(*Options) {}
	a := explorer(same)
	d := &driver{t: t, model: a, w: 120, h: 36, late: make(chan tea.Msg, 100)}
	d.Type("refund a charge").Press("tab", "w", "enter", "e", "ctrl+u").Type(`{"x":1}`).Press("enter")
	a.input.Flags.Message = "refund booking 7"
	d.Press("ctrl+c")

	a = explorer(same)
	if c := a.explore.Case(); c.Expected != "mcp_payments_refund_charge" || c.Query != "refund a charge" {
		t.Errorf("%+v comes back", c)
	}
	if got := a.explore.Arguments(desk.MaxArguments)["mcp_payments_refund_charge"]; got != `{"x":1}` || a.input.Flags.Message != "refund booking 7" {
		t.Errorf("arguments %q, message %q", got, a.input.Flags.Message)
	}
	if kept := a.explore.Arguments(10); len(kept) > 0 {
		t.Errorf("%v has more than 10 bytes", kept)
	}
	d = &driver{t: t, model: a, w: 120, h: 36, late: make(chan tea.Msg, 100)}
	if d.Press("2"); a.current != 1 { // it begins outside the box, where a digit is a screen
		t.Errorf("2 shows screen %d", a.current+1)
	}
	d.Press("1", "i").Type("create an issue")
	if got := a.explore.Case().Query; got != "create an issue" {
		t.Errorf("the query typed over that of the last run is %q", got)
	}
	a = explorer(func(o *Options) { o.Flags.Message = "given" })
	if got := a.remembered().Inputs[0].Message; a.input.Flags.Message != "given" || got != "" {
		t.Errorf("message %q, %q is remembered", a.input.Flags.Message, got)
	}
	a = explorer(func(o *Options) { o.Config = "other.yaml" })
	if c := a.explore.Case(); c.Query+c.Expected != "" || a.current != 0 || a.input.Flags.Message != "" || len(a.explore.Arguments(desk.MaxArguments)) > 0 {
		t.Errorf("other files have %+v, %q", c, a.input.Flags.Message)
	}
}

// FuzzState reads any bytes as a state file: what comes of them can be drawn,
// is bounded, and is read back as it was written.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"version": 1, "inputs": [{"query": "a\u001b[31m\nb"}], "history": ["a", "a", "", "b\u202e"]}`))
	f.Add([]byte(`{"version": 2}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, ok := desk.ParseState(data)
		if !ok {
			return
		}
		all := slices.Clone(s.History)
		for _, in := range s.Inputs {
			all = append(all, in.Query)
		}
		for i, q := range all {
			if slices.ContainsFunc([]rune(q), controls) {
				t.Fatalf("%q acts on a terminal", q)
			}
			if i < len(s.History) && (q == "" || slices.Index(s.History, q) != i) {
				t.Fatalf("the history %q has an empty query or repeats one", s.History)
			}
		}
		if len(s.History) > desk.MaxHistory {
			t.Fatalf("%d queries", len(s.History))
		}
		written, err := json.Marshal(s)
		require.NoError(t, err)
		again, ok := desk.ParseState(written)
		if !ok || len(again.Inputs) != len(s.Inputs) || !slices.Equal(again.History, s.History) {
			t.Fatalf("%+v is read back as %+v", s, again)
		}
	})
}

// controls reports whether a character acts on a terminal or hides in it.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// Opened files are remembered by their paths, also by a run that never looks at them. One that
// is gone is named when it would be shown, and forgotten.
func TestOpenedFilesComeBack(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	state, result := filepath.Join(folder, "state.json"), filepath.Join(folder, "own.log")
	require.NoError(t, os.WriteFile(result, []byte("a secret line\n"), 0o600))
	start := func() *driver {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.StatePath = state
		return startExplorer(t, opt, 120, 36)
	}
	start().Press("alt+6", "f").Type(result).Press("enter").settle().wants("a secret line").Press("ctrl+c")
	start().Press("alt+2", "ctrl+c")
	start().Press("alt+6").settle().wants("a secret line").Press("ctrl+c")
	if data, err := os.ReadFile(state); err != nil || strings.Contains(string(data), "a secret line") {
		t.Errorf("%v, the state holds what the file does:\n%s", err, data)
	}
	require.NoError(t, os.Remove(result))
	start().settle().wants("not opened again, and forgotten: own.log").Press("ctrl+c")
	start().Press("alt+6").settle().lacks("own.log")
}
