package scope

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// A picture asks for the cells that it shows and for that of its sentence, however many
// tools and sessions there are.
func TestOnlyVisibleCellsAreMade(t *testing.T) {
	t.Parallel()
	for _, tools := range []int{100, 10_000} {
		d := open(t, 118, 29, manySessions(10), "team-03")
		all := make([]*model.Tool, tools)
		for i := range all {
			name := fmt.Sprintf("tool_%05d", i)
			all[i] = &model.Tool{Index: i, Name: name, Qualified: name, ShownName: name, Toolset: fmt.Sprintf("set-%d", i/25), Available: true}
			for j := range d.S.audit.Sessions {
				d.S.audit.Sessions[j].Denied = append(d.S.audit.Sessions[j].Denied, engine.Denial{Tool: name, Gate: "policy", Code: engine.CodeDenied})
			}
		}
		for j := range d.S.audit.Sessions {
			slices.SortFunc(d.S.audit.Sessions[j].Denied, func(a, b engine.Denial) int { return strings.Compare(a.Tool, b.Tool) })
		}
		d.S.matrix.show(newTable(&model.Registry{Tools: all}, d.S.audit), "team-03")
		for _, by := range []int{0, 1, 500, 1 << 30} {
			d.S.Move(by)
			d.S.matrix.made = 0
			d.S.Draw(ui.NewTheme(ui.Look{Plain: true}), d.W, d.H, true)
			if made, most := d.S.matrix.made, d.S.matrix.lines*d.S.matrix.columns+1; made > most || made == 0 {
				t.Errorf("%d tools, down by %d: %d cells are made, at most %d are seen", tools, by, made, most)
			}
		}
	}
}

// A filter keeps the tools whose names hold it, under the lines of their toolsets, and every
// tool of a toolset whose own name holds it, folded or not. Nothing else is kept.
func TestFilterOfTheMatrix(t *testing.T) {
	t.Parallel()
	var tools []*model.Tool
	for i, name := range [][2]string{{"mcp-dock", "open_berth"}, {"mcp-dock", "list_ships"}, {"mcp-vault", "Open_Door"}, {"mcp-vault", "dock_key"}, {"web", "fetch"}} {
		tools = append(tools, &model.Tool{Index: i, Name: name[1], Qualified: name[1], ShownName: name[1], Toolset: name[0], Available: true})
	}
	var m matrix
	m.show(newTable(&model.Registry{Tools: tools}, engine.Audit{Sessions: []engine.SessionAudit{{Name: "default"}}}), "default")
	for filter, want := range map[string]string{
		"":      "mcp-dock mcp-dock/list_ships mcp-dock/open_berth mcp-vault mcp-vault/Open_Door mcp-vault/dock_key web web/fetch",
		"open":  "mcp-dock mcp-dock/open_berth mcp-vault mcp-vault/Open_Door",
		"dock":  "mcp-dock mcp-dock/list_ships mcp-dock/open_berth mcp-vault mcp-vault/dock_key",
		"web":   "web web/fetch",
		"fetch": "web web/fetch",
		"none":  "",
	} {
		for _, folded := range []bool{false, true} {
			m.filter, m.folded = filter, map[string]bool{"mcp-dock": folded && filter != ""}
			m.arrange()
			var rows []string
			for _, r := range m.rows {
				text := m.table.groups[r.group].name
				if r.item >= 0 {
					text += "/" + m.item(r).name
				}
				rows = append(rows, text)
			}
			slices.Sort(rows)
			if got := strings.Join(rows, " "); got != want {
				t.Errorf("filter %q, folded %v: %s, want %s", filter, folded, got, want)
			}
		}
	}
}

// Every tool is in the matrix once, and each cell says what the lists of the audit say.
func TestCellsAreThoseOfTheAudit(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, "policy: [{match: browser_click, action: deny}]\nsessions: {default: {}, forge: {enabled_toolsets: [mcp-forge]}}\n", "default")
	withViolations(d, "forge", engine.Violation{Tool: "browser_type", Path: engine.PathCall})
	table, seen := d.S.matrix.table, map[string]bool{}
	for g, of := range table.groups {
		if (g == 0) != of.violates {
			t.Errorf("group %d is %q", g, of.name)
		}
		for i := range of.items {
			it := &of.items[i]
			if seen[it.name] {
				t.Errorf("%s is there twice", it.name)
			}
			seen[it.name] = true
			for j := range d.S.audit.Sessions {
				a := &d.S.audit.Sessions[j]
				_, denied := a.Denial(it.name)
				want := wayNone
				switch {
				case len(violated(a, it.name)) > 0:
					want = wayViolation
				case denied:
					want = wayDenied
				case slices.Contains(a.Direct, it.name):
					want = wayDirect
				case slices.Contains(a.Callable, it.name):
					want = waySearch
				}
				if got := reachOf(a, it.name); got.way != want {
					t.Errorf("%s in %s: %d, want %d", it.name, a.Name, got.way, want)
				}
			}
		}
	}
	if len(seen) != len(d.State.Snapshot.Registry.Tools) {
		t.Errorf("%d tools of %d", len(seen), len(d.State.Snapshot.Registry.Tools))
	}
	d.Press("g").Press("down")
	d.S.moveColumn(-1)
	d.Wants("1 tool in VIOLATION", "! VIOLATION", "VIOLATION: forge reaches browser_type by call against its scope", "[! VIOLATION]")
	d.Press("/").Type("browser_click").Press("enter")
	d.S.moveColumn(1)
	d.Wants("✗", "default cannot call browser_click: denied by policy: a rule of gate policy denies it")
}

// The cursor stays on its tool and session when the files change.
func TestTheCursorStaysOnItsTool(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, manySessions(6), "team-02").Press("/").Type("merge_change").Press("enter")
	d.S.moveColumn(2)
	d.S.Filter("")
	d.Wants("▌  mcp_forge_merge_change")
	d.Configure(manySessions(8)).Settle().Wants("▌  mcp_forge_merge_change")
	if d.S.matrix.session != "team-04" || d.S.Tool() == nil || d.S.Tool().Qualified != "mcp_forge_merge_change" {
		t.Errorf("the cursor is on %s", d.S.matrix.session)
	}
}

func BenchmarkMatrixDraw(b *testing.B) {
	s := &Screen{done: true}
	a := engine.Audit{}
	tools := make([]*model.Tool, 10_000)
	for i := range tools {
		name := fmt.Sprintf("tool_%05d", i)
		tools[i] = &model.Tool{Index: i, Name: name, Qualified: name, Toolset: fmt.Sprintf("set-%d", i/25), Available: true}
	}
	for j := range 10 {
		sa := engine.SessionAudit{Name: fmt.Sprint(j)}
		for _, t := range tools {
			sa.Denied = append(sa.Denied, engine.Denial{Tool: t.Qualified, Gate: engine.GateScopeCatalog, Code: engine.CodeOutOfScope})
		}
		a.Sessions = append(a.Sessions, sa)
	}
	s.audit = a
	table := newTable(&model.Registry{Tools: tools}, a)
	s.matrix.show(table, "3")
	t := ui.NewTheme(ui.Look{Plain: true})
	b.Run("table", func(b *testing.B) {
		for range b.N {
			newTable(&model.Registry{Tools: tools}, a)
		}
	})
	b.Run("arrange", func(b *testing.B) {
		for range b.N {
			s.matrix.arrange()
		}
	})
	s.state = benchState(b)
	b.Run("draw", func(b *testing.B) {
		for range b.N {
			s.matrix.selectRow((s.matrix.cursor + 7) % len(s.matrix.rows))
			s.drawMatrix(t, 118, 29)
		}
	})
}

// benchState returns a small state, whose session the matrix marks.
func benchState(b *testing.B) *workbench.State {
	b.Helper()
	state, err := workbench.New().Load(b.Context(), workbench.Input{Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}}})
	require.NoError(b, err)
	return &state
}
