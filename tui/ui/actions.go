package ui

// The actions that mean the same on every screen.
const (
	Interrupt Action = "interrupt" // end the program at once
	Quit      Action = "quit"
	Suspend   Action = "suspend"
	Redraw    Action = "redraw" // draw on a terminal that shows something else
	Back      Action = "back"   // go one level back
	Help      Action = "help"
	Tour      Action = "tour"     // begin the tour, or do its next step
	Palette   Action = "palette"  // by the key that works inside text fields too
	Commands  Action = "commands" // opens the palette outside text fields
	Query     Action = "query"    // edit the query of Explore
	Next      Action = "next pane"
	Prev      Action = "previous pane"

	NextScreen Action = "next screen"
	PrevScreen Action = "previous screen"

	Up       Action = "up"
	Down     Action = "down"
	PageUp   Action = "page up"
	PageDown Action = "page down"
	HalfUp   Action = "half page up"
	HalfDown Action = "half page down"
	Top      Action = "top"
	Bottom   Action = "bottom"

	NextMatch Action = "next match"
	PrevMatch Action = "previous match"

	Open Action = "open" // the action of enter: expand, choose
	View Action = "next view"

	PrevView Action = "previous view"

	Find Action = "search"

	Less    Action = "less"
	More    Action = "more"
	Undo    Action = "undo"
	Reset   Action = "reset"
	Save    Action = "save"
	Unwrite Action = "undo what was saved"

	NextRanker Action = "try the next ranker"

	Session   Action = "session"
	Tokenizer Action = "tokenizer"
	Reload    Action = "reload"
	Pause     Action = "pause"
	Notice    Action = "notice"
	OpenFile  Action = "open file"
	Copy      Action = "copy"
	CopyModel Action = "copy what the model sees"
	Compare   Action = "compare rankers"

	CompareStates Action = "compare two states"

	Label  Action = "label" // label Explore's query with the selected tool
	Zoom   Action = "zoom"  // a pane takes the whole screen
	Try    Action = "try a description"
	Expect Action = "pin"
	Grant  Action = "grant a tool"
	Reach  Action = "chain of a tool"
)
