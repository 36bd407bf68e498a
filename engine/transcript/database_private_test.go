package transcript

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"caliper/model/require"
)

// TestSweep: what a killed process left is removed, and nothing else.
func TestSweep(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	if os.TempDir() != temporary {
		t.Skip("the folder for temporary files is not TMPDIR here")
	}
	folderOf := func(name string, mode os.FileMode, files ...string) string {
		folder := filepath.Join(temporary, name)
		require.NoError(t, os.Mkdir(folder, mode))
		for _, f := range files {
			require.NoError(t, os.WriteFile(filepath.Join(folder, f), []byte("x"), 0o600))
		}
		return folder
	}
	killed := folderOf(folderPrefix+"1", 0o700, leaseName, "state.db")
	unlocked := folderOf(folderPrefix+"2", 0o700, "state.db")
	held := folderOf(folderPrefix+"3", 0o700, leaseName, "state.db")
	open := folderOf(folderPrefix+"4", 0o755, leaseName)
	other := folderOf("caliper-other", 0o700, leaseName)
	linked := filepath.Join(temporary, folderPrefix+"5")
	if err := os.Symlink(other, linked); err != nil {
		t.Skip(err)
	}
	lease := flock.New(filepath.Join(held, leaseName))
	if ok, err := lease.TryLock(); err != nil || !ok {
		t.Skip("no locks here", err)
	}
	defer lease.Close()

	exists := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	sweep(temporary, time.Now())
	if !exists(killed) || !exists(unlocked) {
		t.Error("a young folder is removed")
	}
	made, err := newPrivate(time.Now().Add(2 * abandonedAfter))
	require.NoError(t, err)
	for path, want := range map[string]bool{killed: false, unlocked: false, held: true, open: true, other: true, linked: true, made.folder: true} {
		if exists(path) != want {
			t.Errorf("%s: there is %v", filepath.Base(path), exists(path))
		}
	}
	sweep(temporary, time.Now().Add(2*abandonedAfter)) // of another process, later
	if !exists(made.folder) {
		t.Error("a folder in use is removed")
	}
	made.remove()
	if made.remove(); exists(made.folder) {
		t.Error("the folder is left")
	}
}

// The rows of a session are read in the order of their ids, whatever the table and its
// indexes are like, and whichever sessions write between each other.
func TestOrderOfRows(t *testing.T) {
	t.Parallel()
	columns := `session_id TEXT, role TEXT, content TEXT, timestamp REAL`
	for name, messages := range map[string]string{
		"as Hermes has it":     `CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, ` + columns + `)`,
		"an id of its own":     `CREATE TABLE messages (id INTEGER, ` + columns + `)`,
		"a descending key":     `CREATE TABLE messages (id INTEGER PRIMARY KEY DESC, ` + columns + `)`,
		"no numbers of rows":   `CREATE TABLE messages (id INTEGER PRIMARY KEY, ` + columns + `) WITHOUT ROWID`,
		"they are hidden":      `CREATE TABLE messages (id INTEGER PRIMARY KEY, ` + columns + `, RowID TEXT DEFAULT 'x')`,
		"an id that is a text": `CREATE TABLE messages (id TEXT PRIMARY KEY, ` + columns + `)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, path := home(t, `CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL)`, messages,
				`CREATE INDEX of_session ON messages (session_id, timestamp)`,
				`INSERT INTO sessions VALUES ('a', 1), ('b', 2)`,
				`INSERT INTO messages (id, session_id, role, content, timestamp) VALUES (4, 'a', 'user', 'four', 1), (1, 'a', 'user', 'one', 9),
					(3, 'b', 'user', 'three', 5), (2, 'a', 'user', 'two', 3), (6, 'b', 'user', 'six', 1), (5, 'c', 'user', 'of no session', 1)`)
			var said []string
			for _, s := range read1(t, path).Sessions {
				for _, e := range s.Contexts[0].Entries {
					said = append(said, e.Words)
				}
			}
			if got := strings.Join(said, " "); got != "one two four three six" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestHostileRows: a cell of any other type or size than its own costs at most its row,
// and the other sessions are read.
func TestHostileRows(t *testing.T) {
	t.Parallel()
	values := []string{"NULL", "''", "'x'", "-1", "1e300", "-9223372036854775808", "9223372036854775807", "0.5", "x'ff00fe'", "zeroblob(70000)",
		"char(27)||'[2J'||char(8238)||char(0)", "char(0)||'json:'||char(0)", "'[{\"function\":{}}]'", "'{\"a\":'", "'[{}'", "'null'", "'7'",
		"replace(hex(zeroblob(50000)), '00', '[')", "'2026-09-15T11:57:45Z'", "253402300800", "'NaN'", "9e999"}
	columns := map[string][]string{
		"sessions": {"id", "model", "system_prompt", "system_prompt_hash", "parent_session_id", "started_at", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"},
		"messages": {"session_id", "role", "content", "tool_calls", "tool_call_id", "timestamp", "active", "compacted"},
	}
	d, path := home(t, schema)
	for table, names := range columns {
		for _, column := range names {
			for i, v := range values {
				id := fmt.Sprintf("%s-%s-%d", table, column, i)
				run(t, d, "BEGIN",
					fmt.Sprintf(`INSERT INTO sessions (id, model, started_at, input_tokens) VALUES ('%s', 'm', 5, 100)`, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, timestamp) VALUES ('%s', 'user', 'hello', 6)`, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('%s', 'assistant', 'hi', '[{"id":"c","function":{"name":"x","arguments":"{}"}}]', 7)`, id))
				key := "id"
				if table == "messages" {
					key = "session_id"
				}
				run(t, d, fmt.Sprintf(`UPDATE OR IGNORE %s SET %s = %s WHERE %s = '%s'`, table, column, v, key, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, tool_call_id, timestamp) VALUES ('%s', 'tool', 'done', 'c', 8)`, id), "COMMIT")
			}
		}
	}
	run(t, d, `INSERT INTO sessions (id, started_at) VALUES ('good', 9)`, `INSERT INTO messages (session_id, role, content) VALUES ('good', 'user', 'hello')`)
	log := read1(t, path)
	if last := log.Sessions[len(log.Sessions)-1]; len(log.Sessions) < 300 {
		t.Errorf("%d sessions, the last is %s", len(log.Sessions), last.ID)
	}
	good := false
	for _, s := range log.Sessions {
		good = good || s.ID == "good" && len(s.Contexts[0].Entries) == 1
		if s.Sums != nil && !s.Sums.Possible() {
			t.Errorf("%s has the sums %+v", s.ID, *s.Sums)
		}
		if s.Started.Year() > 9999 || s.Started.Year() < 1 {
			t.Errorf("%s began in the year %d", s.ID, s.Started.Year())
		}
		for i, e := range s.Contexts[0].Entries {
			if e.Parent < None || e.Parent >= i || e.Size.AllChars() < 0 || e.Size.AllChars() > math.MaxInt32 || e.Kind == Result && e.CallEntry >= i {
				t.Errorf("%s, entry %d: %+v", s.ID, i, e)
			}
		}
	}
	if !good {
		t.Error("the good session is not read")
	}
	for _, s := range log.Skipped {
		if strings.Contains(s.What, "damaged") {
			t.Errorf("left out %+v", s)
		}
	}
}
