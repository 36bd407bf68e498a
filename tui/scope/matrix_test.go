package scope

import (
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/model"
)

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
				want := accessNone
				switch {
				case len(violated(a, it.name)) > 0:
					want = accessViolation
				case denied:
					want = accessDenied
				case slices.Contains(a.Direct, it.name):
					want = accessDirect
				case slices.Contains(a.Callable, it.name):
					want = accessSearch
				}
				if got := reachOf(a, it.name); got.access != want {
					t.Errorf("%s in %s: %d, want %d", it.name, a.Name, got.access, want)
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
