package tui

import (
	"encoding/json"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
)

// What a chooser's choice is for.
const (
	purposeAction    = "action"
	purposeSession   = "session"
	purposeTokenizer = "tokenizer"
	purposeHistory   = "history"
	purposeCopy      = "copy"
	purposeResult    = "result"
	purposeOfTool    = "tool of the result"
	purposeCore      = "core tools"
)

// choose does what the selected choice means.
func (a *App) choose() tea.Cmd {
	chosen, ok := a.top.selected()
	if !ok {
		return nil
	}
	purpose := a.top.purpose
	if purpose == purposeCore { // which stays open: several are chosen
		return a.strategies.toggleCore(chosen.id)
	}
	a.top = nil
	switch purpose {
	case purposeAction, purposeCopy:
		return a.do(Action(chosen.id))
	case purposeSession:
		a.input.Flags.Session = chosen.id
		return a.load()
	case purposeTokenizer:
		a.input.Flags.Tokenizer = tokens.Method(chosen.id)
		a.budget.forget(knobTokenizer)
		return a.load()
	case purposeResult:
		a.results.choose(chosen.id)
	case purposeOfTool:
		a.results.setTool(chosen.id)
	case purposeHistory:
		a.query.Set(chosen.id)
		a.setFocus(PaneQuery)
		a.queryChanged()
		return a.askPin()
	}
	return nil
}

// paletteChoices are the actions of the palette: every binding with a name.
func (a *App) paletteChoices() []choice {
	var out []choice
	for _, c := range a.keys.Commands() {
		out = append(out, choice{id: string(c.Action), label: c.Name, note: c.Key})
	}
	return out
}

// pickSession opens the picker of sessions.
func (a *App) pickSession() {
	if a.state == nil {
		return
	}
	var choices []choice
	for _, s := range a.state.Snapshot.Config.Sessions {
		choices = append(choices, choice{
			id: s.Name, label: model.Sanitize(s.Name), note: sessionNote(s.Enabled, s.Disabled),
			current: s.Name == a.state.Snapshot.Session.Name,
		})
	}
	a.top = newChooser(purposeSession, "session", choices)
}

// sessionNote says what a session's lists grant, short.
func sessionNote(enabled, disabled []string) string {
	note := "every toolset"
	switch {
	case enabled != nil && len(enabled) == 0:
		note = "nothing"
	case enabled != nil:
		note = plural(len(enabled), "toolset")
	}
	switch {
	case len(disabled) > 0 && enabled == nil:
		note = "all but " + plural(len(disabled), "toolset")
	case len(disabled) > 0:
		note += " − " + strconv.Itoa(len(disabled))
	}
	return note
}

// pickTokenizer opens the picker of token methods.
func (a *App) pickTokenizer() {
	if a.state == nil {
		return
	}
	notes := map[tokens.Method]string{tokens.Chars4: "characters / 4, as the agent estimates", tokens.O200k: "exact", tokens.Cl100k: "exact"}
	var choices []choice
	for _, m := range tokenizers {
		choices = append(choices, choice{id: string(m), label: string(m), note: notes[m], current: m == a.state.Snapshot.Tokenizer})
	}
	a.top = newChooser(purposeTokenizer, "count tokens with", choices)
}

// pickHistory opens the queries of before, newest first.
func (a *App) pickHistory() tea.Cmd {
	if len(a.history) == 0 {
		return a.notices.show(levelInfo, "no queries yet")
	}
	var choices []choice
	for i := len(a.history) - 1; i >= 0; i-- {
		choices = append(choices, choice{id: a.history[i], label: a.history[i]})
	}
	a.top = newChooser(purposeHistory, "queries of before", choices)
	return nil
}

// pickCopy opens the menu of what can be copied: without a tool, a repro.
func (a *App) pickCopy() tea.Cmd {
	if a.state == nil {
		return a.noTool()
	}
	var choices []choice
	for _, b := range binds(a.keys.Copy) {
		if ofTool[b.Action] && a.subject() == nil || ofCall[b.Action] && a.mode.Screen == ScreenQueries || b.Action == ActCopyTried && a.tried() == nil {
			continue
		}
		choices = append(choices, choice{id: string(b.Action), label: b.Help().Desc, note: b.Help().Key})
	}
	a.top = newChooser(purposeCopy, "copy", choices)
	return nil
}

// copy copies something of the selected tool, or a repro of the screen.
func (a *App) copy(what Action) tea.Cmd {
	if edit := a.tried(); what == ActCopyTried {
		if edit == nil {
			return a.notices.show(levelInfo, "no description is tried")
		}
		return a.clip.copy("description as tried", formText, edit.Description)
	}
	if what == ActCopyModel && a.mode.Screen == ScreenResults {
		return a.results.copySeen()
	}
	t := a.subject()
	switch {
	case ofCall[what] && a.mode.Screen == ScreenQueries:
		return a.notices.show(levelInfo, "Explore has the call")
	case a.state == nil, t == nil && what != ActCopyRepro:
		return a.noTool()
	case what == ActCopyRepro:
		return a.copyRepro()
	}
	switch what {
	case ActCopyName:
		return a.clip.copy("name", formLine, t.Qualified)
	case ActCopySchema:
		return a.clip.copy("schema", formJSON, indented(t.Function))
	case ActCopyModel:
		return a.clip.copy("what the model sees", formJSON, string(a.dry.trace.ModelSees))
	}
	return a.clip.copy("call", formJSON, a.callJSON(t))
}

// modelCall is a call as a model sends it.
type modelCall struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
}

// callJSON is the call of the dry run as a model would send it.
func (a *App) callJSON(t *model.Tool) string {
	args := engine.ArgumentsOf(a.args.Value())
	if args == nil {
		args = json.RawMessage("{}")
	}
	call := modelCall{t.Qualified, args}
	if a.dry.viaBridge(a.state.Snapshot) {
		call = modelCall{engine.ToolCall, call}
	}
	out, err := json.Marshal(call)
	if err != nil {
		return ""
	}
	return string(out)
}
