package ui

// Glyphs are the characters of the interface. Each is one cell wide. Focus and
// selection are always shown by glyphs, with or without colours.
type Glyphs struct {
	Thin, Heavy           Border // the heavy one tells the focused pane from the others on every terminal
	Focus                 string // before the title of the focused pane, unlike the mark of a row
	Selected              string // before the selected row
	Expanded, Collapsed   string
	Up, Down, Left, Right string
	Risen, Fallen, Same   string // change since the state on disk
	Dot                   string // fresh, live
	Tick, Cross           string
	Pin                   string   // a tool that is expected
	Tie                   string   // before a score that another hit has too
	Cut                   string   // the cut line is drawn with it
	Full, Empty, Mark     string   // cells of a bar
	MarkIn                string   // the mark inside the fill, without colours
	Thick                 string   // of a thin bar
	Shades                []string // five cells from empty to full, of a heat map
	Eighths               []string
	Levels                []string // eighths of a cell from below
	TabOpen, TabClose     string   // around the active tab
	Caret                 string   // the cursor where no cell can be reversed
	Prompt                string
	Ellipsis              string
}

// Border are the characters of the border of a pane. A border that two panes share has ends of its
// own: where the pane is below it, and where it is above.
type Border struct {
	Horizontal, Vertical      string
	Top, Bottom, Below, Above [2]string // left and right
}

func UnicodeGlyphs() Glyphs {
	return Glyphs{
		Thin:     Border{"─", "│", [2]string{"╭", "╮"}, [2]string{"╰", "╯"}, [2]string{"├", "┤"}, [2]string{"├", "┤"}},
		Heavy:    Border{"━", "┃", [2]string{"┏", "┓"}, [2]string{"┗", "┛"}, [2]string{"┢", "┪"}, [2]string{"┡", "┩"}},
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
	plus := [2]string{"+", "+"}
	return Glyphs{
		Thin:     Border{"-", "|", plus, plus, plus, plus},
		Heavy:    Border{"=", "|", plus, plus, plus, plus},
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
