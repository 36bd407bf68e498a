package scope

import (
	"slices"
	"strings"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/ui"
)

// matrix is the view of tools and sessions: which rows of the table are shown, and
// where the cursor is. The cells are made when they are drawn.
//
// Invariants:
//   - rows are the groups in order, and below each that is not folded its items;
//     under a filter those that hold it, folded or not;
//   - the cursor is on a row and on a session whenever there are some;
//   - the cursor stays on its tool and its session when the table changes.
type matrix struct {
	table   *table // nil before the first audit
	rows    []row
	folded  map[string]bool // toolsets
	opened  string          // the toolset that was unfolded last by itself; empty: none is
	filter  string          // in lower case
	cursor  int             // in rows
	group   string          // name of the group under the cursor
	tool    string          // qualified name of the tool under it; empty on the line of a group
	session string          // name of the session under it
	left    int             // the first column that is shown
	columns int             // columns of the last picture
	lines   int             // lines of rows in it
	list    ui.Window
}

// row is a line of the matrix: an item of a group, or with item < 0 the group.
type row struct{ group, item int }

// show takes in a new table. The first one begins with the cursor on the given session.
func (m *matrix) show(t *table, session string) {
	if m.table == nil {
		m.session = session
	}
	m.table = t
	m.arrange()
}

// arrange makes the rows, and finds the cursor's again.
func (m *matrix) arrange() {
	m.rows = m.rows[:0]
	if m.table == nil {
		return
	}
	at, near := -1, -1
	for g := range m.table.groups {
		of := &m.table.groups[g]
		head := len(m.rows)
		m.rows = append(m.rows, row{g, -1})
		whole := m.filter == "" || strings.Contains(of.low, m.filter)
		if m.filter != "" || !m.folded[of.name] || of.violates {
			for i := range of.items {
				if whole || strings.Contains(of.items[i].low, m.filter) {
					m.rows = append(m.rows, row{g, i})
				}
			}
		}
		if !whole && len(m.rows) == head+1 {
			m.rows = m.rows[:head]
			continue
		}
		if of.name == m.group && !of.violates {
			near = head
		}
	}
	if m.tool != "" {
		at = slices.IndexFunc(m.rows, func(r row) bool { return r.item >= 0 && m.item(r).name == m.tool })
	}
	if at < 0 && near >= 0 {
		at = near
		if m.filter != "" && m.tool != "" && near+1 < len(m.rows) { // the search is for a tool
			at++
		}
	}
	if at < 0 { // the first tool, below the line of its group
		at = min(1, len(m.rows)-1)
	}
	m.selectRow(at)
}

// item returns the item of a row that is no group.
func (m *matrix) item(r row) *item { return &m.table.groups[r.group].items[r.item] }

// selectRow puts the cursor on a row.
func (m *matrix) selectRow(at int) {
	m.cursor = max(0, min(at, len(m.rows)-1))
	if len(m.rows) == 0 {
		return
	}
	r := m.rows[m.cursor]
	m.group, m.tool = m.table.groups[r.group].name, ""
	if r.item >= 0 {
		m.tool = m.item(r).name
	}
}

// under returns the row of the cursor; ok is false if the matrix has no rows.
func (m *matrix) under() (r row, ok bool) {
	if m.table == nil || m.cursor >= len(m.rows) {
		return row{}, false
	}
	return m.rows[m.cursor], true
}

// selected returns the tool under the cursor, nil for none.
func (m *matrix) selected() *model.Tool {
	if r, ok := m.under(); ok && r.item >= 0 {
		return m.item(r).tool
	}
	return nil
}

// column returns the column of the cursor, the first when its session has gone.
func (m *matrix) column(a *engine.Audit) int {
	if m.table == nil {
		return 0
	}
	return max(0, slices.IndexFunc(m.table.sessions, func(i int) bool { return a.Sessions[i].Name == m.session }))
}

// fold folds or unfolds the group of the cursor.
func (m *matrix) fold() {
	r, ok := m.under()
	if !ok {
		return
	}
	if m.folded == nil {
		m.folded = map[string]bool{}
	}
	name := m.table.groups[r.group].name
	m.opened = ""
	if m.folded[name] = !m.folded[name]; !m.folded[name] {
		m.opened = name
	}
	m.tool = ""
	m.arrange()
}
