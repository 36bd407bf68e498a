package explore

import (
	"encoding/json"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/arguments"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// editInPlace moves the keyboard to the arguments, where the first value is missing or does not
// fit: behind it, so that it can be deleted.
func (s *Screen) editInPlace() tea.Cmd {
	s.setFocus(PaneDryRun)
	s.editing = true
	text := s.args.Value()
	at := s.valueToMend(text)
	s.args.PutCursor(at)
	s.replaced = text
	if _, missing := missingValue(text); missing && text[at-1] != '"' { // an object may be the value
		s.replaced = ""
	}
	return nil
}

// valueToMend returns the offset at which the arguments want to be edited: where they are not
// JSON, at a value that is missing, else at the end of the first that does not fit, inside its
// quotes.
func (s *Screen) valueToMend(text string) int {
	at, missing := missingValue(text)
	if _, fault := arguments.Parse([]byte(text)); fault != nil && fault.Code == arguments.CodeBadJSON && !missing {
		return min(fault.Offset, len(text))
	}
	if missing || s.dry.tool == nil || s.state == nil || s.state.Snapshot == nil {
		return at
	}
	start, end, ok := s.state.Snapshot.Misfit(s.dry.tool, text)
	switch {
	case !ok:
		return at
	case end-start > 1 && text[end-1] == '"':
		return end - 1
	}
	return end
}

// jsonPunctuation ends words in the arguments.
const jsonPunctuation = `{}[]":,`

// missingValue returns the offset in JSON at which the first value is missing: inside
// the first empty string that is a value or an item, or where a colon has no value.
// Without one it is the end, before the brace that closes the whole, and missing is false.
func missingValue(text string) (at int, missing bool) {
	start, quoted := 0, false // of the string that is read
	value := false            // a value may begin here
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case quoted && c == '"':
			if quoted = false; value && i == start+1 {
				return i, true
			}
			value = false
		case quoted:
		case c == '"':
			start, quoted = i, true
		case c == ':':
			value = true
		case value && (c == ',' || c == '}'):
			return i, true
		case c != ' ':
			value = value && c == '['
		}
	}
	if value {
		return len(text), true
	}
	return len(strings.TrimRight(strings.TrimSuffix(text, "}"), " ")), false
}

// run records the dry run, whose verdict follows every character that is typed, says it, and
// leaves the arguments: the next letters may be keys.
func (s *Screen) run() tea.Cmd {
	s.editing = false
	s.argumentsChanged() // an example that is sent is typed
	title, gates := report.DryRun(s.dry.trace)
	s.host.Send(desk.Record{Title: title, Details: gates})
	verdict, _ := report.Verdict(s.dry.trace)
	return s.host.Notify(ui.LevelInfo, verdict+"; recorded in Activity")
}

// strict makes the dry run refuse arguments that do not fit, or pass them on again, and says
// which. Wrong arguments of a call that is denied anyway change nothing.
func (s *Screen) strict() tea.Cmd {
	flags := &s.host.Input.Flags
	flags.Strict = !flags.Strict
	text := "the dry run passes wrong arguments on, as this agent does"
	if flags.Strict {
		text = "the dry run refuses wrong arguments; this agent would pass them on"
	}
	return tea.Batch(s.host.Load(true), s.host.Notify(ui.LevelOk, text))
}

// typeArguments handles a key that edits the arguments. ctrl-u deletes all of them: the
// cursor begins in their middle. An object that is typed or pasted at once takes the place of all,
// but where a value is missing that may be one.
func (s *Screen) typeArguments(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyCtrlU {
		s.args.PutCursor(len(s.args.Value()))
	}
	if k.Type == tea.KeyRunes && strings.HasPrefix(string(k.Runes), "{") && s.replaced != "" && s.args.Value() == s.replaced {
		s.args.Set("")
	}
	s.replaced = ""
	if _, changed := s.args.Key(k); changed {
		s.argumentsChanged()
	}
	return nil
}

// editArgs returns a command that opens the arguments of the selected tool in the editor. They are
// dropped when another tool is selected meanwhile.
func (s *Screen) editArgs() tea.Cmd {
	name := s.Tool().Qualified
	s.editing = false // the editor takes them over
	return s.host.Texts.Edit("caliper-arguments-*.json", s.args.Value(), func(text string, err error) tea.Msg {
		text = strings.TrimSpace(text)
		return editedMsg(func() tea.Cmd {
			if t := s.Tool(); err == nil && t != nil && t.Qualified == name && text != s.args.Value() {
				s.args.Set(text)
				s.argumentsChanged()
			}
			return nil
		})
	})
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

// searches reports whether what the model sees is the answer of tool_search: of a query
// that is searched by the bridge, where the keys are with it or its hits.
func (s *Screen) searches() bool {
	return s.state != nil && (s.focus == PaneQuery || s.focus == PaneHits) && !s.hits.browsing && s.state.Snapshot.Active()
}

// noneSeen returns why the model sees nothing that could be copied.
func (s *Screen) noneSeen() string {
	switch none := s.noTool(); {
	case s.searches():
		return ""
	case none == "" && s.dry.example:
		return "its arguments are not typed yet; e types them"
	default:
		return none
	}
}

// copySeen copies the answer of tool_search, or else the answer of the dry run.
func (s *Screen) copySeen() tea.Cmd {
	if !s.searches() {
		return s.host.Clip.Copy("what the model sees", desk.CopyJSON, string(s.dry.trace.ModelSees))
	}
	snapshot, query := s.state.Snapshot, s.hits.results.Query
	call := map[string]any{"query": query}
	if snapshot.Config.ToolSearch.Generation == config.September2026 {
		call = map[string]any{"queries": []string{query}}
	}
	args, err := json.Marshal(call)
	if err != nil {
		return s.host.Notify(ui.LevelBad, "tool_search: "+err.Error())
	}
	answer, _ := snapshot.Bridge(engine.ToolSearch, args)
	return s.host.Clip.Copy("the answer of tool_search", desk.CopyJSON, string(answer))
}
