package fetch

import (
	"fmt"
	"time"
	"unicode/utf8"

	"caliper/engine/rescue"
)

// run searches from g.done until the end or g.stop.
func (g *grepping) run(inLine bool) error {
	buf := make([]byte, g.p.window+utf8.UTFMax)
	for g.done < g.x.size && g.stop == "" {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		b, err := readAt(g.x.src, buf[:g.p.window], g.done)
		if err != nil {
			return err
		}
		end := len(rescue.WholeLines(b))
		if g.done+int64(len(b)) == g.x.size {
			end = len(b)
		}
		// The rest of a line that was begun elsewhere is searched as a
		// window, so that ^ does not match.
		if end > 0 && !inLine {
			err = g.block(b[:end])
		} else {
			inLine, err = g.longLineWindow(buf, inLine)
		}
		if err != nil {
			return err
		}
		if g.stop == "" && g.done < g.x.size && g.late() {
			g.stop = stopTime
		}
	}
	return nil
}

// Why a search stopped before the end.
const (
	stopTime  = "time"
	stopRoom  = "room"
	stopCount = "count"
)

func (g *grepping) late() bool { return !g.deadline.IsZero() && time.Now().After(g.deadline) }

// block searches whole lines.
func (g *grepping) block(b []byte) error {
	base := g.done
	at, counted, sinceLook := 0, 0, 0
	g.pre.reset()
	for at < len(b) {
		begin := at
		if g.pre.set != nil {
			n := g.pre.from(b, at)
			if n < 0 {
				break
			}
			begin = rescue.LineStart(b, at, n)
		}
		shown, size := rescue.NextBreak(b[begin:])
		line := b[begin : begin+shown]
		end := begin + shown + size
		if g.p.whole.Match(line) {
			g.line += int64(rescue.CountBreaks(b[counted:begin]))
			counted = begin
			g.done = base + int64(begin)
			if err := g.hit(line, int64(end-begin)); err != nil || g.stop != "" {
				return err
			}
		}
		at = end
		if sinceLook += end - begin; sinceLook > g.p.overlap {
			sinceLook = 0
			if g.late() && at < len(b) {
				g.stop = stopTime
				break
			}
		}
	}
	if g.stop == "" {
		at = len(b)
	}
	g.line += int64(rescue.CountBreaks(b[counted:at]))
	g.done = base + int64(at)
	return nil
}

// hit writes a line that matches; with its ending it takes size bytes.
func (g *grepping) hit(line []byte, size int64) error {
	if len(line) <= g.longLine || utf8.RuneCount(line) <= g.longLine {
		text := fmt.Sprintf("%d: %s\n", g.line, shown(line))
		if g.put(text, line) {
			if g.stop != "" {
				g.done += size
				g.line++
			}
			return nil
		}
		if g.hits > 0 {
			g.stop = stopRoom
			return nil
		}
	}
	_, err := g.parts(line, g.done, 0, len(line)+1, g.p.whole.FindAllIndex(line, -1))
	return err
}

// longLineWindow searches a part of a line that is longer than a window. It
// reports whether the search goes on inside the line.
func (g *grepping) longLineWindow(buf []byte, inLine bool) (bool, error) {
	// One character before the window lets \b see it.
	before := int64(0)
	if inLine {
		before = min(utf8.UTFMax, g.done)
	}
	base := g.done - before
	b, err := readAt(g.x.src, buf[:int64(g.p.window)+before], base)
	if err != nil {
		return inLine, err
	}
	lo := int(before)
	if inLine {
		cut := suffix(b[:lo], 1)
		b, base, lo = b[cut:], base+int64(cut), lo-cut
	}
	ended := base+int64(len(b)) == g.x.size
	after := g.x.size
	line, hi := b, len(b)+1
	lines := int64(0)
	whole := b
	if !ended {
		whole = rescue.WholeBeginning(b)
	}
	if at, size := rescue.NextBreak(whole[lo:]); size > 0 {
		ended, lines = true, 1
		after = base + int64(lo+at+size)
		line = b[:lo+at]
	} else if !ended {
		line = whole
		hi = aligned(b, len(b)-g.p.overlap)
		after = base + int64(hi)
	}
	g.pre.reset()
	if g.pre.set == nil || g.pre.from(line, 0) >= 0 {
		edges := 0
		if !inLine {
			edges |= 1
		}
		if ended {
			edges |= 2
		}
		shownTo, err := g.parts(line, base, lo, hi, g.p.edge[edges].FindAllIndex(line, -1))
		if err != nil || g.stop != "" {
			return true, err
		}
		// What follows a match may have been shown beyond hi.
		after = max(after, base+int64(min(shownTo, len(line))))
	}
	g.done = after
	g.line += lines
	return !ended, nil
}

// parts writes the matches that begin in [lo, hi) of b, which begins at byte
// base of the blob. A match inside the shown part of the one before is passed
// over. It returns where the next match may begin.
func (g *grepping) parts(b []byte, base int64, lo, hi int, matches [][]int) (int, error) {
	for _, m := range matches {
		if m[0] < lo || m[0] >= hi {
			continue
		}
		end, text, err := g.part(b, base, m[0], m[1])
		if err != nil {
			return lo, err
		}
		if !g.put(text, b[max(lo, m[0]-g.around):end]) {
			g.done, g.stop = base+int64(m[0]), stopRoom
			return lo, nil
		}
		lo = max(end, m[0]+1)
		if g.stop != "" {
			g.done = base + int64(min(lo, len(b)))
			return lo, nil
		}
	}
	return lo, nil
}

// part returns the match [from, to) of b as shown, with the text around it, and
// the end of the shown part.
func (g *grepping) part(b []byte, base int64, from, to int) (int, string, error) {
	left := suffix(b[:from], g.around)
	size, _ := prefix(b[from:to], int64(2*g.around))
	right := from + size
	size, _ = prefix(b[right:], int64(g.around))
	right += size
	char, _, err := g.x.place(base + int64(from))
	if err != nil {
		return 0, "", err
	}
	text := fmt.Sprintf("%d: at char %d: %s%s%s\n", g.line, char, dots(left > 0), shown(b[left:right]), dots(right < len(b)))
	return right, text, nil
}

func dots(cut bool) string {
	if cut {
		return "…"
	}
	return ""
}

// put writes a hit in some of the blob if there is room for it, and stops the search after
// the last one wanted.
func (g *grepping) put(text string, in []byte) bool {
	n := utf8.RuneCountInString(text)
	if n > g.room {
		return false
	}
	g.room -= n
	g.hits++
	if g.asked {
		if at, _ := rescue.NextError(nil)(in, 0, len(in)); at >= 0 {
			g.errors++
		}
	}
	g.out.WriteString(text)
	if g.hits == g.want {
		g.stop = stopCount
	}
	return true
}
