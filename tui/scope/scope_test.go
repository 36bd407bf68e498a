package scope

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// driver drives the screen on the demo's registry, as the explorer would.
type driver struct {
	screen.Host // nil: what a test does not need
	t           *testing.T
	s           *Screen
	bench       *workbench.Workbench
	input       workbench.Input
	state       *workbench.State
	header      desk.Header
	notice      string // the last one
	finding     string // what is typed in the / that is open, as it is shown; empty: closed
	tool        string // selected in Explore
	w, h        int
}

// open drives the screen of w×h cells on a configuration, with the audit done.
func open(t *testing.T, w, h int, config, session string) *driver {
	t.Helper()
	d := &driver{t: t, bench: workbench.New(), w: w, h: h}
	d.input = workbench.Input{
		Registry: []watch.File{{Name: "registry.json", Data: demo.Registry()}},
		Flags:    workbench.Flags{Session: session},
	}
	d.s = New(desk.Desk{Host: d, Bench: d.bench, Header: &d.header}, ui.Glyphs{})
	d.load(config).audit()
	d.picture()
	return d
}

// manySessions is a configuration of n sessions. Every third is granted one
// toolset, the others everything.
func manySessions(n int) string {
	var b strings.Builder
	b.WriteString("sessions:\n")
	for i := range n {
		fmt.Fprintf(&b, "  team-%02d: %s\n", i, []string{"{enabled_toolsets: [mcp-forge]}", "{}", "{}"}[i%3])
	}
	return b.String()
}

func (d *driver) Context() context.Context { return d.t.Context() }
func (d *driver) Finding() (string, bool)  { return d.finding, d.finding != "" }

func (d *driver) Notify(_ ui.Level, text string) tea.Cmd {
	d.notice = text
	return nil
}

func (d *driver) Case() screen.Case {
	return screen.Case{Tool: d.state.Snapshot.Registry.Named(d.tool)}
}

// load loads a configuration, and shows it. Its audit is not run.
func (d *driver) load(config string) *driver {
	d.t.Helper()
	d.input.Config = &watch.File{Name: "config.yaml", Data: []byte(config)}
	state, err := d.bench.Load(d.t.Context(), d.input)
	if err != nil {
		d.t.Fatal(err)
	}
	before := d.state
	d.state = &state
	d.s.Update(desk.Loaded{Before: before, After: d.state})
	return d
}

// audit runs the audit.
func (d *driver) audit() *driver {
	d.t.Helper()
	d.run(d.s.Start(true))
	if !d.s.done {
		d.t.Fatal("the audit does not end")
	}
	return d
}

// run runs a command and all that follows.
func (d *driver) run(cmd tea.Cmd) {
	for queue := []tea.Cmd{cmd}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			continue
		}
		switch msg := queue[0]().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			queue = append(queue, d.s.Update(msg))
		}
	}
}

// violating gives a session violations, as an audit would that finds some.
func (d *driver) violating(session string, violations ...engine.Violation) *driver {
	d.t.Helper()
	d.s.audit.Sessions = slices.Clone(d.s.audit.Sessions)
	i := slices.IndexFunc(d.s.audit.Sessions, func(a engine.SessionAudit) bool { return a.Name == session })
	if i < 0 {
		d.t.Fatalf("no session %s", session)
	}
	d.s.audit.Sessions[i].Violations = violations
	d.s.order()
	d.s.matrix.show(newTable(d.state.Snapshot.Registry, d.s.audit), "")
	return d
}

// in shows a view.
func (d *driver) in(v view) *driver {
	for d.s.view() != v {
		d.s.ShowView(int(d.s.view()+1) % int(viewCount))
	}
	return d
}

// typed types into the / of the list that has the keys, and leaves it open.
func (d *driver) typed(text string) *driver {
	d.finding = "/" + text + "_"
	d.s.Filter(text)
	return d
}

// left closes the / with what was typed.
func (d *driver) left() *driver {
	d.finding = ""
	return d
}

// picture returns the box of the screen.
func (d *driver) picture() string {
	lines := d.s.Draw(ui.NewTheme(ui.Look{Plain: true}), d.w, d.h, true)
	frame := d.s.Frame()
	return strings.Join(frame.Draw(ui.NewTheme(ui.Look{Plain: true}), ui.NewBox(image.Rect(0, 0, d.w+2, d.h+2), false, true), lines), "\n")
}

// wants checks that texts are in the box.
func (d *driver) wants(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if p := d.picture(); !strings.Contains(p, text) {
			d.t.Fatalf("%q is not in\n%s", text, p)
		}
	}
	return d
}

// lacks checks that texts are not in the box.
func (d *driver) lacks(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if p := d.picture(); strings.Contains(p, text) {
			d.t.Fatalf("%q is in\n%s", text, p)
		}
	}
	return d
}

// move moves by rows.
func (d *driver) move(rows int) *driver {
	d.s.Move(rows)
	return d
}

// next gives the other list the keys.
func (d *driver) next() *driver {
	d.s.Next(1)
	return d
}

// Until it is moved, the cursor is on the session in force, wherever violations
// are; then it stays where it is.
func TestStartsOnTheSessionInForce(t *testing.T) {
	t.Parallel()
	d := open(t, 78, 18, manySessions(44), "team-31").in(viewCompare).wants("▌team-31 ✓", "team-31 is the current session")
	d.violating("team-40", engine.Violation{Tool: "x", Path: engine.PathCall}).wants("▌team-31 ✓").move(-screen.End).wants("▌team-40")
	d.load(manySessions(43)).audit().wants("▌team-40")
}

// Violations stand before everything else, and the header is told of them.
func TestViolationsFirst(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "").in(viewAudit)
	d.tool = "mcp_forge_merge_change"
	d.s.Start(true)
	d.violating("kanban-worker", engine.Violation{Tool: "mcp_forge_delete_branch", Path: engine.PathCall})
	d.wants("audit: 1 violation").move(-screen.End).wants("▌kanban-worker", "kanban-worker: 1 violation", "VIOLATION  mcp_forge_delete_branch  call")
	d.in(viewWho).wants("who can call mcp_forge_merge_change")
	d.in(viewMatrix).wants("1 tool in VIOLATION", "! VIOLATION")
	d.in(viewCompare).wants("12 tools in both")
	d.in(viewAudit).wants("VIOLATION  mcp").move(1).wants("no violation: default reaches nothing").lacks("VIOLATION  mcp")

	was := found{d.s.audit, d.s.matrix.table}
	d.s.auditing.Reset()
	d.s.done = false
	d.run(d.s.auditing.Start(t.Context(), d.state, func(context.Context, ui.Progress) (found, error) { return was, nil }))
	if d.header.Violations != 1 {
		t.Errorf("the header is told of %d violations", d.header.Violations)
	}
}

// The audit of a state that is there no more changes nothing.
func TestOldAuditIsIgnored(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "")
	d.load(string(demo.Config()) + "# another\n")
	d.s.done = false
	ghost := engine.Audit{Sessions: []engine.SessionAudit{{Name: "default", Violations: make([]engine.Violation, 9)}}}
	old := d.s.auditing.Start(t.Context(), d.state, func(context.Context, ui.Progress) (found, error) { return found{audit: ghost}, nil })
	d.load("sessions: {default: {}}\n").audit()
	d.run(old)
	if d.lacks("VIOLATION", "9 violations").wants("no violation"); d.header.Violations != 0 {
		t.Errorf("the header is told of %d violations", d.header.Violations)
	}
}

// Violations are filtered too.
func TestViolationsAreFiltered(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "")
	d.violating("kanban-worker", engine.Violation{Tool: "mcp_forge_delete_branch", Path: engine.PathCall}, engine.Violation{Tool: "mcp_chat_post", Path: engine.PathSearch})
	d.in(viewAudit).move(-screen.End).wants("VIOLATION  mcp_chat_post").next().typed("call").wants("VIOLATION  mcp_forge_delete_branch", "2 violations  /call_").lacks("mcp_chat_post")
}

func TestNoReproBeforeTheAudit(t *testing.T) {
	t.Parallel()
	d := open(t, 118, 29, string(demo.Config()), "").load("sessions: {default: {}}\n")
	if d.run(d.s.Update(report.Case{})); d.notice != "nothing to copy yet: the audit is not done" {
		t.Errorf("%q", d.notice)
	}
}
