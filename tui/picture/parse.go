package picture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	xansi "github.com/charmbracelet/x/ansi"
)

const (
	tabWidth = 8

	// No terminal is larger than this. A capture that is has the rest cut off, so that a short
	// hostile one cannot ask for much memory.
	maxColumns = 512
	maxRows    = 512
)

// Parse reads a capture into a grid of columns × rows cells. What lies outside is cut off, what
// is missing is blank. A size of 0 or less is taken from the capture: its widest line, its
// number of lines. More than 512 columns or rows are never read.
func Parse(data []byte, columns, rows int) *Grid {
	p := parser{tokens: xansi.NewParser(), lines: make([][]Cell, 1)}
	var state byte
	for len(data) > 0 {
		sequence, width, n, next := xansi.DecodeSequence(data, state, p.tokens)
		if n == 0 {
			break
		}
		switch sequence[0] {
		case '\n':
			// One more than fits: the newline behind the last row starts an empty one.
			if len(p.lines) <= maxRows {
				p.lines = append(p.lines, nil)
			}
		case '\t':
			line := len(p.lines) - 1
			for range tabWidth - len(p.lines[line])%tabWidth {
				p.put(" ", 1)
			}
		case '\x0e': // shift out: tmux writes line drawing as letters in the special graphics set
			p.graphics = true
		case '\x0f':
			p.graphics = false
		case '\x1b':
			if xansi.Cmd(p.tokens.Command()) == 'm' && sequence[len(sequence)-1] == 'm' {
				p.style = applySGR(p.style, p.tokens.Params())
			}
		default:
			p.text(sequence, width)
		}
		state, data = next, data[n:]
	}
	lines := p.lines
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1] // the newline at the end starts no row
	}
	lines = lines[:min(len(lines), maxRows)]
	if rows <= 0 {
		rows = len(lines)
	}
	if columns <= 0 {
		for _, line := range lines {
			columns = max(columns, len(line))
		}
	}
	g := NewGrid(columns, rows)
	for i := range min(rows, len(lines)) {
		g.rows[i] = fit(lines[i], columns)
	}
	return g
}

type parser struct {
	tokens   *xansi.Parser
	lines    [][]Cell // the last one is being written
	style    Style
	graphics bool // the DEC special graphics set is active
}

func (p *parser) text(sequence []byte, width int) {
	if !utf8.Valid(sequence) {
		return
	}
	s := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, string(sequence))
	if s == "" {
		return
	}
	if p.graphics && len(s) == 1 {
		// Source: the VT100 user guide, table 3-9.
		const first = '`'
		set := []rune("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
		if i := int(s[0]) - first; i >= 0 && i < len(set) {
			s = string(set[i])
		}
	}
	if width > 0 {
		p.put(s, min(width, 2))
		return
	}
	// A mark without a base: it combines with the cell before it, if there is one. A mark that
	// would make that cell wider came too late for its room, and is dropped.
	row := p.lines[len(p.lines)-1]
	for i := len(row) - 1; i >= 0; i-- {
		if row[i].Width > 0 {
			if joined := row[i].Text + s; xansi.StringWidth(joined) == row[i].Width {
				row[i].Text = joined
			}
			return
		}
	}
}

func (p *parser) put(text string, width int) {
	line := len(p.lines) - 1
	if len(p.lines[line])+width > maxColumns {
		return
	}
	p.lines[line] = append(p.lines[line], Cell{Text: text, Width: width, Style: p.style})
	if width == 2 {
		p.lines[line] = append(p.lines[line], Cell{Style: p.style})
	}
}
