package activity

import (
	"time"

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
	for _, k := range [][2]string{{"y", "run"}, {"n", "refuse"}, {"A", "always here"}, {"esc", "later"}} {
		l.Text(t.Key, k[0])
		l.Text(t.Faint, " "+k[1]+"  ")
	}
	return ui.Dialog(t, "approve a call", append(out, l.End()), inner+4)
}
