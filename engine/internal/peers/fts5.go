package peers

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver

	"caliper/model"
)

// FTS5 is a full-text table of SQLite in memory, with the default tokenizer,
// through the driver that needs no C.
type FTS5 struct {
	db    *sql.DB
	query *sql.Stmt
}

// NewFTS5 returns the table of a catalog: document i is tools[i]. The caller
// closes it.
func NewFTS5(tools []*model.Tool) (*FTS5, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open FTS5: %w", err)
	}
	// Every connection to :memory: is a database of its own.
	db.SetMaxOpenConns(1)
	f := &FTS5{db: db}
	if err := f.fill(tools); err != nil {
		return nil, fmt.Errorf("fill FTS5: %w", errors.Join(err, db.Close()))
	}
	// The hidden column rank is bm25(tools). To order by the column lets FTS5
	// sort, which is quicker than to order by the function.
	f.query, err = db.Prepare("select rowid from tools where tools match ? order by rank limit ?")
	if err != nil {
		return nil, fmt.Errorf("prepare FTS5: %w", errors.Join(err, db.Close()))
	}
	return f, nil
}

func (f *FTS5) fill(tools []*model.Tool) error {
	if _, err := f.db.Exec("create virtual table tools using fts5(name, description, parameters)"); err != nil {
		return err
	}
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing to do after a commit
	insert, err := tx.Prepare("insert into tools (rowid, name, description, parameters) values (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	for i, t := range tools {
		d := newDocument(t)
		if _, err := insert.Exec(i, d.Name, d.Description, d.Parameters); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// anyOf returns the query that matches what holds any of the text's words:
// what is between spaces, each as a string, so that none is an operator. A
// name with underscores is then a phrase. A zero byte, which would end the
// query, separates words too. No words are the empty query, which FTS5 takes
// for an error.
func anyOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
	for i, w := range words {
		words[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
	}
	return strings.Join(words, " OR ")
}

// Search returns the k best documents for any of the query's words in any
// column, best first; none when k is not positive. It is an error when the table
// is closed.
func (f *FTS5) Search(query string, k int) (docs []int, err error) {
	match := anyOf(query)
	if match == "" || k <= 0 { // to SQLite, a limit below 0 is none
		return nil, nil
	}
	rows, err := f.query.Query(match, k)
	if err != nil {
		return nil, fmt.Errorf("FTS5, query %q: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var doc int
		if err := rows.Scan(&doc); err != nil {
			return nil, fmt.Errorf("FTS5, query %q: %w", query, err)
		}
		docs = append(docs, doc)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("FTS5, query %q: %w", query, err)
	}
	return docs, nil
}

// Bytes returns the size of the table's pages. They lie outside Go's heap,
// together with what SQLite keeps of its own, which is not counted.
func (f *FTS5) Bytes() (int64, error) {
	var bytes int64
	err := f.db.QueryRow("select page_count * page_size from pragma_page_count, pragma_page_size").Scan(&bytes)
	if err != nil {
		return 0, fmt.Errorf("size of FTS5: %w", err)
	}
	return bytes, nil
}

// Close frees the table.
func (f *FTS5) Close() error { return errors.Join(f.query.Close(), f.db.Close()) }
