package transcript

import (
	"strings"
	"testing"
)

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
