package results

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

func TestRulesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30).viewing(viewRules)
	r := d.state.Snapshot.Registry
	if len(d.s.rules.rows) != len(r.Tools) {
		t.Fatalf("%d rows for %d tools", len(d.s.rules.rows), len(r.Tools))
	}
	for _, row := range d.s.rules.rows {
		if want := rescue.Subject(r, rescue.Default(), row.name); row.Decision != want {
			t.Errorf("%s: %+v, want %+v", row.name, row.Decision, want)
		}
	}
	d.press("/").typed("slipway").press("enter").wants("other_toolset", "/slipway").lacks("browser_press")
	if n := len(d.s.ruleRows()); n != 7 {
		t.Errorf("%d rows hold slipway", n)
	}
	d.press("esc", "/").typed("zzz").press("enter").wants("no row contains zzz").press("esc")
}

// Keeping puts the result into the store for the session, and nothing else
// makes a store.
func TestKeep(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	d := open(t, 118, 30, Options{Store: dir}, demoFiles()...).asking("outline", "full").press("esc").viewing(viewStore)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the store was made: %v", err)
	}
	d.press("K").viewing(viewSeen).press("right", "K")
	k, err := rescue.OpenStore(dir, rescue.StoreOptions{Now: d.Now, TTL: 72 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	refs, err := k.References(t.Context())
	if err != nil || len(refs) != 2 {
		t.Fatalf("%d references, %v", len(refs), err)
	}
	b, err := k.Open(t.Context(), "default", refs[0].Meta.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	held := make([]byte, b.Size())
	if _, err := b.ReadAt(held, 0); err != nil && !errors.Is(err, io.EOF) || string(held) != string(demo.Result(demo.ResultFiles[1])) {
		t.Errorf("the store holds something else: %v", err)
	}
	below := filepath.Join(t.TempDir(), "below", string([]byte{0}))
	open(t, 118, 30, Options{Store: below}, demoFiles()...).press("K").wants("nothing was kept: ")
}

// The store is read again only when that is asked for.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	d := open(t, 118, 30, Options{Store: dir}, demoFiles()...).viewing(viewStore).wants("nothing is kept yet in")
	other := open(t, 118, 30, Options{Store: dir}, demoFiles()...).press("K")
	d.press("down").wants("nothing is kept yet in")
	d.s.Update(screen.RereadMsg{})
	d.run(nil).wants("1 blob")
	if _, err := os.Stat(dir); err != nil || other.s.view() != viewStore {
		t.Errorf("the other keeps nothing: %v", err)
	}
	mine := t.TempDir() // a folder of something else is no store
	if err := os.WriteFile(filepath.Join(mine, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, 78, 20, Options{Store: mine}, demoFiles()...).viewing(viewStore).lacks("blob")
}

// Esc cancels a result that is being kept, and nothing of it is left in the store.
func TestKeepIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t, 78, 20, Options{Store: filepath.Join(t.TempDir(), "kept")}, demoFiles()...)
	cmd := d.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("K")}) // not run yet
	if !d.s.keeping.Running() || d.s.progress() != "keeping it" {
		t.Fatal("nothing is being kept")
	}
	d.Do(ui.Back)
	if d.run(cmd).wants("cancelled: nothing was kept"); d.s.keeping.Running() {
		t.Error("it is still being kept")
	}
	d.viewing(viewStore).lacks("1 blob")
}
