package ui

// Glyphs are the characters of the interface. Each is one cell wide. Focus and
// selection are always shown by glyphs, with or without colours.
type Glyphs struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	TeeLeft, TeeRight                          string // ends of a border that two panes share
	Heavy                                      Heavy  // the border of the focused pane
	Focus                                      string // before the title of the focused pane, unlike the mark of a row
	Selected                                   string // before the selected row
	Expanded, Collapsed                        string
	Up, Down, Left, Right                      string
	Risen, Fallen, Same                        string // change since the state on disk
	Dot                                        string // fresh, live
	Tick, Cross                                string
	Pin                                        string   // a tool that is expected
	Tie                                        string   // before a score that another hit has too
	Cut                                        string   // the cut line is drawn with it
	Full, Empty, Mark                          string   // cells of a bar
	MarkIn                                     string   // the mark inside the fill, without colours
	Thick                                      string   // of a thin bar
	Shades                                     []string // five cells from empty to full, of a heat map
	Eighths                                    []string
	Levels                                     []string // eighths of a cell from below
	TabOpen, TabClose                          string   // around the active tab
	Caret                                      string   // the cursor where no cell can be reversed
	Prompt                                     string
	Ellipsis                                   string
}

// Heavy are the characters of the border that tells the focused pane from the others
// on every terminal. A shared border has ends of its own: where the focused pane is
// below it, and where it is above.
type Heavy struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	BelowLeft, BelowRight                      string
	AboveLeft, AboveRight                      string
}

func UnicodeGlyphs() Glyphs {
	return Glyphs{
		Horizontal: "─", Vertical: "│",
		TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		TeeLeft: "├", TeeRight: "┤",
		Heavy: Heavy{
			Horizontal: "━", Vertical: "┃",
			TopLeft: "┏", TopRight: "┓", BottomLeft: "┗", BottomRight: "┛",
			BelowLeft: "┢", BelowRight: "┪", AboveLeft: "┡", AboveRight: "┩",
		},
		Focus:    "━",
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
		Shades:  []string{"·", "░", "▒", "▓", "█"},
		Eighths: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉"},
		Levels:  []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"},
		TabOpen: "[", TabClose: "]",
		Caret:    "▏",
		Prompt:   ">",
		Ellipsis: "…",
	}
}

func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+",
		Heavy: Heavy{
			Horizontal: "=", Vertical: "|",
			TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
			BelowLeft: "+", BelowRight: "+", AboveLeft: "+", AboveRight: "+",
		},
		Focus:    "=",
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
		Shades:  []string{".", ":", "+", "#", "@"},
		TabOpen: "[", TabClose: "]",
		Caret:    "_",
		Prompt:   ">",
		Ellipsis: "~",
	}
}

// Level returns the glyph of a cell that is filled from below by some eighths,
// empty for 0.
func (g *Glyphs) Level(eighths int) string {
	switch {
	case eighths <= 0:
		return ""
	case eighths >= 8:
		return g.Full
	case len(g.Levels) == 0 && eighths < 4:
		return ""
	case len(g.Levels) == 0:
		return g.Full
	}
	return g.Levels[eighths-1]
}
