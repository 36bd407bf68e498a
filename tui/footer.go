package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
	"caliper/tui/cells"
)

// drawFooter draws the notice while there is one, else the hints of what has
// the keyboard.
func (a *App) drawFooter(w int) string {
	if line, ok := a.notices.line(a.theme, w, a.keys.Browse.Notice.Help().Key); ok {
		a.hints = nil
		return line
	}
	line, hints := drawHints(a.theme, a.hintsNow(), w)
	a.hints = hints
	return line
}

// hintsNow returns the hints of what has the keyboard, without those of keys
// that would do nothing now, and in the words of what they would do.
func (a *App) hintsNow() []Bind {
	t := a.subject()
	var now []Bind
	ctx := a.context()
	over := ctx == CtxChooser || ctx == CtxCopy || ctx == CtxConfirm || ctx == CtxHelp
	for _, b := range a.keys.Hints(ctx) {
		switch {
		case over && !ofTool[b.Action] && b.Action != ActCopyTried && !ofCall[b.Action]: // keys of what lies over the screen mean what they say
		case b.Action == ActUndo && !a.budget.undoable():
			continue
		case (b.Action == ActAddTurn || b.Action == ActDropTurn) && a.mode.Screen == ScreenStrategies && a.strategies.keysIn() == areaKnobs:
			continue
		case b.Action == ActUnwrite && len(a.written) == 0, b.Action == ActCopyTried && a.tried() == nil, t == nil && ofTool[b.Action], ofCall[b.Action] && a.mode.Screen == ScreenQueries:
			continue
		case b.Action == ActPin && a.pin.name == t.Qualified:
			b = reworded(b, "let go")
		case b.Action == ActNextPane && a.mode.Screen == ScreenScope:
			b = reworded(b, a.scope.paneBeside())
		case b.Action == ActNextPane && a.mode.Screen == ScreenQueries:
			b = reworded(b, a.queries.paneBeside())
		case b.Action == ActNextPane && a.mode.Screen == ScreenStrategies:
			what := a.strategies.paneBeside()
			if what == "" {
				continue
			}
			b = reworded(b, what)
		case b.Action == ActNextPane && a.mode.Screen == ScreenResults:
			what := a.results.paneBeside()
			if what == "" {
				continue
			}
			b = reworded(b, what)
		case b.Action == ActOpen && a.mode.Screen == ScreenStrategies && !a.strategies.editing:
			what := a.strategies.opens()
			if what == "" {
				continue
			}
			b = reworded(b, what)
		case a.results.idle(b.Action):
			continue
		case b.Action == ActDropTurn && len(a.strategies.messages) == 0:
			continue
		case b.Action == ActMore:
			what := a.budget.turns()
			if a.mode.Screen == ScreenStrategies {
				what = a.strategies.turns()
			}
			if a.mode.Screen == ScreenResults {
				what = a.results.turns()
			}
			if what == "" {
				continue
			}
			b = reworded(b, what)
		}
		now = append(now, b)
	}
	return now
}

// ofTool are the actions that need a selected tool.
var ofTool = map[Action]bool{ActPin: true, ActCopyName: true, ActCopySchema: true, ActCopyCall: true, ActCopyModel: true}

// clickHint does what the hint under the pointer stands for.
func (a *App) clickHint(x int) tea.Cmd {
	if action, ok := hintAt(a.hints, x); ok {
		return a.do(action)
	}
	return nil
}

// noticeText is the last notice in full, and every error and warning.
func (a *App) noticeText() string {
	text, _ := a.notices.full()
	if a.state == nil {
		return text
	}
	if len(a.state.Errors) > 0 {
		text = "" // the errors say it, with their whole place
	}
	for _, d := range a.state.Errors {
		text += "\nerror: " + d.Error()
	}
	for _, d := range a.state.Warnings {
		text += "\nwarning: " + d.Error()
	}
	return strings.TrimSpace(text)
}

// noticeWidth is how wide notices are wrapped at most.
const noticeWidth = 100

// newNotices returns the notice, the errors and the warnings to read.
func (a *App) newNotices() *reader {
	return &reader{title: "notices", text: func(_ *Theme, w int) ([]string, int) {
		inner := min(w, noticeWidth)
		return cells.Wrap(model.SanitizeText(a.noticeText()), inner), inner
	}}
}

// ofCall are those that are about the call that Explore tries.
var ofCall = map[Action]bool{ActCopyCall: true, ActCopyModel: true}
