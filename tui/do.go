package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/model"
)

// do does what a key, a click or the palette asks for.
func (a *App) do(action Action) tea.Cmd {
	switch action {
	case ActInterrupt:
		return a.end(tea.Interrupt)
	case ActQuit:
		return a.end(tea.Quit)
	case ActSuspend:
		return a.suspend()
	case ActBack:
		a.back()
		return a.askPin()
	case ActHelp:
		a.top = nil
		a.reader = newHelp(a.keys)
	case ActPalette:
		a.reader = nil
		a.top = newChooser(purposeAction, "commands", a.paletteChoices())
	case ActScreenExplore:
		a.goTo(ScreenExplore)
	case ActScreenBudget:
		a.goTo(ScreenBudget)
		return a.budget.measure()
	case ActScreenScope:
		a.goTo(ScreenScope)
	case ActScreenStrategies:
		a.goTo(ScreenStrategies)
	case ActScreenQueries:
		a.goTo(ScreenQueries)
	case ActScreenResults:
		a.goTo(ScreenResults)
	case ActScreenActivity:
		a.goTo(ScreenActivity)
	case ActNextPane, ActPrevPane:
		switch a.mode.Screen {
		case ScreenScope:
			return a.scope.do(action)
		case ScreenStrategies:
			return a.strategies.do(action)
		case ScreenQueries:
			return a.queries.do(action)
		case ScreenResults:
			return a.results.do(action)
		}
		if b := a.body(); b != nil { // the parts of a screen are its panes
			return b.do(ActPart)
		}
		a.setFocus(a.layout.Next(a.focus, map[Action]int{ActNextPane: 1, ActPrevPane: -1}[action]))
	case ActZoom:
		a.mode.Zoom = !a.mode.Zoom
		a.arrange()
	case ActSession:
		a.pickSession()
	case ActTokenizer:
		a.pickTokenizer()
	case ActHistory:
		return a.pickHistory()
	case ActCopy:
		return a.pickCopy()
	case ActCopyName, ActCopySchema, ActCopyCall, ActCopyModel, ActCopyTried, ActCopyRepro:
		a.top = nil
		return a.copy(action)
	case ActOpenFile:
		return a.openFile()
	case ActEditArgs:
		return a.editArgs()
	case ActReload:
		return a.reload()
	case ActPause:
		return a.pause()
	case ActNotice:
		if a.noticeText() == "" {
			return a.notices.show(levelInfo, "no notices, and nothing is wrong")
		}
		a.reader = a.newNotices()
		if a.notices.level == levelFlip {
			a.notices.showing = false // read, and so dismissed
		}
	default:
		return a.doInPane(action)
	}
	return nil
}

// doInPane does what an action means in the pane or overlay that has the
// keyboard.
func (a *App) doInPane(action Action) tea.Cmd {
	switch action {
	case ActUndo, ActReset:
		return a.budget.do(action)
	case ActCompare:
		return a.compare()
	case ActLabel:
		return a.label()
	case ActUnlabel:
		return a.queries.do(action)
	case ActGates:
		a.goTo(ScreenScope)
		return a.scope.do(action)
	case ActMessage, ActAddTurn, ActDropTurn, ActCore:
		a.goTo(ScreenStrategies)
		return a.strategies.do(action)
	case ActRequest, ActContinue, ActClearRequests, ActResult, ActResultTool, ActPaste, ActGap, ActKeep:
		a.goTo(ScreenResults)
		return a.results.do(action)
	case ActTry:
		return a.startTrial()
	case ActTryInEditor:
		return a.trialInEditor()
	case ActApply:
		return a.applyTrial()
	case ActPart:
		if a.body() == nil { // the parts of Explore are its panes
			return a.do(ActNextPane)
		}
		return a.body().do(action)
	case ActLess, ActMore, ActSave, ActAnswerUp, ActAnswerDown:
		if b := a.body(); b != nil {
			return b.do(action)
		}
	case ActUp:
		a.moveBy(-1)
	case ActDown:
		a.moveBy(1)
	case ActPageUp:
		a.moveBy(-a.page())
	case ActPageDown:
		a.moveBy(a.page())
	case ActHalfUp:
		a.moveBy(-max(1, a.page()/2))
	case ActHalfDown:
		a.moveBy(max(1, a.page()/2))
	case ActTop:
		a.moveBy(-1 << 30)
	case ActBottom:
		a.moveToEnd()
	case ActOpen:
		return a.open()
	case ActQuery:
		a.show(PaneQuery)
	case ActSearch:
		a.startFind()
	case ActNextMatch:
		a.nextMatch(1)
	case ActPrevMatch:
		a.nextMatch(-1)
	case ActToggle:
		a.schema.toggle()
	case ActExpand:
		a.schema.expand(true)
	case ActCollapse:
		a.schema.expand(false)
	case ActExpandAll:
		a.show(PaneSchema)
		a.schema.expandAll()
	case ActLevel:
		a.schema.expandTo(a.level)
	case ActLevel1, ActLevel2, ActLevel3:
		a.show(PaneSchema)
		a.schema.expandTo(map[Action]int{ActLevel1: 1, ActLevel2: 2, ActLevel3: 3}[action])
	case ActFollow:
		a.show(PaneSchema)
		if complaint := a.schema.follow(); complaint != "" {
			return a.notices.show(levelWarn, complaint)
		}
	case ActYes:
		return a.confirmed()
	case ActUnwrite:
		cmd, ok := a.unwrite()
		if !ok {
			return a.notices.show(levelInfo, "nothing was written that could be taken back")
		}
		return cmd
	case ActPin:
		return a.togglePin()
	case ActArgs:
		if a.selected() == nil {
			return a.noTool()
		}
		a.show(PaneDryRun)
		a.editing = true
		a.dry.version++
	case ActRun:
		a.editing = false
		a.activity.recordRun(a.dry.trace)
		a.dry.version++
	case ActDirect:
		a.dry.other = !a.dry.other
		a.argumentsChanged()
	}
	return nil
}

// end ends the program: what is running is cancelled, what is to be
// remembered is written.
func (a *App) end(how func() tea.Msg) tea.Cmd {
	a.quit = true
	a.stop()
	return tea.Sequence(a.save(), how)
}

// save returns a command that writes the state file. Failing to is not worth
// a word.
func (a *App) save() tea.Cmd {
	path := a.opt.StatePath
	state := savedState{
		Query: a.query.Value(), Focus: a.focus.String(),
		History: remember(a.history, a.query.Value()),
	}
	return func() tea.Msg {
		_ = state.save(path)
		return nil
	}
}

// suspend gives the terminal back to the shell, where there is one waiting.
func (a *App) suspend() tea.Cmd {
	if a.opt.Suspend == nil || !a.opt.Suspend() {
		return a.notices.show(levelWarn, "no job control here: nothing could bring the program back")
	}
	return tea.Suspend
}

// back goes one level back. It never quits.
func (a *App) back() {
	switch {
	case a.confirm != nil:
		a.confirm = nil
	case a.reader != nil:
		a.reader = nil
	case a.top != nil:
		a.top = nil
	case a.trial != nil:
		a.trial = nil
	case a.notices.putAway():
	case a.find == nil && a.strategies.editing:
		a.strategies.leaveMessage()
	case a.find == nil && a.results.typing != notTyping:
		a.results.leave()
	case a.find != nil && a.body() != nil:
		a.find = nil
		a.body().filter("")
	case a.find != nil && a.find.pane == PaneSchema:
		a.find = nil
		a.schema.setFind("")
	case a.find != nil:
		a.find = nil
		a.hits.setFilter("")
		a.reselect()
	case a.body() != nil:
		if !a.body().filter("") {
			a.goTo(ScreenExplore)
		}
	case a.editing:
		a.editing = false
		a.dry.version++
	case a.focus == PaneQuery && a.query.Value() != "":
		a.history = remember(a.history, a.query.Value())
		a.query.Set("")
		a.queryChanged()
	case a.focus == PaneQuery:
		a.setFocus(PaneHits)
	case a.focus == PaneSchema && a.schema.find != "":
		a.schema.setFind("")
	case a.hits.filter != "":
		a.hits.setFilter("")
		a.reselect()
	case a.mode.Zoom:
		a.mode.Zoom = false
		a.arrange()
	default:
		a.setFocus(PaneHits)
	}
}

// moveBy moves by rows in what has the keyboard.
func (a *App) moveBy(by int) {
	switch {
	case a.confirm != nil:
		a.confirm.top = max(0, min(a.confirm.top+by, len(a.confirm.lines)-1))
	case a.reader != nil:
		a.reader.scroll(by)
	case a.top != nil:
		a.top.move(by)
	case a.trial != nil:
	case a.body() != nil:
		a.body().move(by)
	default:
		a.movePane(a.focus, by)
	}
}

// moveToEnd moves to the last row.
func (a *App) moveToEnd() {
	if a.reader == nil && a.top == nil && a.body() == nil && a.focus == PaneHits {
		a.hits.end()
		a.reselect()
		return
	}
	a.moveBy(1 << 30)
}

// open is what enter means: the choice, the filter kept, the schema of a hit.
func (a *App) open() tea.Cmd {
	switch {
	case a.top != nil:
		return a.choose()
	case a.find != nil:
		a.find = nil
	case a.body() != nil:
		return a.body().do(ActOpen)
	case a.focus == PaneQuery, a.focus == PaneHits:
		a.history = remember(a.history, a.query.Value())
		a.setFocus(PaneSchema)
	}
	return nil
}

// startFind opens the / of the focused pane, or of the hits where the pane has
// none.
func (a *App) startFind() {
	if a.body() != nil {
		a.find = newFinder(PaneBody, "")
		return
	}
	if a.focus == PaneSchema {
		a.schema.setFind("")
		a.find = newFinder(PaneSchema, "")
		return
	}
	a.setFocus(PaneHits)
	a.find = newFinder(PaneHits, a.hits.filter)
}

// nextMatch goes to the next match of the last search.
func (a *App) nextMatch(step int) {
	if a.focus == PaneSchema {
		a.schema.search(a.schema.find, step, false)
		return
	}
	a.movePane(a.focus, step)
}

// reload makes the watchers read and report at once.
func (a *App) reload() tea.Cmd {
	poke := a.opt.Poke
	a.strategies.retryLeg()
	a.results.lookAgain()
	return tea.Batch(a.notices.show(levelInfo, "reading the files again"), func() tea.Msg {
		for _, part := range []Part{RegistryPart, ConfigPart, QueriesPart, ResultPart} {
			if poke[part] != nil {
				poke[part]()
			}
		}
		return nil
	})
}

// noTool says why an action on the selected tool does nothing.
func (a *App) noTool() tea.Cmd { return a.notices.show(levelInfo, "no tool is selected") }

// pause stops taking in changes, or takes in the newest of what came.
func (a *App) pause() tea.Cmd {
	a.paused = !a.paused
	a.header.paused, a.header.waiting = a.paused, false
	if a.paused {
		return a.notices.show(levelInfo, "paused: changes of the files wait")
	}
	cmds := []tea.Cmd{a.notices.show(levelInfo, "watching again")}
	for part, change := range a.held {
		if change != nil {
			cmds = append(cmds, a.accept(Part(part), *change))
		}
	}
	a.held = [parts]*Change{}
	return tea.Batch(cmds...)
}

// openFile shows the place of the first error, else of the selected tool, in
// the editor.
func (a *App) openFile() tea.Cmd {
	if a.state == nil {
		return nil
	}
	if len(a.state.Errors) > 0 {
		d := a.state.Errors[0]
		return openFile(a.opt.Getenv, a.pathOf(d.File), d.Line)
	}
	if t := a.selected(); t != nil {
		file, line, _ := a.state.Snapshot.Registry.Where(t)
		return openFile(a.opt.Getenv, file, line)
	}
	if a.opt.ConfigName != "" {
		return openFile(a.opt.Getenv, a.opt.ConfigName, 1)
	}
	return nil
}

// pathOf returns the file that a diagnostic is about. Diagnostics hold the
// name as it is shown, which for odd names is not the name of the file.
func (a *App) pathOf(shown string) string {
	if shown == model.Sanitize(a.opt.ConfigName) {
		return a.opt.ConfigName
	}
	for _, f := range a.input.Registry {
		if shown == model.Sanitize(f.Name) {
			return f.Name
		}
	}
	return shown
}

// editArgs edits the arguments of the selected tool in the editor.
func (a *App) editArgs() tea.Cmd {
	t := a.selected()
	if t == nil {
		return a.noTool()
	}
	return editArguments(a.opt.Getenv, t.Qualified, a.args.Value())
}
