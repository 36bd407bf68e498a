package tui

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/workbench"
	"caliper/watch"
)

// TestCopyOfHostileNames copies everything that can be copied of a tool whose
// every text attacks whoever pastes it.
func TestCopyOfHostileNames(t *testing.T) {
	t.Parallel()
	const attack = "\x1b[201~\nrm -rf ~\n\u202e\u009b31m\u2066"
	data, err := json.Marshal([]any{map[string]any{"type": "function", "function": map[string]any{
		"name": "create_branch" + attack, "description": "create a branch" + attack,
		"parameters": map[string]any{"type": "object", "properties": map[string]any{"branch" + attack: map[string]any{"type": "string", "description": attack}}},
	}}})
	require.NoError(t, err)
	for _, tc := range []struct {
		name    string
		keys    []string
		line    bool
		removed bool
	}{
		{"name", []string{"y", "n"}, true, true},
		{"schema", []string{"y", "s"}, false, false},
		{"call", []string{"y", "c"}, true, false},
		{"what the model sees", []string{"y", "m"}, false, false},
		{"repro", []string{"y", "r"}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opt := testOptions(data, demo.Config())
			opt.Query = "create branch"
			d := startExplorer(t, opt, 120, 36)
			var terminal copying
			var native string
			*d.app().clip = desk.Clipper{Terminal: io.Writer(&terminal), Desktop: func(text string) error { native = text; return nil }}
			d.Press("tab").Press(tc.keys...).wants("copied")
			if strings.Contains(d.Screen(), "unsafe characters removed") != tc.removed {
				t.Errorf("the notice says that something was removed: %v\n%s\n%q", !tc.removed, d.Screen(), native)
			}
			if text, err := terminal.last(); text != native || err != nil {
				t.Errorf("the terminal is given %q, the desktop %q, %v", text, native, err)
			}
			for _, r := range native {
				if controls(r) && (r != '\n' || tc.line) {
					t.Errorf("%U is copied: %q", r, native)
				}
			}
			if !strings.Contains(native, "create_branch") {
				t.Errorf("another thing was copied: %q", native)
			}
			if strings.HasPrefix(native, "{") && !json.Valid([]byte(native)) {
				t.Errorf("no JSON: %s", native)
			}
		})
	}
}

// TestCopyIsWrittenBesideTheState goes the whole way from the key.
func TestCopyIsWrittenBesideTheState(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Query = "create issue"
		folder := t.TempDir()
		if kept {
			opt.StatePath = filepath.Join(folder, "state.json")
		}
		d := startExplorer(t, opt, 120, 36)
		d.app().clip.Desktop = nil
		d.Press("tab", "y", "n")
		data, err := os.ReadFile(filepath.Join(folder, "copied.txt"))
		if kept != (err == nil) || kept && string(data) != d.app().explore.Tool().Qualified {
			t.Errorf("a state is kept: %v; the file holds %q, %v", kept, data, err)
		}
		if kept {
			d.wants("warning: no clipboard: name (")
		} else {
			d.wants("error: copy name: no terminal to copy through")
		}
	}
}

// What a load has not caught up with is not said of its figures.
func TestReproTellsOfTheStateOnScreen(t *testing.T) {
	t.Parallel()
	a := explorer(t, 120, 36).app()
	a.knobs.Put(desk.KnobOf(workbench.KnobB), 0.5)
	if c := a.reportCase(); len(c.Tried) > 0 {
		t.Errorf("%+v", c.Tried)
	}
}

// While queries are evaluated there is no repro of them, nor of an audit that is not done.
func TestNoReproOfWhatIsNotDone(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Queries = demo.QueriesFile
	give(&opt, screen.QueriesFile, watch.File{Name: demo.QueriesFile, Data: demo.Queries()})
	d := startExplorer(t, opt, 120, 36)
	a := d.app()
	for _, key := range []string{"alt+5", "y", "r"} {
		a.Update(d.key(key)) // its command is not run
	}
	if want := "nothing to copy yet: evaluating is not done"; a.notices.Text != want {
		t.Errorf("%q, want %q", a.notices.Text, want)
	}
	a.input.Config = &watch.File{Name: "config.yaml", Data: []byte("sessions: {default: {}}\n")}
	a.Update(a.Load(false)()) // the audit that it begins is not run
	for _, key := range []string{"alt+3", "y", "r"} {
		a.Update(d.key(key))
	}
	if want := "nothing to copy yet: the audit is not done"; a.notices.Text != want {
		t.Errorf("%q, want %q", a.notices.Text, want)
	}
}

// copying is a terminal that keeps copied texts.
type copying struct{ strings.Builder }

// last returns what was copied last.
func (c *copying) last() (string, error) {
	all := c.String()
	_, sequence, ok := strings.Cut(all[max(strings.LastIndex(all, "\x1b"), 0):], "]52;c;")
	if !ok {
		return "", errors.New("nothing was copied")
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimRight(sequence, "\a\x1b\\"))
	return string(text), err
}

// TestScreenAsPicture goes the whole way from the key: the file shows the
// frame without the menu, in three sizes.
func TestScreenAsPicture(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		opt := testOptions(demo.Registry(), demo.Config())
		folder := t.TempDir()
		opt.StatePath = filepath.Join(folder, "state.json")
		opt.Query = "create issue"
		d := startExplorer(t, opt, size[0], size[1])
		d.app().clip.Desktop = nil
		d.Press("tab")
		rows := strings.Split(d.Screen(), "\n")
		d.Press("y", "p")
		svg, err := os.ReadFile(filepath.Join(folder, "screen.svg"))
		require.NoError(t, err)
		for _, row := range rows {
			for _, word := range strings.FieldsFunc(row, func(r rune) bool { return !unicode.IsLetter(r) }) {
				if !bytes.Contains(svg, []byte(word)) {
					t.Errorf("%v: the picture does not show %s", size, word)
				}
			}
		}
		d.wants("screen as SVG (")
		d.Press("y", "P")
		html, err := os.ReadFile(filepath.Join(folder, "screen.html"))
		if err != nil || !bytes.Contains(html, []byte("<pre>")) || bytes.Contains(html, []byte("\x1b")) {
			t.Errorf("%v: %v: %.200s", size, err, html)
		}
	}
}
