package activity

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/tui/screen"
	"caliper/tui/serving"
	"caliper/tui/ui"
)

// The actions of the box.
const (
	Approve       ui.Action = "approve"
	ApproveAlways ui.Action = "approve always"
	Refuse        ui.Action = "refuse"
)

// deaf is how long the box answers no key: one meant for something else approves nothing.
const deaf = time.Second

// answerWords are the words for a person's answers.
var answerWords = map[serve.Answer]string{serve.Yes: "approved", serve.Always: "approved for this connection", serve.No: "refused"}

// approval is the box in which a person decides whether a call may run.
type approval struct {
	screen.Box
	screen   *Served
	question *serving.Question
	since    time.Time // when it was opened
	close    func()
}

// approvalLayer declares the keys of the box that is open.
func (s *Served) approvalLayer() *ui.Layer {
	noBox := func() string {
		if s.box == nil {
			return "no call is being decided on: enter on one that waits"
		}
		return ""
	}
	answer := func(a serve.Answer) func() tea.Cmd {
		// SECURITY: no key of the first second counts.
		return func() tea.Cmd {
			if s.host.Now().Sub(s.box.since) < deaf {
				return s.host.Notify(ui.LevelInfo, "a key of the first second does not count: press it again")
			}
			return s.answer(a)
		}
	}
	keys := &ui.Group{Title: "Deciding on a call", Where: "while a call is decided on", Bindings: []ui.Binding{
		ui.Bind(Approve, "y", "let the call run", "", "y").Does(answer(serve.Yes)).Unless(noBox),
		ui.Bind(Refuse, "n", "refuse it", "", "n").Does(answer(serve.No)).Unless(noBox),
		ui.Bind(ApproveAlways, "A", "let this tool run always, on this connection", "", "A").Does(answer(serve.Always)).Unless(noBox),
		ui.Bind(ui.Back, "esc", "decide later", "", "esc", "q").Runs(func() {
			s.box.close()
			s.box = nil
		}).Unless(noBox),
	}}
	return &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(Approve, Refuse, ApproveAlways.As("always"), ui.Back.As("later"), ui.Help.As("help"))}
}

// Draw returns the box for a screen of w×h cells: who wants to run what, and the keys.
// Arguments that do not fit are cut, and said to be.
func (b *approval) Draw(t *ui.Theme, w, h int) []string {
	q := b.question
	inner := max(20, min(w-8, 90))
	var l ui.Line
	var out []string
	text := func(style ui.Style, s string) {
		for _, row := range ui.Wrap(s, inner) {
			l.Start(inner)
			l.Text(style, row)
			out = append(out, l.End())
		}
	}
	text(t.Warn, "An agent asks to run "+safetext.Line(q.Tool))
	text(t.Text, agentWords(q.Client, "")+", session "+safetext.Line(q.Session))
	text(t.Faint, safetext.Line(q.Rule))
	text(t.Text, safetext.Line(string(q.Arguments)))
	if room := max(1, h-6); len(out) > room {
		out = out[:room-1]
		l.Start(inner)
		l.Text(t.Warn, "… more than fits: widen the terminal to read all")
		out = append(out, l.End())
	}
	text(t.Faint, "no answer until "+b.screen.clock(q.Until)+" is a no")
	l.Start(inner)
	for _, k := range []struct{ key, does string }{{"y", "run"}, {"n", "refuse"}, {"A", "always here"}, {"esc", "later"}} {
		l.Text(t.Key, k.key)
		l.Text(t.KeyLabel, " "+k.does+"  ")
	}
	return ui.Dialog(t, "approve a call", append(out, l.End()), inner+4)
}
