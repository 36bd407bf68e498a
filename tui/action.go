package tui

// Action is one thing that a key, the palette or a click makes the explorer
// do.
type Action string

// The actions. What moves does so in the pane or overlay that has the keys.
const (
	ActInterrupt Action = "interrupt" // end at once
	ActQuit      Action = "quit"
	ActSuspend   Action = "suspend"
	ActBack      Action = "back" // one level
	ActHelp      Action = "help"
	ActPalette   Action = "palette"

	ActNextPane Action = "next pane"
	ActPrevPane Action = "previous pane"
	ActZoom     Action = "zoom"

	ActScreenExplore    Action = "explore"
	ActScreenStrategies Action = "strategies"
	ActScreenBudget     Action = "budget"
	ActScreenScope      Action = "scope"
	ActScreenQueries    Action = "queries"
	ActScreenResults    Action = "results"
	ActScreenActivity   Action = "activity"

	ActUp       Action = "up"
	ActDown     Action = "down"
	ActPageUp   Action = "page up"
	ActPageDown Action = "page down"
	ActHalfUp   Action = "half page up"
	ActHalfDown Action = "half page down"
	ActTop      Action = "top"
	ActBottom   Action = "bottom"

	ActOpen      Action = "open" // expand, choose, whatever enter means
	ActQuery     Action = "query"
	ActHistory   Action = "history"
	ActSearch    Action = "search" // in a list or tree
	ActNextMatch Action = "next match"
	ActPrevMatch Action = "previous match"

	ActToggle    Action = "toggle"
	ActExpand    Action = "expand"
	ActCollapse  Action = "collapse"
	ActExpandAll Action = "expand all"
	ActLevel     Action = "level" // the key is the level
	ActLevel1    Action = "level 1"
	ActLevel2    Action = "level 2"
	ActLevel3    Action = "level 3"
	ActFollow    Action = "follow"

	ActArgs      Action = "arguments" // edit in place
	ActEditArgs  Action = "arguments in editor"
	ActRun       Action = "run"
	ActOpenFile  Action = "open file"
	ActDirect    Action = "direct" // through the bridge or without it
	ActSession   Action = "session"
	ActTokenizer Action = "tokenizer"
	ActReload    Action = "reload"
	ActPause     Action = "pause"
	ActNotice    Action = "notice"

	ActPin     Action = "pin"
	ActLess    Action = "less"
	ActMore    Action = "more"
	ActUndo    Action = "undo"
	ActReset   Action = "reset"
	ActSave    Action = "save"
	ActUnwrite Action = "take back what was written"
	ActYes     Action = "yes"
	ActPart    Action = "part" // of a screen

	ActCompare     Action = "compare rankers"
	ActLabel       Action = "label" // the query with the selected tool
	ActUnlabel     Action = "take away a labelled query"
	ActTry         Action = "try a description"
	ActApply       Action = "apply"
	ActTryInEditor Action = "try in the editor"

	ActGates Action = "leave a scope gate out"

	ActMessage  Action = "type the message"
	ActAddTurn  Action = "add the message as a turn"
	ActDropTurn Action = "take the last turn away"
	ActCore     Action = "choose the core tools"

	ActRequest       Action = "type a request"
	ActContinue      Action = "go on with a request"
	ActClearRequests Action = "clear the requests"
	ActResult        Action = "choose a result"
	ActResultTool    Action = "choose the tool of a result"
	ActPaste         Action = "paste a result"
	ActGap           Action = "go to what was left out"
	ActKeep          Action = "keep the result in the store"
	ActAnswerUp      Action = "scroll the answer up"
	ActAnswerDown    Action = "scroll the answer down"

	ActCopyTried  Action = "copy the description as tried"
	ActCopyRepro  Action = "copy repro"
	ActCopy       Action = "copy"
	ActCopyName   Action = "copy name"
	ActCopySchema Action = "copy schema"
	ActCopyCall   Action = "copy call"
	ActCopyModel  Action = "copy what the model sees"
)
