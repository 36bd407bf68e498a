package tui

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"caliper/tui/picture"
)

// storedGrid returns a screen as it is stored: one line per row, each starting and ending in the
// plain style, without plain blanks at its end, one full SGR sequence where the style changes.
func storedGrid(g *picture.Grid) []byte {
	var b bytes.Buffer
	for i := range g.Rows {
		b.WriteString(storedRow(g.Row(i)) + "\n")
	}
	return b.Bytes()
}

func storedRow(row []picture.Cell) string {
	for len(row) > 0 && row[len(row)-1] == (picture.Cell{Text: " ", Width: 1}) {
		row = row[:len(row)-1]
	}
	var b strings.Builder
	style, previous := picture.Style{}, ""
	for _, c := range row {
		if c.Width == 0 {
			continue
		}
		if c.Style != style || joined(previous, c.Text) {
			style = c.Style
			b.WriteString(storedStyle(style))
		}
		b.WriteString(c.Text)
		previous = c.Text
	}
	if style != (picture.Style{}) {
		b.WriteString(storedStyle(picture.Style{}))
	}
	return b.String()
}

// joined reports whether two neighbouring cells would be read back as one: two halves of a flag,
// for example. A sequence between them keeps them apart.
func joined(a, b string) bool {
	if a == "" || len(a) == 1 && len(b) == 1 {
		return false
	}
	text, end := a+b, 0
	for end < len(a) {
		cluster, _ := ansi.FirstGraphemeCluster(text[end:], ansi.GraphemeWidth)
		end += max(len(cluster), 1)
	}
	return end > len(a)
}

func storedStyle(s picture.Style) string {
	params := []string{"0"}
	for i, code := range []string{"1", "2", "3", "4", "21", "7", "8", "9", "53"} { // of each attribute
		if s.Attributes&(picture.Bold<<i) != 0 {
			params = append(params, code)
		}
	}
	params = append(params, storedColour(s.Foreground, 30)...)
	params = append(params, storedColour(s.Background, 40)...)
	return "\x1b[" + strings.Join(params, ";") + "m"
}

func storedColour(c picture.Colour, base int) []string {
	n := strconv.Itoa
	if i, ok := c.Index(); ok {
		switch {
		case i < 8:
			return []string{n(base + int(i))}
		case i < 16:
			return []string{n(base + 60 + int(i) - 8)}
		}
		return []string{n(base + 8), "5", n(int(i))}
	}
	if r, g, b, ok := c.RGB(); ok {
		return []string{n(base + 8), "2", n(int(r)), n(int(g)), n(int(b))}
	}
	return nil
}

// withFrame returns a film with one more frame, its duration in ticks. A screen equal to the last
// one prolongs that one; a last screen that was shown for no time is replaced.
func withFrame(frames []picture.Frame, g *picture.Grid, d time.Duration) []picture.Frame {
	d = d.Round(picture.Tick)
	for n := len(frames); n > 0; n = len(frames) {
		last := &frames[n-1]
		if last.Grid.Equal(g) {
			last.Duration += d
			return frames
		}
		if last.Duration != 0 {
			break
		}
		frames = frames[:n-1]
	}
	return append(frames, picture.Frame{Grid: g, Duration: d})
}

// storedReel returns a film as it is stored.
func storedReel(frames []picture.Frame) []byte {
	var b bytes.Buffer
	previous := picture.NewGrid(frames[0].Grid.Columns, frames[0].Grid.Rows)
	fmt.Fprintf(&b, "reel %dx%d\n", previous.Columns, previous.Rows)
	for _, f := range frames {
		fmt.Fprintf(&b, "frame %.2f\n", f.Duration.Seconds())
		for i := range f.Grid.Rows {
			if row := storedRow(f.Grid.Row(i)); row != storedRow(previous.Row(i)) {
				fmt.Fprintf(&b, "%d %s\n", i+1, row)
			}
		}
		previous = f.Grid
	}
	return b.Bytes()
}
