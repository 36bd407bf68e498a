package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// context returns what has the keyboard.
func (a *App) context() Context {
	switch {
	case a.confirm != nil:
		return CtxConfirm
	case a.reader != nil:
		return CtxHelp
	case a.top != nil && a.top.purpose == purposeCopy && a.top.typed == "":
		return CtxCopy
	case a.top != nil:
		return CtxChooser
	case a.trial != nil:
		return CtxTry
	case a.find != nil:
		return CtxFilter
	case a.body() != nil:
		return a.body().context()
	case a.focus == PaneQuery:
		return CtxQuery
	case a.focus == PaneHits:
		return CtxHits
	case a.focus == PaneSchema:
		return CtxSchema
	case a.focus == PaneWhy:
		return CtxWhy
	case a.editing:
		return CtxArgs
	}
	return CtxDryRun
}

// key takes one key press: what is bound in the context is done, the rest is
// text for the field that has the keyboard.
func (a *App) key(k tea.KeyMsg) tea.Cmd {
	if len(k.Runes) > 1 && !k.Paste && !k.Alt && (!a.typing() || a.keys.named[k.String()]) {
		// bubbletea makes one key of letters that were read at once, which can
		// even spell the name of another key: delete, up, end.
		first, rest := k, k
		first.Runes, rest.Runes = k.Runes[:1], k.Runes[1:]
		return tea.Batch(a.key(first), a.key(rest))
	}
	if a.layout.Message != "" && a.width > 0 { // nobody types into what cannot be seen
		switch k.String() {
		case "ctrl+c":
			return a.do(ActInterrupt)
		case "q":
			return a.do(ActQuit)
		}
		return nil
	}
	if a.notices.level == levelInfo {
		a.notices.showing = false // read by now, and the hints are wanted
	}
	context := a.context()
	if context == CtxResults && k.Paste {
		a.results.startPaste()
		context = CtxPaste
	}
	if action, ok := a.keys.Action(context, k); ok {
		a.level = 0
		if action == ActLevel {
			a.level = int(k.Runes[0] - '0')
		}
		return a.do(action)
	}
	switch context {
	case CtxChooser, CtxCopy:
		a.top.key(k)
	case CtxFilter:
		if _, changed := a.find.field.Key(k); changed {
			a.findChanged()
		}
	case CtxTry:
		a.trial.field.Key(k)
	case CtxMessage:
		a.strategies.changes++
		a.strategies.text.Key(k)
	case CtxRequest:
		a.results.changes++
		a.results.request.Key(k)
	case CtxPaste:
		return a.results.pasteKey(k)
	case CtxQuery:
		if _, changed := a.query.Key(k); changed {
			a.queryChanged()
			return a.askPin()
		}
	case CtxArgs:
		if used, changed := a.args.Key(k); changed {
			a.argumentsChanged()
		} else if used {
			a.dry.version++
		}
	}
	return nil
}

// typing reports whether letters are text.
func (a *App) typing() bool {
	switch a.context() {
	case CtxQuery, CtxArgs, CtxFilter, CtxChooser, CtxTry, CtxMessage, CtxRequest, CtxPaste:
		return true
	}
	return false
}

// queryChanged searches for the query as it is now.
func (a *App) queryChanged() {
	a.recall = -1
	a.strategies.changes++
	if a.state == nil {
		return
	}
	a.hits.search(a.state, a.query.Value(), false)
	a.reselect()
}

// findChanged filters the hits, or goes to the next match in the tree.
func (a *App) findChanged() {
	a.find.version++
	text := a.find.field.Value()
	if b := a.body(); b != nil {
		b.filter(text)
		return
	}
	if a.find.pane == PaneHits {
		a.hits.setFilter(text)
		a.reselect()
		return
	}
	a.schema.search(text, 1, true)
}

// movePane moves by rows or lines in a pane.
func (a *App) movePane(pane Pane, by int) {
	switch pane {
	case PaneQuery, PaneHits:
		a.hits.move(by)
		a.reselect()
	case PaneSchema:
		a.schema.move(by)
	case PaneWhy:
		a.why.move(by)
	case PaneDryRun:
		a.dry.move(by)
	case PaneBody:
		a.body().move(by)
	}
}

// page returns how far a page is in what has the keyboard.
func (a *App) page() int {
	pane := a.focus
	switch {
	case a.reader != nil:
		return a.reader.page()
	case a.top != nil:
		_, rows := a.top.size(a.layout.Whole.Dx(), a.layout.Whole.Dy())
		return max(1, rows-1)
	case a.mode.Screen == ScreenScope:
		return a.scope.page()
	case a.mode.Screen == ScreenStrategies:
		return a.strategies.page()
	case a.mode.Screen == ScreenQueries:
		return a.queries.page()
	case a.mode.Screen == ScreenResults:
		return a.results.page()
	case a.body() != nil:
		pane = PaneBody
	case pane == PaneQuery:
		pane = PaneHits
	}
	return max(1, a.layout.Boxes[pane].Inner.Dy()-1)
}
