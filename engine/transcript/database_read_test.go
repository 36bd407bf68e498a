package transcript

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"caliper/model/require"
)

func TestMain(m *testing.M) { os.Exit(require.Run(m)) }

const schema = `
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT);
CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, system_prompt TEXT, system_prompt_hash TEXT, parent_session_id TEXT, started_at REAL,
	input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, tool_call_id TEXT,
	timestamp REAL, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0);`

// home makes a database in a folder of its own and returns its connection, still open,
// and its path.
func home(t testing.TB, statements ...string) (*sql.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	d, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)&_pragma=synchronous(off)")
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	run(t, d, statements...)
	return d, path
}

func run(t testing.TB, d *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := d.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func read1(t testing.TB, path string) Log {
	t.Helper()
	r := new(HermesReader)
	require.NoError(t, ReadDatabase(t.Context(), r, path))
	return r.Log()
}

// listing writes the content of a folder, byte for byte.
func listing(t testing.TB, folder string) string {
	t.Helper()
	var b strings.Builder
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		info, _ := e.Info()
		fmt.Fprintf(&b, "%s %v %v %x\n", e.Name(), info.Mode(), info.ModTime(), sha256.Sum256(data))
	}
	return b.String()
}

func TestReadsWhatIsOnlyInTheLog(t *testing.T) {
	t.Parallel()
	d, path := home(t, schema, `PRAGMA wal_checkpoint(truncate)`,
		`INSERT INTO system_prompts VALUES ('h', 'be brief')`,
		`INSERT INTO sessions VALUES ('b', 'm', NULL, 'h', 'a', 20, 7, 1, 5, 2), ('a', 'm', 'own', NULL, NULL, 10, 0, 0, 0, 0)`,
		`INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'hi', 11), ('b', 'user', char(0)||'json:[{"type":"text","text":"four"},{"type":"image"}]', 21)`,
		`INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('b', 'assistant', NULL, '[{"id":"0","function":{"name":"tool_call","arguments":"{\"name\":\"x\"}"}}]', 22)`,
		`INSERT INTO messages (session_id, role, content, tool_call_id, timestamp) VALUES ('b', 'tool', '{"success":false}', '0', 23)`)
	before := listing(t, filepath.Dir(path))
	log := read1(t, path)
	if after := listing(t, filepath.Dir(path)); after != before {
		t.Errorf("the folder was\n%sand is\n%s", before, after)
	}
	_ = d
	if len(log.Sessions) != 2 || log.Sessions[0].ID != "a" || log.Sessions[0].Sums != nil || len(log.Skipped) > 0 {
		t.Fatalf("got %+v", log)
	}
	s := log.Sessions[1]
	e := s.Contexts[0].Entries
	if len(e) != 4 || e[0].Size.Chars[Prose] != 8 || e[1].Words != "four" || !e[2].Request.Calls[0].Failed || e[2].Request.Calls[0].Tool != "x" || e[3].Parent != 2 || s.Sums.Total() != 14 {
		t.Errorf("got %+v", e)
	}
}

// TestHeldTexts: the texts of a row stay what they are, whatever stands between it and the
// row that it waits for.
func TestHeldTexts(t *testing.T) {
	t.Parallel()
	_, path := home(t, schema, `INSERT INTO sessions (id) VALUES ('a')`,
		`INSERT INTO messages (session_id, role, content, tool_calls) VALUES
			('a', 'user', 'first words', NULL), ('a', 'assistant', 'wrong words', '{'), ('a', 'assistant', 'worse words', '{'),
			('a', 'session_meta', 'other words', NULL), ('a', 'assistant', 'wrong again', '{'), ('a', 'user', 'later words', NULL),
			('a', 'session_meta', 'other words', NULL), ('a', 'session_meta', 'third words', NULL), ('a', 'user', x'ff20ff', NULL)`)
	log := read1(t, path)
	var words []string
	for _, e := range log.Sessions[0].Contexts[0].Entries {
		words = append(words, e.Words)
	}
	if got := strings.Join(words, ", "); got != "first words, later words, \ufffd \ufffd" {
		t.Errorf("read %q", got)
	}
}

func TestOtherDatabases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statements []string
		want       string
	}{
		"an old version": {[]string{`CREATE TABLE sessions (id TEXT, model TEXT, started_at REAL)`, `CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT)`,
			`INSERT INTO sessions VALUES ('a','m',1)`, `INSERT INTO messages VALUES (1,'a','user','hi')`}, "1 []"},
		"another program": {[]string{`CREATE TABLE t (x)`}, "0 [not of Hermes]"},
		"views": {[]string{`CREATE VIEW sessions AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n) SELECT id FROM n`,
			`CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT)`}, "0 [not of Hermes]"},
		"broken JSON": {[]string{schema, `INSERT INTO sessions (id) VALUES ('a')`, `INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', char(0)||'json:[')`,
			`INSERT INTO messages (session_id, role, content, tool_calls) VALUES ('a', 'assistant', x'ff00ff', '}')`, `INSERT INTO messages (session_id, role, content) VALUES ('a', 7, 8)`,
			`INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', x'ff00ff')`}, "1 [not JSON]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, path := home(t, c.statements...)
			log := read1(t, path)
			var what []string
			for _, s := range log.Skipped {
				what = append(what, s.What)
			}
			if got := fmt.Sprint(len(log.Sessions), " ", what); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	d, path := home(t, schema, `INSERT INTO sessions (id, model) VALUES ('a', 'm')`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 500) INSERT INTO messages (session_id, role, content) SELECT 'a', 'user', 'some words ' || i FROM n`,
		`PRAGMA wal_checkpoint(truncate)`)
	d.Close()
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	if n := len(read1(t, path).Sessions[0].Contexts[0].Entries); n != 500 {
		t.Fatalf("%d entries", n)
	}
	for name, data := range map[string][]byte{
		"a page of noise": append(append(append([]byte(nil), whole[:3*4096]...), strings.Repeat("\xa5", 4096)...), whole[4*4096:]...),
		"cut":             whole[:len(whole)/2],
		"the head alone":  whole[:100],
		"half a head":     whole[:40],
		"empty":           nil,
		"another file":    []byte("hello"),
		"noise":           append(append([]byte(nil), whole[:16]...), strings.Repeat("\xff", 9000)...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for file, data := range map[string][]byte{"state.db": data, "state.db-wal": []byte(strings.Repeat("x", 5000)), "state.db-journal": []byte("x")} {
				require.NoError(t, os.WriteFile(filepath.Join(folder, file), data, 0o400))
			}
			before := listing(t, folder)
			log := read1(t, filepath.Join(folder, "state.db"))
			if after := listing(t, folder); after != before {
				t.Errorf("the folder was\n%sand is\n%s", before, after)
			}
			if len(log.Skipped) == 0 {
				t.Errorf("nothing was counted: %+v", log.Sessions)
			}
		})
	}
}

// TestWhileItIsWritten reads a database that another connection writes and empties its
// log into all the time: every reading has whole transactions, and leaves nothing.
func TestWhileItIsWritten(t *testing.T) {
	d, path := home(t, schema)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ctx, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Add(1)
	go func() {
		defer writer.Done()
		for i := 0; ctx.Err() == nil && i < 300; i++ {
			_, err := d.Exec(fmt.Sprintf(`BEGIN; INSERT INTO sessions (id, started_at) VALUES ('s%[1]d', %[1]d); INSERT INTO messages (session_id, role, content) VALUES ('s%[1]d', 'user', 'hi'); COMMIT`, i))
			if err == nil && i%50 == 0 {
				_, err = d.Exec(`PRAGMA wal_checkpoint(truncate)`)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	last := 0
	for range 6 {
		log := read1(t, path)
		for _, s := range log.Skipped {
			if s.What != "changes while it is read" {
				t.Errorf("skipped %+v", s)
			}
		}
		if n := len(log.Sessions); len(log.Skipped) == 0 {
			if n < last {
				t.Errorf("%d sessions after %d", n, last)
			}
			last = n
		}
	}
	stop()
	writer.Wait()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range entries {
		switch e.Name() {
		case "state.db", "state.db-wal", "state.db-shm": // the writer's own
		default:
			t.Errorf("left: %s", e.Name())
		}
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestEndsWithItsContext(t *testing.T) {
	t.Parallel()
	_, path := home(t, schema)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := ReadDatabase(ctx, new(HermesReader), path); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := ReadDatabase(t.Context(), new(HermesReader), filepath.Dir(path)); err == nil {
		t.Error("a folder was read")
	}
}

// FuzzRead reads databases of any bytes.
func FuzzDatabase(f *testing.F) {
	d, path := home(f, "PRAGMA page_size = 512", schema, `INSERT INTO sessions (id) VALUES ('a')`, `INSERT INTO messages (session_id, role, content) VALUES ('a', 'user', 'hi')`, `PRAGMA wal_checkpoint(truncate)`)
	d.Close()
	in, err := os.Open(path)
	require.NoError(f, err)
	whole, err := io.ReadAll(in)
	require.NoError(f, err)
	f.Add(whole, 100, byte(1))
	f.Add(whole[:700], 20, byte(0xff))
	f.Fuzz(func(t *testing.T, data []byte, at int, b byte) {
		if at >= 0 && at < len(data) {
			data[at] ^= b
		}
		path := filepath.Join(t.TempDir(), "state.db")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		read1(t, path)
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Fatalf("left: %v", entries)
		}
	})
}

// TestRowOfBrokenJSON: content and calls of a row are JSON as a whole, or the row is left out.
func TestRowOfBrokenJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content, calls string
		want           bool
	}{
		{"words", "", true}, {"\x00json:[{\"type\":\"text\",\"text\":\"a\"}]", "[]", true}, {"\x00json:[] 1", "", false},
		{"\x00json:[", "[]", false}, {"", "[] 1", false}, {"\x00json:[", "[{}]", false},
	} {
		if _, ok := messageOf([]byte("assistant"), []byte(c.content), []byte(c.calls), nil); ok != c.want {
			t.Errorf("%q, %q: %v", c.content, c.calls, ok)
		}
	}
	if n, _ := messageOf(nil, []byte("a\xff\xfe"), nil, nil); n.Member("content").AsText() != "a\ufffd\ufffd" {
		t.Errorf("%q", n.Member("content").AsText())
	}
}

// TestNoFolderForACopy: without a folder for temporary files no database is read, and the error says so.
func TestNoFolderForACopy(t *testing.T) {
	_, path := home(t, schema)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if err := ReadDatabase(t.Context(), new(HermesReader), path); !errors.Is(err, ErrNoFolder) {
		t.Error(err)
	}
}

// TestDatabaseSize: the files that belong to a database count, and no others.
func TestDatabaseSize(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	if DatabaseSize(path) != 0 {
		t.Error("there is none")
	}
	for i, suffix := range []string{"", "-wal", "-journal", "-other"} {
		require.NoError(t, os.WriteFile(path+suffix, []byte("four"), 0o600))
		if got := DatabaseSize(path); got != int64(4*min(i+1, 3)) {
			t.Errorf("with %q %d bytes", suffix, got)
		}
	}
}

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
	d.SetMaxOpenConns(1) // that of the transaction
	run(t, d, "BEGIN")
	for table, names := range columns {
		for _, column := range names {
			for i, v := range values {
				id := fmt.Sprintf("%s-%s-%d", table, column, i)
				run(t, d,
					fmt.Sprintf(`INSERT INTO sessions (id, model, started_at, input_tokens) VALUES ('%s', 'm', 5, 100)`, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, timestamp) VALUES ('%s', 'user', 'hello', 6)`, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('%s', 'assistant', 'hi', '[{"id":"c","function":{"name":"x","arguments":"{}"}}]', 7)`, id))
				key := "id"
				if table == "messages" {
					key = "session_id"
				}
				run(t, d, fmt.Sprintf(`UPDATE OR IGNORE %s SET %s = %s WHERE %s = '%s'`, table, column, v, key, id),
					fmt.Sprintf(`INSERT INTO messages (session_id, role, content, tool_call_id, timestamp) VALUES ('%s', 'tool', 'done', 'c', 8)`, id))
			}
		}
	}
	run(t, d, "COMMIT", `INSERT INTO sessions (id, started_at) VALUES ('good', 9)`, `INSERT INTO messages (session_id, role, content) VALUES ('good', 'user', 'hello')`)
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
