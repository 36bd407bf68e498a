package picture

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Tick is the resolution of the durations of a film, as of a GIF.
const Tick = 10 * time.Millisecond

// maxCells bounds the screen a stored reel may ask for.
const maxCells = 1 << 16

// Frame is one screen and how long it is shown.
type Frame struct {
	Grid     *Grid
	Duration time.Duration
}

// ParseReel reads a film of a terminal, whose frames have the same size. It is stored as text, so
// that a changed film shows as changed rows:
//
//	reel 120x36
//	frame 1.20
//	1 caliper   registry.json
//	5 > _
//	frame 0.09
//	5 > c_
//
// A frame lists the rows that differ from the frame before, numbered from 1, each as
// [Parse] reads it; before the first frame the screen is blank. Durations are seconds with two
// digits. Errors begin with the line number.
func ParseReel(data []byte) (frames []Frame, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<24)
	var columns, rows, number int
	for lines.Scan() {
		number++
		var err error
		if number == 1 {
			columns, rows, err = reelHeader(lines.Text())
		} else {
			line := lines.Text()
			word, rest, _ := strings.Cut(line, " ")
			if word == "frame" {
				seconds, fault := strconv.ParseFloat(rest, 64)
				if fault != nil || !(seconds >= 0 && seconds <= 3600) {
					err = fmt.Errorf("frame %q: want seconds", rest)
				} else {
					grid := NewGrid(columns, rows)
					if n := len(frames); n > 0 {
						grid = frames[n-1].Grid.Clone()
					}
					duration := time.Duration(seconds * float64(time.Second)).Round(Tick)
					frames = append(frames, Frame{Grid: grid, Duration: duration})
				}
			} else {
				n, fault := strconv.Atoi(word)
				switch {
				case fault != nil || n < 1 || n > rows:
					err = fmt.Errorf("row %q: want 1 to %d", word, rows)
				case len(frames) == 0:
					err = fmt.Errorf("row %d before the first frame", n)
				default:
					grid := frames[len(frames)-1].Grid
					grid.SetRow(n-1, Parse([]byte(rest), columns, 1).Row(0))
				}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%d: %w", number+1, err)
	}
	if number == 0 {
		return nil, fmt.Errorf("1: empty, want a reel")
	}
	return frames, nil
}

func reelHeader(line string) (columns, rows int, err error) {
	size, ok := strings.CutPrefix(line, "reel ")
	w, h, found := strings.Cut(size, "x")
	columns, errW := strconv.Atoi(w)
	rows, errH := strconv.Atoi(h)
	if !ok || !found || errW != nil || errH != nil || columns < 0 || rows < 0 ||
		columns > maxCells || rows > maxCells || columns*rows > maxCells {
		return 0, 0, fmt.Errorf("%q: want reel WIDTHxHEIGHT", line)
	}
	return columns, rows, nil
}
