package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/results"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/watch"
)

// onResults drives an explorer that shows Results with the results of the demo.
func onResults(t *testing.T, w, h int, store string) *driver {
	t.Helper()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Results, opt.Store = []string{"results"}, store
	var files []watch.File
	for _, name := range demo.ResultFiles {
		files = append(files, watch.File{Name: "results/" + name, Data: demo.Result(name)})
	}
	give(&opt, screen.ResultFile, files...)
	return startExplorer(t, opt, w, h).Press("alt+6")
}

// A file is opened by its path, read again with R, and outlives what the watcher reports. A
// paste is bounded.
func TestResultOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "big.json")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	write("[1,2,3]")
	d := explorer(t, 120, 36).Press("alt+6", "f").Paste(path).Press("enter").wants("big.json", "[1,2,3]")
	write("[4]")
	d.Press("R").wants("[4]")
	d.changed(screen.ResultFile, watch.File{Name: "watched.txt", Data: []byte("x")})
	d.wants("[4]").Press("f").Paste(filepath.Dir(path)+"/").Press("up", "enter").wants("this is a folder")
	d.Press("esc").Paste("'" + filepath.Dir(path) + "'\n").Press("enter").wants("pasted")
	d.Paste("'" + path + "'\n").Press("enter").wants("open the file")
	d.Press("enter").wants("big.json").Press("p").Paste(strings.Repeat("x", 1<<20+5)).wants("5 were dropped")
}

// Every line of the handle is on some line of the picture, in order, and each gap is marked.
func TestExcerptIsWhole(t *testing.T) {
	t.Parallel()
	blanks := strings.NewReplacer(" ", "", "\n", "", "│", "", "┃", "", "…", "")
	for _, w := range []int{90, 80, 45} {
		d := onResults(t, w, 800, "")
		d.app().clip.Desktop = nil
		copied := new(copying)
		d.app().clip.Terminal = copied
		d.Press("y", "m")
		handle, err := copied.last()
		require.NoError(t, err)
		if !strings.Contains(blanks.Replace(d.Screen()), blanks.Replace(handle)) {
			t.Errorf("at %d cells the picture holds something else than the handle", w)
		}
	}
}

// The screen reads the store again when R is pressed, not before. It makes no store of a folder that holds other files.
func TestStoreIsReadAgain(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "kept")
	d := onResults(t, 120, 36, folder).Press("v", "v", "v").wants("nothing is kept yet in")
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Fatalf("the store was made: %v", err)
	}
	onResults(t, 120, 36, folder).Press("K").wants("1 blob")
	d.Press("down").wants("nothing is kept yet in").Press("R").wants("1 blob")
	k, err := rescue.OpenStore(folder, rescue.StoreOptions{Now: d.app().opt.Now, TTL: 72 * time.Hour})
	require.NoError(t, err)
	refs, err := k.References(t.Context())
	if err != nil || len(refs) != 1 {
		t.Fatalf("%d references, %v", len(refs), err)
	}
	if _, held, err := k.Open(t.Context(), "default", refs[0].Meta.ID); err != nil || string(held) != string(demo.Result(demo.ResultFiles[0])) {
		t.Errorf("the store holds something else: %v", err)
	}
	require.NoError(t, k.Close())
	mine := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(mine, "mine"), nil, 0o600))
	onResults(t, 80, 24, mine).Press("v", "v", "v").lacks("blob").Press("K").wants("nothing was kept:")
}

// A request is read as it is typed, and shown as it could be typed again.
func TestRequestsAsTyped(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36, "").Press("e")
	for text, want := range map[string]string{
		"stat": "stat", " FULL ": "full", "outline": "outline", "outline /a/0": "outline /a/0", "range": "range", "range 0 0": "range 0 0", "range 100 50": "range 100 50",
		"range 5 10 chars": "range 5 10 chars", "grep a b  c": "grep a b  c", "grep -i  error": "grep error", "grep -ing": "grep -ing", `grep \-C 2`: `grep \-C 2`, "grep -v": "grep -v",
		"search who paid?": "search who paid?", "pointer /rows/3": "pointer /rows/3", "pointer /a b 40": "pointer /a b 40",
		"x": "", "stat 1": "", "range a": "", "range 1 2 3": "", "outline a b": "", "grep -C 2 error": "", "grep -i -n error": "", "grep -A3 x": "", "grep --count x": "",
	} {
		d.Press("ctrl+u").Paste(text).Press("enter")
		shown := regexp.MustCompile(`answer to ` + regexp.QuoteMeta(want) + `  ?[─0-9]`).MatchString(d.Screen())
		if refused := strings.Contains(d.Screen(), "unknown request"); want == "" && !refused || want != "" && !shown {
			t.Errorf("%q is not %q:\n%s", text, want, d.Screen())
		}
	}
}

// A file that is emptied keeps what it held on screen, for as long as it may be being written.
func TestEmptiedResult(t *testing.T) {
	t.Parallel()
	a := explorer(t, 120, 36).app()
	synctest.Test(t, func(t *testing.T) { // whose clock goes on as soon as everything waits for it
		s := results.New(desk.Desk{Host: a, Bench: a.bench, Knobs: a.knobs, Input: &a.input}, a.theme.Glyphs, results.Options{})
		s.Update(desk.Loaded{After: a.state})
		var run func(tea.Cmd)
		run = func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			msg := cmd()
			batch, _ := msg.(tea.BatchMsg)
			for _, cmd := range batch {
				run(cmd)
			}
			if batch == nil {
				run(s.Update(msg))
			}
		}
		shows := func(data string, texts ...string) (waits tea.Cmd) {
			t.Helper()
			waits = s.Update(screen.FilesMsg{File: screen.ResultFile, Files: []watch.File{{Name: "x.txt", Data: []byte(data)}}})
			run(s.Start(true))
			seen := strings.Join(s.Draw(ui.NewTheme(ui.Look{Plain: true}), 78, 20, true), "\n")
			for _, text := range texts {
				if lacked, no := strings.CutPrefix(text, "not "); strings.Contains(seen, lacked) == no {
					t.Errorf("%q: %q in\n%s", data, text, seen)
				}
			}
			return waits
		}
		shows("all is well", "all is well")
		first := shows("", " STALE ", "it is empty now", "all is well")
		shows("all is well", "all is well", "not  STALE ")
		run(first) // it is empty no more
		shows("all is well", "all is well")
		run(shows("", " STALE "))
		shows("", "PASSES WHOLE", "not  STALE ", "not all is well", "not saved 100")
	})
}
