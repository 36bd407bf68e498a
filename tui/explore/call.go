package explore

import (
	"encoding/json"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/model"
	"caliper/tui/editor"
	"caliper/tui/report"
)

// editInPlace moves the keyboard to the arguments.
func (s *Screen) editInPlace() tea.Cmd {
	s.setFocus(PaneDryRun)
	s.editing = true
	s.dry.version++
	return nil
}

// run ends the editing of the arguments and records the dry run.
func (s *Screen) run() {
	s.editing = false
	s.dry.version++
	title, gates := report.DryRun(s.dry.trace)
	s.host.Record(title, gates...)
}

// direct switches the call between the bridge and a direct call by name.
func (s *Screen) direct() {
	s.dry.other = !s.dry.other
	s.argumentsChanged()
}

// typeArguments handles a key that edits the arguments.
func (s *Screen) typeArguments(k tea.KeyMsg) tea.Cmd {
	if used, changed := s.args.Key(k); changed {
		s.argumentsChanged()
	} else if used {
		s.dry.version++
	}
	return nil
}

// argumentsMsg reports the arguments of a tool as the editor left them.
type argumentsMsg struct {
	tool string // qualified name
	text string
	err  error
}

// editArgs returns a command that opens the arguments of the selected tool in
// the editor.
func (s *Screen) editArgs() tea.Cmd {
	name := s.Tool().Qualified
	s.editing = false // the editor takes them over
	s.dry.version++
	return editor.Text(s.host.Getenv, "caliper-arguments-*.json", s.args.Value(), func(text string, err error) tea.Msg {
		return argumentsMsg{name, strings.TrimSpace(text), err}
	})
}

// argumentsEdited stores the arguments that the editor left, if their tool is
// still selected.
func (s *Screen) argumentsEdited(msg argumentsMsg) {
	if t := s.Tool(); msg.err == nil && t != nil && t.Qualified == msg.tool {
		s.args.Set(msg.text)
		s.argumentsChanged()
	}
}

// modelCall is a call as a model sends it.
type modelCall struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// callJSON returns the call of the dry run as a model would send it.
func (s *Screen) callJSON(t *model.Tool) string {
	args := engine.ArgumentsOf(s.args.Value())
	if args == nil {
		args = json.RawMessage("{}")
	}
	call := modelCall{t.Qualified, args}
	if s.dry.viaBridge(s.state.Snapshot) {
		call = modelCall{engine.ToolCall, call}
	}
	out, err := json.Marshal(call)
	if err != nil {
		return ""
	}
	return string(out)
}
