package tui

import "github.com/charmbracelet/bubbles/key"

// Bind is a key binding with what it does. Name is the action in the palette,
// where only bindings that have one are listed.
type Bind struct {
	key.Binding
	Action Action
	Name   string
}

// bind returns a binding: the action, its keys as bubbletea names them, the
// key and the few words that help and hints show, and the name in the palette.
func bind(a Action, shown, help, name string, keys ...string) Bind {
	return Bind{key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help)), a, name}
}

// Keys is every key of the explorer, in groups. Help, hints, palette and
// routing all read it; no key is named anywhere else.
type Keys struct {
	Go         goKeys         `title:"Going places"`
	Query      queryKeys      `title:"Query box"`
	Edit       editKeys       `title:"Typing"`
	Browse     browseKeys     `title:"Outside text"`
	Move       moveKeys       `title:"Moving"`
	Program    programKeys    `title:"Everywhere"`
	Hits       hitsKeys       `title:"Hits"`
	Tree       treeKeys       `title:"Schema tree"`
	Explore    exploreKeys    `title:"Explore"`
	DryRun     dryRunKeys     `title:"Dry run"`
	Budget     budgetKeys     `title:"Budget"`
	Strategies strategiesKeys `title:"Strategies"`
	Message    messageKeys    `title:"Message of the strategies"`
	Labels     labelKeys      `title:"Queries"`
	Results    resultsKeys    `title:"Results"`
	Request    requestKeys    `title:"Request for a slice"`
	Paste      pasteKeys      `title:"Pasting a result"`
	Scope      scopeKeys      `title:"Scope"`
	Screens    screenKeys     `title:"Other screens"`
	Args       argsKeys       `title:"Arguments"`
	Try        tryKeys        `title:"Trying a description"`
	Filter     filterKeys     `title:"Filter and search line"`
	Copy       copyKeys       `title:"Copying, after y" after:"y"`
	Chooser    chooserKeys    `title:"Palette and pickers"`
	Reader     readerKeys     `title:"Help and notices"`
	Confirm    confirmKeys    `title:"Questions"`
	More       moreKeys       `title:"Only in the palette"`

	byKey [contextCount]map[string]Action
	named map[string]bool // every key that is bound anywhere
}

type programKeys struct{ Quit, Suspend Bind }

type goKeys struct {
	Next, Prev, Help, Palette                                      Bind
	Explore, Budget, Scope, Strategies, Queries, Results, Activity Bind
}

type queryKeys struct{ Up, Down, PageUp, PageDown, Open, History, Clear Bind }

type editKeys struct {
	Left, Right, WordLeft, WordRight, Start, End                   Bind
	Backspace, Delete, DeleteWordLeft, DeleteWordRight, DeleteLeft Bind
}

type browseKeys struct{ Back, Quit, Help, Palette, Zoom, Copy, Open, Session, Reload, Pause, Notice Bind }

type moveKeys struct{ Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom Bind }

type hitsKeys struct{ Open, Filter, Next, Prev, Query Bind }

type treeKeys struct{ Toggle, Expand, Collapse, All, Level, Search, Next, Prev, Follow Bind }

type exploreKeys struct{ EditArgs, Direct, Pin, Compare, Label, Try Bind }

type dryRunKeys struct{ Edit Bind }

type argsKeys struct{ Run, Leave, Editor Bind }

type budgetKeys struct{ Less, More, Undo, Reset, Save, Unwrite Bind }

type strategiesKeys struct{ Message, Add, Drop, Core Bind }

type messageKeys struct{ Keep, Leave Bind }

type labelKeys struct{ Compare, Label, Unlabel, Try, Undo, Reset Bind }

type resultsKeys struct{ Request, Continue, Clear, Gap, File, Tool, Paste, Keep Bind }

type requestKeys struct{ Send, Up, Down, PageUp, PageDown, Leave Bind }

type pasteKeys struct{ Use, Leave Bind }

type tryKeys struct{ Apply, Leave, Editor Bind }

type screenKeys struct{ Open, Part, Filter Bind }

type scopeKeys struct{ Gates Bind }

type filterKeys struct{ Keep, Clear, Up, Down Bind }

type copyKeys struct{ Name, Schema, Call, Model, Tried, Repro Bind }

type chooserKeys struct{ Up, Down, PageUp, PageDown, Choose, Close Bind }

type confirmKeys struct{ Yes, No, Up, Down Bind }

type readerKeys struct{ Close Bind }

type moreKeys struct{ Tokenizer, Level1, Level2, Level3 Bind }

// NewKeys returns the keys with their help in the given glyphs.
func NewKeys(g Glyphs) *Keys {
	k := &Keys{
		Program: programKeys{
			Quit:    bind(ActInterrupt, "ctrl-c", "quit at once", "Quit at once", "ctrl+c"),
			Suspend: bind(ActSuspend, "ctrl-z", "suspend to the shell", "Suspend to the shell", "ctrl+z"),
		},
		Go: goKeys{
			Next:       bind(ActNextPane, "tab", "pane", "Go to the next pane", "tab"),
			Prev:       bind(ActPrevPane, "shift-tab", "pane before", "Go to the pane before", "shift+tab"),
			Help:       bind(ActHelp, "F1", "help", "Show help", "f1"),
			Palette:    bind(ActPalette, "ctrl-k", "commands", "", "ctrl+k"),
			Explore:    bind(ActScreenExplore, "alt-1", "Explore", "Go to Explore", "alt+1"),
			Budget:     bind(ActScreenBudget, "alt-2", "Budget", "Go to Budget", "alt+2"),
			Scope:      bind(ActScreenScope, "alt-3", "Scope", "Go to Scope", "alt+3"),
			Strategies: bind(ActScreenStrategies, "alt-4", "Strategies", "Go to Strategies", "alt+4"),
			Queries:    bind(ActScreenQueries, "alt-5", "Queries", "Go to Queries", "alt+5"),
			Results:    bind(ActScreenResults, "alt-6", "Results", "Go to Results", "alt+6"),
			Activity:   bind(ActScreenActivity, "alt-7", "Activity", "Go to Activity", "alt+7"),
		},
		Query: queryKeys{
			Up:       bind(ActUp, g.Up+" ctrl-p", "hit above", "", "up", "ctrl+p"),
			Down:     bind(ActDown, g.Down+" ctrl-n", "hit below", "", "down", "ctrl+n"),
			PageUp:   bind(ActPageUp, "pgup", "page of hits up", "", "pgup"),
			PageDown: bind(ActPageDown, "pgdn", "page of hits down", "", "pgdown"),
			Open:     bind(ActOpen, "enter", "expand", "", "enter"),
			History:  bind(ActHistory, "ctrl-r", "history", "Search the query history", "ctrl+r"),
			Clear:    bind(ActBack, "esc", "clear, then leave to the hits", "", "esc"),
		},
		Edit: fieldKeys(g),
		Browse: browseKeys{
			Back:    bind(ActBack, "esc", "one level back", "", "esc"),
			Quit:    bind(ActQuit, "q", "quit", "Quit", "q"),
			Help:    bind(ActHelp, "?", "help", "", "?"),
			Palette: bind(ActPalette, ":", "commands", "", ":"),
			Zoom:    bind(ActZoom, "z", "zoom the pane", "Zoom the pane", "z"),
			Copy:    bind(ActCopy, "y", "copy", "Copy", "y"),
			Open:    bind(ActOpenFile, "E", "open the file at the tool or error", "Open the file in the editor", "E"),
			Session: bind(ActSession, "s", "session", "Switch session", "s"),
			Reload:  bind(ActReload, "R", "reload", "Reload the files", "R"),
			Pause:   bind(ActPause, "space", "pause watching", "Pause or resume watching", " "),
			Notice:  bind(ActNotice, "!", "notice and warnings in full", "Show the last notice and all warnings", "!"),
		},
		Move: moveKeys{
			Up:       bind(ActUp, g.Up+" k", "up", "", "up", "k"),
			Down:     bind(ActDown, g.Down+" j", "down", "", "down", "j"),
			PageUp:   bind(ActPageUp, "pgup", "page up", "", "pgup"),
			PageDown: bind(ActPageDown, "pgdn", "page down", "", "pgdown"),
			HalfUp:   bind(ActHalfUp, "ctrl-u", "half a page up", "", "ctrl+u"),
			HalfDown: bind(ActHalfDown, "ctrl-d", "half a page down", "", "ctrl+d"),
			Top:      bind(ActTop, "g", "first", "", "g", "home"),
			Bottom:   bind(ActBottom, "G", "last", "", "G", "end"),
		},
		Hits: hitsKeys{
			Open:   bind(ActOpen, "enter", "expand", "", "enter"),
			Filter: bind(ActSearch, "/", "filter", "Filter the list, or search the schema", "/"),
			Next:   bind(ActNextMatch, "n", "next row", "Go to the next match, or row", "n"),
			Prev:   bind(ActPrevMatch, "N", "row before", "Go to the match, or row, before", "N"),
			Query:  bind(ActQuery, "i", "query", "Edit the query", "i"),
		},
		Tree: treeKeys{
			Toggle:   bind(ActToggle, "enter", "open or close", "Open or close the row of the schema", "enter"),
			Expand:   bind(ActExpand, g.Right+" l", "expand", "Expand the row of the schema", "right", "l"),
			Collapse: bind(ActCollapse, g.Left+" h", "collapse", "Collapse the row of the schema", "left", "h"),
			All:      bind(ActExpandAll, "*", "expand all", "Expand the whole schema", "*"),
			Level:    bind(ActLevel, "1..9", "expand to a level", "", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
			Search:   bind(ActSearch, "/", "search", "", "/"),
			Next:     bind(ActNextMatch, "n", "next match", "", "n"),
			Prev:     bind(ActPrevMatch, "N", "match before", "", "N"),
			Follow:   bind(ActFollow, "ctrl-g", "follow $ref", "Follow the $ref", "ctrl+g"),
		},
		Explore: exploreKeys{
			EditArgs: bind(ActEditArgs, "e", "arguments in the editor", "Edit the arguments in the editor", "e"),
			Pin:      bind(ActPin, "w", "why not: expect this tool", "Expect the selected tool, and why it is not found", "w"),
			Compare:  bind(ActCompare, "c", "compare rankers", "Compare the rankers side by side", "c"),
			Label:    bind(ActLabel, "a", "label: the query wants this tool", "Label the query with the selected tool", "a"),
			Try:      bind(ActTry, "t", "try another description", "Try another description of the tool", "t"),
			Direct:   bind(ActDirect, "d", "dry-run with or without the bridge", "Dry-run through the bridge or directly", "d"),
		},
		DryRun: dryRunKeys{
			Edit: bind(ActArgs, "enter", "edit arguments", "Edit the arguments in place", "enter", "i"),
		},
		Args: argsKeys{
			Run:    bind(ActRun, "enter", "run", "", "enter"),
			Leave:  bind(ActBack, "esc", "leave", "", "esc"),
			Editor: bind(ActEditArgs, "ctrl-o", "in the editor", "", "ctrl+o"),
		},
		Budget: budgetKeys{
			Less:    bind(ActLess, g.Left+" h", "turn the knob down", "Turn the knob down", "left", "h"),
			More:    bind(ActMore, g.Right+" l", "turn the knob up", "Turn the knob up", "right", "l"),
			Undo:    bind(ActUndo, "u", "undo the last turn", "Undo the last turn of a knob, or trial", "u"),
			Reset:   bind(ActReset, "0", "put all knobs back", "Reset every knob and trial", "0"),
			Save:    bind(ActSave, "S", "write to the config file", "Write the knobs to the config file", "S"),
			Unwrite: bind(ActUnwrite, "U", "take back what was written", "Take back the last change of the config file", "U"),
		},
		Strategies: strategiesKeys{
			Message: bind(ActMessage, "e", "type the message", "Type the message of the strategies", "e", "i"),
			Add:     bind(ActAddTurn, "a", "add the message to the conversation", "Add the message to the conversation", "a"),
			Drop:    bind(ActDropTurn, "d", "take the last turn away", "Take the last turn of the conversation away", "d"),
			Core:    bind(ActCore, "c", "choose the core tools", "Choose the core tools that every message is sent with", "c"),
		},
		Message: messageKeys{
			Keep:  bind(ActOpen, "enter", "keep", "", "enter"),
			Leave: bind(ActBack, "esc", "leave", "", "esc"),
		},
		Labels: labelKeys{
			Compare: bind(ActCompare, "c", "compare rankers", "", "c"),
			Label:   bind(ActLabel, "a", "label the query of Explore with its tool", "", "a"),
			Unlabel: bind(ActUnlabel, "d", "take the query away, after d again", "Take the labelled query away", "d"),
			Try:     bind(ActTry, "t", "try another description", "", "t"),
			Undo:    bind(ActUndo, "u", "undo the last trial", "", "u"),
			Reset:   bind(ActReset, "0", "drop every trial and knob", "", "0"),
		},
		Results: resultsKeys{
			Request:  bind(ActRequest, "e", "type a request for a slice", "Type a request for a slice of the result", "e", "i"),
			Continue: bind(ActContinue, "n", "go on where the answer ended", "Go on where the answer ended", "n"),
			Clear:    bind(ActClearRequests, "c", "clear the requests", "Clear the requests for slices", "c"),
			Gap:      bind(ActGap, "m", "next gap in what the model sees", "Go to the next place where something was left out", "m"),
			File:     bind(ActResult, "f", "choose the result", "Choose the result to look at", "f"),
			Tool:     bind(ActResultTool, "t", "choose the tool it is of", "Choose the tool that the result is of", "t"),
			Paste:    bind(ActPaste, "p", "paste a result", "Paste a result", "p"),
			Keep:     bind(ActKeep, "a", "keep it in the store", "Put the result into the store for the session", "a"),
		},
		Request: requestKeys{
			Send:     bind(ActOpen, "enter", "ask; with no text, go on", "", "enter"),
			Up:       bind(ActUp, g.Up+" ctrl-p", "request above", "", "up", "ctrl+p"),
			Down:     bind(ActDown, g.Down+" ctrl-n", "request below", "", "down", "ctrl+n"),
			PageUp:   bind(ActAnswerUp, "pgup", "page of the answer up", "", "pgup"),
			PageDown: bind(ActAnswerDown, "pgdn", "page of the answer down", "", "pgdown"),
			Leave:    bind(ActBack, "esc", "leave", "", "esc"),
		},
		Paste: pasteKeys{
			Use:   bind(ActOpen, "enter", "use it", "", "enter"),
			Leave: bind(ActBack, "esc", "leave", "", "esc"),
		},
		Try: tryKeys{
			Apply:  bind(ActApply, "enter", "try it", "", "enter"),
			Leave:  bind(ActBack, "esc", "leave", "", "esc"),
			Editor: bind(ActTryInEditor, "ctrl-o", "in the editor", "", "ctrl+o"),
		},
		Scope: scopeKeys{
			Gates: bind(ActGates, "x", "leave a scope gate out of the dry run", "Leave a scope gate out of the dry run", "x"),
		},
		Screens: screenKeys{
			Open:   bind(ActOpen, "enter", "open or close", "", "enter"),
			Part:   bind(ActPart, "v", "next part of the screen", "Go to the next part of the screen", "v"),
			Filter: bind(ActSearch, "/", "filter", "", "/"),
		},
		Filter: filterKeys{
			Keep:  bind(ActOpen, "enter", "keep", "", "enter"),
			Clear: bind(ActBack, "esc", "clear", "", "esc"),
			Up:    bind(ActUp, g.Up, "match above", "", "up", "ctrl+p"),
			Down:  bind(ActDown, g.Down, "match below", "", "down", "ctrl+n"),
		},
		Copy: copyKeys{
			Name:   bind(ActCopyName, "n", "name", "Copy the tool's name", "n"),
			Schema: bind(ActCopySchema, "s", "schema", "Copy the tool's schema", "s"),
			Call:   bind(ActCopyCall, "c", "call JSON", "Copy the call as JSON", "c"),
			Repro:  bind(ActCopyRepro, "r", "Markdown repro of this screen", "Copy a Markdown repro of this screen", "r"),
			Tried:  bind(ActCopyTried, "d", "description as tried", "Copy the description as tried", "d"),
			Model:  bind(ActCopyModel, "m", "what the model sees", "Copy what the model sees", "m"),
		},
		Chooser: chooserKeys{
			Up:       bind(ActUp, g.Up+" ctrl-p", "up", "", "up", "ctrl+p", "shift+tab"),
			Down:     bind(ActDown, g.Down+" ctrl-n", "down", "", "down", "ctrl+n", "tab"),
			PageUp:   bind(ActPageUp, "pgup", "page up", "", "pgup"),
			PageDown: bind(ActPageDown, "pgdn", "page down", "", "pgdown"),
			Choose:   bind(ActOpen, "enter", "choose", "", "enter"),
			Close:    bind(ActBack, "esc", "close", "", "esc"),
		},
		Confirm: confirmKeys{
			Yes:  bind(ActYes, "y", "yes", "", "y"),
			No:   bind(ActBack, "n esc", "no", "", "n", "esc", "q"),
			Up:   bind(ActUp, g.Up, "up", "", "up", "k"),
			Down: bind(ActDown, g.Down, "down", "", "down", "j"),
		},
		Reader: readerKeys{
			Close: bind(ActBack, "esc q", "close", "", "esc", "q", "?", "!", "f1", "enter"),
		},
		More: moreKeys{
			Tokenizer: bind(ActTokenizer, "", "count tokens by another method", "Switch tokenizer"),
			Level1:    bind(ActLevel1, "", "schema down to level 1", "Expand the schema to level 1"),
			Level2:    bind(ActLevel2, "", "schema down to level 2", "Expand the schema to level 2"),
			Level3:    bind(ActLevel3, "", "schema down to level 3", "Expand the schema to level 3"),
		},
	}
	k.index()
	return k
}

// fieldKeys are the keys inside every text field. ctrl-k, ctrl-n, ctrl-p,
// ctrl-r, up, down and tab mean something else, and are not among them.
func fieldKeys(g Glyphs) editKeys {
	return editKeys{
		Left:            bind("", g.Left, "left", "", "left", "ctrl+b"),
		Right:           bind("", g.Right, "right", "", "right", "ctrl+f"),
		WordLeft:        bind("", "alt-b", "word left", "", "alt+b", "alt+left", "ctrl+left"),
		WordRight:       bind("", "alt-f", "word right", "", "alt+f", "alt+right", "ctrl+right"),
		Start:           bind("", "home ctrl-a", "start", "", "home", "ctrl+a"),
		End:             bind("", "end ctrl-e", "end", "", "end", "ctrl+e"),
		Backspace:       bind("", "backspace", "delete left", "", "backspace", "ctrl+h"),
		Delete:          bind("", "del ctrl-d", "delete right", "", "delete", "ctrl+d"),
		DeleteWordLeft:  bind("", "ctrl-w", "delete the word before", "", "ctrl+w", "alt+backspace"),
		DeleteWordRight: bind("", "alt-d", "delete the word behind", "", "alt+d", "alt+delete"),
		DeleteLeft:      bind("", "ctrl-u", "delete all before", "", "ctrl+u"),
	}
}
