package transcript

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

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
