package results

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

func TestRulesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	d := onDemo(t, 118, 30).View("rules")
	r := d.State.Snapshot.Registry
	if len(d.S.ruleList().rows) != len(r.Tools) {
		t.Fatalf("%d rows for %d tools", len(d.S.ruleList().rows), len(r.Tools))
	}
	for _, row := range d.S.ruleList().rows {
		if want := rescue.Subject(r, config.Default().Rescue, row.tool.Name); row.Decision != want {
			t.Errorf("%s: %+v, want %+v", row.tool.Name, row.Decision, want)
		}
	}
	d.Press("/").Type("slipway").Press("enter").Wants("other_toolset", "/slipway").Lacks("browser_press")
	if n := len(d.S.ruleRows()); n != 7 {
		t.Errorf("%d rows hold slipway", n)
	}
	d.Press("esc", "/").Type("zzz").Press("enter").Wants("no row contains zzz").Press("esc")
}

// Keeping puts the result into the store for the session, and nothing else
// makes a store.
func TestKeep(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	d := asking(open(t, 118, 30, Options{Store: dir}, demoFiles()...), "outline", "full").Press("esc").View("store")
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the store was made: %v", err)
	}
	d.Press("K").View("what the model sees").Press("right", "K")
	k, err := rescue.OpenStore(dir, rescue.StoreOptions{Now: d.Now, TTL: 72 * time.Hour})
	require.NoError(t, err)
	defer k.Close()
	refs, err := k.References(t.Context())
	if err != nil || len(refs) != 2 {
		t.Fatalf("%d references, %v", len(refs), err)
	}
	if _, held, err := k.Open(t.Context(), "default", refs[0].Meta.ID); err != nil || string(held) != string(demo.Result(demo.ResultFiles[1])) {
		t.Errorf("the store holds something else: %v", err)
	}
	below := filepath.Join(t.TempDir(), "below", string([]byte{0}))
	open(t, 118, 30, Options{Store: below}, demoFiles()...).Press("K").Wants("nothing was kept: ")
}

// The store is read again only when that is asked for.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	d := open(t, 118, 30, Options{Store: dir}, demoFiles()...).View("store").Wants("nothing is kept yet in")
	other := open(t, 118, 30, Options{Store: dir}, demoFiles()...).Press("K")
	d.Press("down").Wants("nothing is kept yet in")
	d.S.Update(screen.RereadMsg{})
	d.Run(nil).Wants("1 blob")
	if _, err := os.Stat(dir); err != nil || other.S.view() != viewStore {
		t.Errorf("the other keeps nothing: %v", err)
	}
	mine := t.TempDir() // a folder of something else is no store
	require.NoError(t, os.WriteFile(filepath.Join(mine, "mine"), nil, 0o600))
	open(t, 78, 20, Options{Store: mine}, demoFiles()...).View("store").Lacks("blob")
}

// Esc cancels a result that is being kept, and nothing of it is left in the store.
func TestKeepIsCancelled(t *testing.T) {
	t.Parallel()
	d := open(t, 78, 20, Options{Store: filepath.Join(t.TempDir(), "kept")}, demoFiles()...)
	cmd := d.Key("K") // not run yet
	if !d.S.keeping.Running || d.S.progress() != "keeping it" {
		t.Fatal("nothing is being kept")
	}
	d.Do(ui.Back)
	if d.Run(cmd).Wants("cancelled: nothing was kept"); d.S.keeping.Running {
		t.Error("it is still being kept")
	}
	d.View("store").Lacks("1 blob")
}
