package logs_test

import (
	"database/sql"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"caliper/model/jsontree"
)

// database writes the database of Hermes.
func (w *writer) database() error {
	d, err := sql.Open("sqlite", filepath.Join(w.folder, "state.db")+"?_pragma=synchronous(off)&_pragma=journal_mode(off)")
	if err != nil {
		return err
	}
	defer d.Close()
	d.SetMaxOpenConns(1)
	run := func(statement string, args ...any) {
		if err == nil {
			_, err = d.Exec(statement, args...)
		}
	}
	run(`CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, system_prompt TEXT, parent_session_id TEXT, started_at REAL,
		input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER)`)
	run(`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT, tool_call_id TEXT,
		timestamp REAL, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0)`)
	run(`CREATE INDEX of_session ON messages (session_id, timestamp)`)
	for n := 0; w.left > 0 && err == nil; n++ {
		run(`BEGIN`)
		rows, system := 0, w.words(4000)
		w.hermes(n, func(role, content, calls, of string, at int) {
			rows++
			text := string(jsontree.AppendUnescaped(nil, []byte(content)))
			run(`INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, timestamp) VALUES (?, ?, ?, ?, ?, ?)`,
				n, role, text, sql.NullString{String: calls, Valid: calls != ""}, sql.NullString{String: of, Valid: of != ""}, 1789801098+float64(at))
			w.left -= int64(len(text) + len(calls) + 100)
		})
		run(`INSERT INTO sessions VALUES (?, 'cli', 'qwen-drift-4', ?, NULL, ?, ?, ?, ?, 0)`, n, system, 1789801098+1000*n, 20_000*rows, 100*rows, 10_000*rows)
		w.left -= int64(len(system))
		run(`COMMIT`)
	}
	return err
}
