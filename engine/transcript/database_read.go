package transcript

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"caliper/model/jsontree"
)

// maxText is the longest column that is read, in bytes.
const maxText = 64 << 20

// readCopy reads a copy into r, which is removed when it is open.
func (c *private) readCopy(ctx context.Context, r *HermesReader, path, copied string) error {
	// SECURITY: the schema is foreign. No function of it is trusted, nothing is written,
	// and every cell is checked before it is used.
	query := url.Values{"_pragma": {"query_only(1)", "trusted_schema(0)", "cell_size_check(1)", "temp_store(memory)", "mmap_size(0)", "locking_mode(exclusive)"}}
	d, err := sql.Open("sqlite", "file:"+url.PathEscape(copied)+"?"+query.Encode())
	if err != nil {
		return err
	}
	defer d.Close()
	d.SetMaxOpenConns(1) // a second one would find no file
	d.SetMaxIdleConns(1)
	d.SetConnMaxLifetime(0)
	var n int
	if err := d.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&n); err != nil {
		return err
	}
	c.remove() // where an open file cannot be removed, the caller does it
	return readSessions(ctx, d, r, path)
}

// columns returns the columns of a table; none for anything but a plain table.
func columns(ctx context.Context, d *sql.DB, table string) ([]string, error) {
	// SECURITY: a view or a virtual table would run what the file says.
	rows, err := d.QueryContext(ctx, `SELECT name FROM pragma_table_info(?) WHERE EXISTS
		(SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND sql NOT LIKE 'create virtual%')`, table, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// selection returns the columns to select: those that a table has, NULL for those that
// an older version has not. Texts are bytes, since some hold a zero byte.
func selection(have []string, texts, numbers []string) string {
	var list []string
	for _, name := range texts {
		if !slices.Contains(have, name) {
			list = append(list, "NULL")
			continue
		}
		// SECURITY: a text that is too long is left out.
		list = append(list, fmt.Sprintf("CASE WHEN octet_length(%[1]s) <= %[2]d THEN CAST(%[1]s AS BLOB) END", name, maxText))
	}
	for _, name := range numbers {
		if !slices.Contains(have, name) {
			list = append(list, "NULL")
			continue
		}
		list = append(list, "CAST("+name+" AS REAL)")
	}
	return strings.Join(list, ", ")
}

// readSessions reads all sessions.
func readSessions(ctx context.Context, d *sql.DB, r *HermesReader, path string) error {
	ofSessions, err := columns(ctx, d, "sessions")
	if err != nil {
		return err
	}
	ofMessages, err := columns(ctx, d, "messages")
	if err != nil {
		return err
	}
	prompts, err := columns(ctx, d, "system_prompts")
	if err != nil {
		return err
	}
	if !slices.Contains(ofSessions, "id") || !slices.Contains(ofMessages, "session_id") || !slices.Contains(ofMessages, "id") {
		r.skipped.Add(path, 0, "not of Hermes")
		return nil
	}
	order := "id"
	if slices.Contains(ofSessions, "started_at") {
		order = "started_at, id"
	}
	rows, err := d.QueryContext(ctx, "SELECT "+selection(ofSessions, []string{"id", "model"},
		[]string{"started_at", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"})+" FROM sessions ORDER BY "+order)
	if err != nil {
		return err
	}
	var list []Session
	for rows.Next() {
		var id, model []byte
		var started, input, cacheRead, cacheWrite, output sql.NullFloat64
		if err = rows.Scan(&id, &model, &started, &input, &cacheRead, &cacheWrite, &output); err != nil {
			break
		}
		list = append(list, Session{ID: string(id), File: path, Model: string(model), Started: UnixTime(started.Float64),
			Sums: &Usage{Input: tokens(input), CacheRead: tokens(cacheRead), CacheWrite: tokens(cacheWrite), Output: tokens(output)}})
	}
	failed := errors.Join(err, rows.Err(), rows.Close()) // what was listed before is read all the same
	prompt := selection(ofSessions, []string{"system_prompt"}, nil)
	if slices.Contains(ofSessions, "system_prompt_hash") && slices.Contains(prompts, "hash") && slices.Contains(prompts, "prompt") {
		prompt = "coalesce(" + prompt + ", (SELECT " + selection(prompts, []string{"prompt"}, nil) + " FROM system_prompts WHERE hash = sessions.system_prompt_hash))"
	}
	systems, err := d.PrepareContext(ctx, "SELECT "+prompt+" FROM sessions WHERE id = ?")
	if err != nil {
		return errors.Join(failed, err)
	}
	defer systems.Close()
	messagesOf, err := ofOneSession(ctx, d, ofMessages)
	if err != nil {
		return errors.Join(failed, err)
	}
	defer messagesOf.Close()
	for _, s := range list {
		var system []byte
		if err := systems.QueryRowContext(ctx, s.ID).Scan(&system); err != nil && !errors.Is(err, sql.ErrNoRows) {
			failed = errors.Join(failed, err)
		}
		failed = errors.Join(failed, readMessages(ctx, messagesOf, r, s, string(system)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return failed
}

// ofOneSession returns the statement that selects the messages of one session in their order.
// Where the id is the number of the row, as Hermes has it, only numbers are sorted: they are
// listed first, and the texts read in their order. A table without such numbers is sorted
// as it is.
func ofOneSession(ctx context.Context, d *sql.DB, have []string) (*sql.Stmt, error) {
	rows := "SELECT " + selection(have, []string{"role", "content", "tool_calls", "tool_call_id"}, []string{"timestamp", "active", "compacted"}) + " FROM messages WHERE "
	if !slices.ContainsFunc(have, func(name string) bool { return strings.EqualFold(name, "rowid") }) { // such a column would hide it
		if s, err := d.PrepareContext(ctx, rows+"rowid IN (SELECT rowid FROM messages WHERE session_id = ?) ORDER BY id"); err == nil {
			return s, nil
		}
	}
	return d.PrepareContext(ctx, rows+"session_id = ? ORDER BY id")
}

// readMessages reads the messages of one session, which a statement selects.
func readMessages(ctx context.Context, of *sql.Stmt, r *HermesReader, stored Session, system string) error {
	rows, err := of.QueryContext(ctx, stored.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	s := r.begin(stored, 0, system)
	defer s.end()
	for rows.Next() {
		var role, content, calls, id sql.RawBytes
		var at, active, compacted sql.NullFloat64
		if err := rows.Scan(&role, &content, &calls, &id, &at, &active, &compacted); err != nil {
			return err
		}
		if tell := r.Options.Progress; tell != nil {
			tell(len(role) + len(content) + len(calls) + len(id))
		}
		n, ok := messageOf(role, content, calls, id)
		if !ok {
			r.skipped.Add(stored.File, 0, "not JSON")
			continue
		}
		s.row(n, hermesRow{at: UnixTime(at.Float64), active: !active.Valid || active.Float64 != 0, compacted: compacted.Float64 != 0})
	}
	return rows.Err()
}

// messageOf returns a row in the shape of OpenAI chat. Content of several parts is JSON behind a
// mark; ok is false when that, or the calls, cannot be parsed. What is raw in it lives as long as
// the columns do.
func messageOf(role, content, calls, id []byte) (n *jsontree.Node, ok bool) {
	n, ok = &jsontree.Node{Kind: jsontree.Object}, true
	word := func(name string, column []byte) {
		text := string(column)
		if !utf8.ValidString(text) {
			text = string([]rune(text))
		}
		n.Set(name, &jsontree.Node{Kind: jsontree.String, Text: text})
	}
	tree := func(name string, column []byte) {
		v, err := jsontree.Parse(jsontree.Mend(column), jsontree.Strict)
		ok = ok && err == nil
		n.Set(name, v)
	}
	word("role", role)
	word("tool_call_id", id)
	if parts, marked := bytes.CutPrefix(content, []byte("\x00json:")); marked {
		tree("content", parts)
	} else {
		word("content", content)
	}
	if len(calls) > 0 {
		tree("tool_calls", calls)
	}
	return n, ok
}

// tokens returns a count; 0 for anything else.
func tokens(n sql.NullFloat64) int {
	if !(n.Float64 >= 0 && n.Float64 < 1e15) {
		return 0
	}
	return int(n.Float64)
}
