package results

import (
	"bytes"
	"cmp"
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// question is the input of a verdict.
type question struct {
	revision int
	tool     string
	state    *workbench.State
}

// verdict is the fate of a result.
type verdict struct {
	number  int // another one for every verdict; 0: there is none yet
	of      question
	name    string // of the source
	result  *workbench.Result
	rescuer *workbench.Rescuer
	workbench.Rescued
	whole string // the beginning of a result that is not rescued
	err   error  // why there is none
}

// shownWhole is how much of a result that is not rescued is drawn, in bytes.
const shownWhole = 64 << 10

// rescuer returns what decides by the settings of the state.
func (s *Screen) rescuer() *workbench.Rescuer {
	return workbench.NewRescuer(workbench.RescueInputs{
		Registry: s.state.Snapshot.Registry, Config: s.state.Config.Rescue, Tokenizer: s.state.Snapshot.Tokenizer,
		Store: s.options.Store, Home: s.options.Home, Now: s.host.Now,
	})
}

// wanted returns what the verdict should be of.
func (s *Screen) wanted() question {
	r := s.source()
	return question{r.revision, s.tool(r), s.state}
}

// late reports whether the verdict that is shown is not the wanted one.
func (s *Screen) late() bool { return s.source() != nil && s.verdict.of != s.wanted() }

// decide fills in the verdict. The result is read unless that was done before.
func (v *verdict) decide(ctx context.Context, data []byte) (err error) {
	if v.result == nil {
		if v.result, err = v.rescuer.Read(ctx, v.of.tool, v.name, bytes.NewReader(data)); err != nil {
			return err
		}
	}
	result := *v.result
	result.Tool = v.of.tool
	if v.Rescued, err = v.rescuer.Judge(&result); err != nil {
		return err
	}
	if v.Rescue {
		return nil
	}
	v.whole = string(v.result.Text[:min(shownWhole, len(v.result.Text))])
	return nil
}

// noneSeen returns why nothing that the model sees can be copied.
func (s *Screen) noneSeen() string {
	if s.source() == nil || s.late() || s.verdict.err != nil {
		return "nothing to copy yet"
	}
	return ""
}

// copySeen copies what the model sees in the place of the result.
func (s *Screen) copySeen() tea.Cmd {
	text := s.verdict.Preview.Text
	if !s.verdict.Rescue {
		text = string(s.verdict.result.Text)
	}
	return s.host.Clip.Copy("what the model sees", desk.CopyText, text)
}

// repro copies a repro of the result: what becomes of it, and the requests with their answers.
func (s *Screen) repro(c report.Case) tea.Cmd {
	v := &s.verdict
	switch {
	case s.state == nil || s.source() == nil:
		return s.host.Notify(ui.LevelInfo, "nothing to copy: there is no result")
	case s.late() || s.fetching.Running:
		return s.host.Notify(ui.LevelInfo, "nothing to copy yet: the result is being read")
	case v.err != nil:
		return s.host.Notify(ui.LevelInfo, "nothing to copy: the result cannot be read")
	}
	d := report.Rescued{Rescued: v.Rescued, File: v.name, Pasted: v.name == pastedName, Tool: v.of.tool, Limits: v.rescuer.Limits}
	for _, r := range s.requests {
		if r.verdict == v.number {
			d.Slices = append(d.Slices, report.Slice{
				Typed: requestText(r.Request), Holds: cmp.Or(r.holds(), "error"), Text: r.text(), Chars: r.chars, Tokens: r.tokens,
			})
		}
	}
	return s.host.Clip.CopyReport("repro of Results", c.Results(d))
}
