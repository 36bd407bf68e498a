package tui

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/engine/rescue"
	"caliper/engine/rescue/store"
	"caliper/tui/demo"
)

// The store is read where there is one, and made nowhere.
func TestResultsStore(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	opt := demoResults()
	opt.Store = dir
	d := startExplorer(t, opt, 120, 36).judged("alt+6").viewing(partStore).wants("nothing is kept yet in")
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the store was made: %v", err)
	}
	k, err := store.Open(dir, store.Options{Now: opt.Now, TTL: 72 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range []string{"one", "two"} {
		if _, err := k.Put(t.Context(), session, store.About{Tool: "mcp_tide_read", Kind: rescue.Text}, strings.NewReader("high water")); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	d.judged("R").wants("mcp_tide_read", "1 blob", "2 sessions", "2 references", "next expiry  in 72 h", "of at most 524.3 MB")
	d.Press("/").Type("two").Press("enter").judged().lacks(" one ").wants("session  two")
	d.Press("esc", "tab", "tab", "tab")
	opt = demoResults() // the changes of the other are taken
	opt.Store = t.TempDir()
	if err := os.WriteFile(filepath.Join(opt.Store, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	startExplorer(t, opt, 80, 24).judged("alt+6").viewing(partStore).lacks("blob")
	opt = demoResults()
	startExplorer(t, opt, 80, 24).judged("alt+6").viewing(partStore).wants("no folder to keep results in")
}

// a puts the result into the store for the session, and nothing else does.
func TestResultsKeep(t *testing.T) {
	t.Parallel()
	opt := demoResults()
	opt.Store = filepath.Join(t.TempDir(), "kept")
	d := startExplorer(t, opt, 120, 36).judged("alt+6").asking("outline", "full").Press("esc").viewing(partStore)
	d.wants("nothing is kept yet in", "a puts the result there for session default")
	if _, err := os.Stat(opt.Store); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the store was made: %v", err)
	}
	d.judged("a").wants("kept a0bbc344d98bf377 for session default", "1 blob  61.4 kB", "mcp_signals_tail_logs", "in 72 h")
	d.viewing(partSeen).judged("right", "a").wants("[6 Results]", "2 blobs", "1 session", "2 references")
	d.Press("s").Type("kanban-worker").Press("enter").settle().judged("a").wants("2 blobs", "2 sessions", "3 references")
	k, err := store.Open(opt.Store, store.Options{Now: opt.Now, TTL: 72 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	refs, err := k.References(t.Context())
	if err != nil || len(refs) != 3 {
		t.Fatalf("%d references, %v", len(refs), err)
	}
	b, err := k.Open(t.Context(), "kanban-worker", refs[0].Meta.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	held := make([]byte, b.Size())
	if _, err := b.ReadAt(held, 0); err != nil && !errors.Is(err, io.EOF) || string(held) != string(demo.Result(demo.ResultFiles[1])) {
		t.Errorf("the store holds something else: %v", err)
	}
	// What cannot be kept is said.
	d.judged("t").Type("terminal").judged("enter", "a").wants("is not rescued")
	opt = demoResults()
	opt.Store = filepath.Join(t.TempDir(), "below", string([]byte{0}))
	startExplorer(t, opt, 120, 36).judged("alt+6", "a").wants("nothing was kept: ")
}

// Esc cancels what is being kept, and nothing of it is left in the store.
func TestResultsKeepIsCancelled(t *testing.T) {
	t.Parallel()
	opt := demoResults()
	opt.Store = filepath.Join(t.TempDir(), "kept")
	d := startExplorer(t, opt, 80, 24).judged("alt+6")
	a := d.app()
	_, cmd := a.Update(d.key("a")) // its command is not run yet
	if a.results.keeping.cancel == nil || a.results.progress() != "keeping it" {
		t.Fatal("nothing is being kept")
	}
	a.Update(d.key("esc"))
	d.run(cmd)
	if d.wants("cancelled: nothing was kept", "[6 Results]"); a.results.keeping.cancel != nil {
		t.Error("it is still being kept")
	}
	d.viewing(partStore).lacks("1 blob")
}
