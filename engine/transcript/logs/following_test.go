package logs

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/newfile"
	"caliper/model/require"
)

// written returns the content of each file of a folder.
func written(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		out[f] = string(data)
	}
	return out
}

// TestFollowing: while a log grows line by line the index is left alone; it is written
// once the log has grown by much, or rests.
func TestFollowing(t *testing.T) {
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1")})
	path, kept := filepath.Join(dir, "a.jsonl"), t.TempDir()
	now := newfile.CacheFolder{Path: kept, Build: "b1", Now: time.Now}
	readAll(t, dir, transcript.Options{}, now, "first")
	before := written(t, kept)
	if len(before) == 0 {
		t.Fatal("nothing is kept")
	}
	for range 3 {
		put(t, path, of(claudeHello, "s1"), os.O_APPEND)
		readAll(t, dir, transcript.Options{}, now, "grown")
	}
	if after := written(t, kept); !maps.Equal(before, after) {
		t.Error("written for each line")
	}
	readAll(t, dir, transcript.Options{}, later(kept), "at rest")
	if after := written(t, kept); maps.Equal(before, after) {
		t.Error("not written when the log rests")
	}
	before = written(t, kept)
	put(t, path, strings.Repeat(of(claudeHello, "s1"), worthKeeping/len(claudeHello)+1), os.O_APPEND)
	readAll(t, dir, transcript.Options{}, now, "grown by much")
	if after := written(t, kept); maps.Equal(before, after) {
		t.Error("not written when the log has grown by much")
	}
}

// TestInterrupted: what was read whole before an interruption is not read again.
func TestInterrupted(t *testing.T) {
	long := strings.Repeat(of(claudeHello, "s2"), 20_000)
	dir := folder(t, map[string]string{"a.jsonl": of(claudeHello+claudeReply, "s1"), "b.jsonl": long})
	cache := later(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := 0
	o := transcript.Options{Progress: func(n int) {
		if read += n; read > len(long)/2 {
			cancel()
		}
	}}
	if _, err := Read(ctx, []string{dir}, "", o, cache); !errors.Is(err, context.Canceled) {
		t.Fatalf("ended with %v", err)
	}
	if len(written(t, cache.Path)) == 0 {
		t.Error("nothing is kept")
	}
	readAll(t, dir, transcript.Options{}, cache, "the next time")
}

// TestFollowingADatabase: a copy of a database whose log grows is kept, and its new
// sessions are read; the index does not stand in the way. Nothing is left after the end.
func TestFollowingADatabase(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if os.TempDir() != temporary {
		t.Skip("the folder for temporary files is not TMPDIR here")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	d, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	require.NoError(t, err)
	defer d.Close()
	execute := func(statements ...string) {
		for _, s := range statements {
			if _, err := d.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	execute("CREATE TABLE sessions (id TEXT)",
		"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT)", "PRAGMA wal_checkpoint(truncate)")
	require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
	var f Follower
	cache := newfile.CacheFolder{Path: t.TempDir(), Build: "b1", Now: time.Now}
	for i := 1; i <= 3; i++ {
		execute("INSERT INTO sessions VALUES (hex(randomblob(4)))", "INSERT INTO messages (session_id, role, content) SELECT id, 'user', 'hi' FROM sessions ORDER BY rowid DESC LIMIT 1")
		log, err := f.Read(t.Context(), []string{path}, "", transcript.Options{}, cache)
		if err != nil || len(log.Sessions) != i || len(log.Skipped) > 0 {
			t.Fatalf("reading %d has %d sessions, left out %v (%v)", i, len(log.Sessions), log.Skipped, err)
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) != 1 {
		t.Errorf("%d folders are kept", len(left))
	}
	f.Close()
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	t.Setenv("TMPDIR", filepath.Join(temporary, "nowhere"))
	log, err := Read(t.Context(), []string{path}, "", transcript.Options{}, newfile.CacheFolder{})
	if want := map[string]string{"state.db": transcript.NoCopy}; err != nil || !reflect.DeepEqual(skipped(log), want) {
		t.Errorf("without a folder for a copy %v is left out, %v", log.Skipped, err)
	}
}
