package tui

// Glyphs are the characters that the interface is drawn with. Each is one cell
// wide. Focus and selection are always glyphs, whatever the colours.
type Glyphs struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	TeeLeft, TeeRight                          string // where panes of one column share a border
	Focus                                      string // before the title of the focused pane
	Selected                                   string // before the selected row
	Expanded, Collapsed                        string
	Up, Down, Left, Right                      string
	Risen, Fallen, Same                        string // since the state on disk
	Dot                                        string // fresh, live
	Tick, Cross                                string
	Pin                                        string // a tool that is expected
	Tie                                        string // before a score that another hit has too
	Cut                                        string // the cut line is drawn with it
	Full, Empty, Mark                          string // of a bar
	MarkIn                                     string // the mark where the bar is filled, without colours
	Thick                                      string // of a thin bar
	Eighths                                    []string
	Levels                                     []string // eighths of a cell from below
	TabOpen, TabClose                          string   // around the active tab
	Caret                                      string   // the cursor where nothing can be shown reversed
	Prompt                                     string
	Ellipsis                                   string
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Horizontal: "─", Vertical: "│",
		TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		TeeLeft: "├", TeeRight: "┤",
		Focus:    "▌",
		Selected: "▌",
		Expanded: "▾", Collapsed: "▸",
		Up: "↑", Down: "↓", Left: "←", Right: "→",
		Risen: "▲", Fallen: "▼", Same: "·",
		Dot:  "●",
		Tick: "✓", Cross: "✗",
		Pin:  "◆",
		Tie:  "=",
		Cut:  "─",
		Full: "█", Empty: "░", Mark: "│", MarkIn: "▓",
		Thick:   "━",
		Eighths: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"},
		Levels:  []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"},
		TabOpen: "[", TabClose: "]",
		Caret:    "▏",
		Prompt:   ">",
		Ellipsis: "…",
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+",
		Focus:    ">",
		Selected: ">",
		Expanded: "v", Collapsed: ">",
		Up: "^", Down: "v", Left: "<", Right: ">",
		Risen: "^", Fallen: "v", Same: ".",
		Dot:  "*",
		Tick: "+", Cross: "x",
		Pin:  "*",
		Tie:  "=",
		Cut:  "-",
		Full: "#", Empty: ".", Mark: "|", MarkIn: "@",
		Thick:   "=",
		TabOpen: "[", TabClose: "]",
		Caret:    "_",
		Prompt:   ">",
		Ellipsis: "~",
	}
}
