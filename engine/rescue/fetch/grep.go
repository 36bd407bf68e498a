package fetch

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

const (
	// aroundHit is how many characters of a long line are shown before and
	// after a match; of the match itself twice as many.
	aroundHit = 100
	// headRoom is kept for the sentence that begins an answer, and placeRoom
	// for the numbers that begin a hit.
	headRoom  = 160
	placeRoom = 40
)

// grepping is one run of mode grep. Lines of at most window bytes are searched whole; longer ones
// in windows that overlap, so that every match of at most overlap bytes is found wherever it lies.
type grepping struct {
	whole *regexp.Regexp
	// edge[i] is for a window of a longer line: bit 0 set when the window
	// begins the line, bit 1 when it ends it. An anchor to an edge that the
	// window does not have never matches.
	edge            [4]*regexp.Regexp
	near            literals
	window, overlap int
	forErrors       bool // the pattern asks for errors by their usual words

	x         *text
	deadline  time.Time
	around    int // characters shown before and after a match in a long line
	longLine  int // code points of a line from which it is shown in parts
	charsLeft int // code points left for hits
	want      int64
	hits      int64
	errors    int64 // hits in what looks like an error, counted if forErrors
	out       strings.Builder
	line      int64 // the line at the search's place, from 1
	done      int   // bytes before it are searched
	stop      string
}

// grep answers mode grep. A line of at most GrepMaxLineLen characters is one
// hit and shown whole; of a longer one every match is a hit, shown with what
// is around it and its place in chars. From and To are in lines, or in chars
// when the request was or when the search stopped inside a line. Where the pattern asks for
// errors and not every hit looks like one, the answer tells how many do, as a handle and an
// outline count them.
func (g *grepping) grep(x *text, q Request, l rescue.Limits) (Answer, error) {
	g.x, g.want, g.longLine = x, q.Count, l.GrepMaxLineLen
	if g.longLine <= 0 {
		g.longLine = l.FetchMaxChars
	}
	g.charsLeft = l.FetchMaxChars - headRoom
	// The first hit always fits: two places, a match and the text around it.
	g.around = min(aroundHit, (g.charsLeft-placeRoom)/4)
	limit := time.Duration(l.GrepTimeoutMS) * time.Millisecond
	if limit > 0 {
		g.deadline = time.Now().Add(limit)
	}
	switch {
	case q.Unit == Lines && q.Start > max(1, x.lines):
		return Answer{}, pastEnd(q.Start, Lines, x)
	case q.Unit == Lines:
		g.line = q.Start
		if x.lines > 0 {
			g.done = x.line(q.Start)
		}
	case q.Start >= x.chars && q.Start > 0:
		return Answer{}, pastEnd(q.Start, Chars, x)
	default:
		g.done = x.char(q.Start)
		_, g.line = x.charAndLine(g.done)
	}
	start := g.done
	inLine := !x.begins(start)
	for g.done < len(x.data) && g.stop == "" {
		b := x.data[g.done:min(len(x.data), g.done+g.window)]
		end := len(rescue.WholeLines(b))
		if g.done+len(b) == len(x.data) {
			end = len(b)
		}
		// The rest of a line that was begun elsewhere is searched as a
		// window, so that ^ does not match.
		if end > 0 && !inLine {
			g.block(b[:end])
		} else {
			inLine = g.longLineWindow(inLine)
		}
		if g.stop == "" && g.done < len(x.data) && g.late() {
			g.stop = stopTime
		}
	}
	return g.answer(q, start, limit), nil
}

// answer tells the range and the hits. That a search stopped comes first,
// so that it cannot pass for one that found nothing.
func (g *grepping) answer(q Request, start int, limit time.Duration) Answer {
	a := Answer{Mode: Grep, From: q.Start, Total: g.x.lines, Unit: Lines}
	if q.Unit == Chars || !g.x.begins(g.done) {
		a.Unit, a.Total = Chars, g.x.chars
		a.From, _ = g.x.charAndLine(start)
		a.To, _ = g.x.charAndLine(g.done)
		a.To--
	} else if a.To = g.line - 1; g.done == len(g.x.data) {
		a.To = g.x.lines
	}
	if g.done < len(g.x.data) {
		a.Next = &Request{Mode: Grep, Pattern: q.Pattern, Start: a.To + 1, Count: q.Count, Unit: a.Unit}
	}
	found := "no match"
	if g.hits > 0 {
		found = words.Count(g.hits, "hit")
	}
	if g.forErrors && g.errors < g.hits {
		found += fmt.Sprintf(" (%s)", words.CountOf(g.errors, "looks like an error", "look like errors"))
	}
	where := fmt.Sprintf("%s %d-%d of %d", a.Unit, a.From, a.To, a.Total)
	goOn := fmt.Sprintf("go on at %s %d", strings.TrimSuffix(a.Unit, "s"), a.To+1)
	switch {
	case a.Next == nil:
		a.Text = fmt.Sprintf("%s in %s\n", found, where)
	case g.stop == stopTime:
		a.Text = fmt.Sprintf("stopped after %v: only %s searched, the rest is not: %s; %s so far\n", limit, where, goOn, found)
	default:
		a.Text = fmt.Sprintf("%s in %s, the rest is not searched: %s\n", found, where, goOn)
	}
	a.Text += g.out.String()
	return a
}

// Why a search stopped before the end.
const (
	stopTime  = "time"
	stopRoom  = "room"
	stopCount = "count"
)

func (g *grepping) late() bool { return !g.deadline.IsZero() && time.Now().After(g.deadline) }

// block searches whole lines.
func (g *grepping) block(b []byte) {
	base := g.done
	at, counted, sinceLook := 0, 0, 0
	g.near.begin(b)
	for at < len(b) {
		begin := at
		if g.near.set != nil {
			n := g.near.from(at)
			if n < 0 {
				break
			}
			begin = rescue.LineStart(b, at, n)
		}
		shown, size := rescue.NextBreak(b[begin:])
		line := b[begin : begin+shown]
		end := begin + shown + size
		if g.whole.Match(line) {
			g.line += int64(rescue.CountBreaks(b[counted:begin]))
			counted = begin
			g.done = base + begin
			if g.hit(line, end-begin); g.stop != "" {
				return
			}
		}
		at = end
		if sinceLook += end - begin; sinceLook > g.overlap {
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
	g.done = base + at
}

// hit writes a line that matches; with its ending it takes size bytes.
func (g *grepping) hit(line []byte, size int) {
	if len(line) <= g.longLine || utf8.RuneCount(line) <= g.longLine {
		text := fmt.Sprintf("%d: %s\n", g.line, shown(line))
		if g.put(text, line) {
			if g.stop != "" {
				g.done += size
				g.line++
			}
			return
		}
		if g.hits > 0 {
			g.stop = stopRoom
			return
		}
	}
	g.parts(line, g.done, 0, len(line)+1, g.whole.FindAllIndex(line, -1))
}

// longLineWindow searches a part of a line that is longer than a window. It
// reports whether the search goes on inside the line.
func (g *grepping) longLineWindow(inLine bool) bool {
	base := g.done
	if inLine { // one character before the window lets \b see it
		base = suffix(g.x.data[:g.done], 1)
	}
	b, lo := g.x.data[base:min(len(g.x.data), g.done+g.window)], g.done-base
	ended := base+len(b) == len(g.x.data)
	after, line, hi, lines := len(g.x.data), b, len(b)+1, int64(0)
	whole := b
	if !ended {
		whole = rescue.WholeBeginning(b)
	}
	if at, size := rescue.NextBreak(whole[lo:]); size > 0 {
		ended, lines = true, 1
		after = base + lo + at + size
		line = b[:lo+at]
	} else if !ended {
		line = whole
		hi = aligned(b, len(b)-g.overlap)
		after = base + hi
	}
	g.near.begin(line)
	if g.near.set == nil || g.near.from(0) >= 0 {
		edges := 0
		if !inLine {
			edges |= 1
		}
		if ended {
			edges |= 2
		}
		shownTo := g.parts(line, base, lo, hi, g.edge[edges].FindAllIndex(line, -1))
		if g.stop != "" {
			return true
		}
		// What follows a match may have been shown beyond hi.
		after = max(after, base+min(shownTo, len(line)))
	}
	g.done = after
	g.line += lines
	return !ended
}

// parts writes the matches that begin in [lo, hi) of b, which begins at byte
// base of the blob. A match inside the shown part of the one before is passed
// over. It returns where the next match may begin.
func (g *grepping) parts(b []byte, base, lo, hi int, matches [][]int) int {
	for _, m := range matches {
		from, to := m[0], m[1]
		if from < lo || from >= hi {
			continue
		}
		left := suffix(b[:from], g.around)
		size, _ := prefix(b[from:to], int64(2*g.around))
		end := from + size
		size, _ = prefix(b[end:], int64(g.around))
		end += size
		char, _ := g.x.charAndLine(base + from)
		text := fmt.Sprintf("%d: at char %d: %s%s%s\n", g.line, char, dots(left > 0), shown(b[left:end]), dots(end < len(b)))
		if !g.put(text, b[max(lo, from-g.around):end]) {
			g.done, g.stop = base+from, stopRoom
			return lo
		}
		lo = max(end, from+1)
		if g.stop != "" {
			g.done = base + min(lo, len(b))
			return lo
		}
	}
	return lo
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
	if n > g.charsLeft {
		return false
	}
	g.charsLeft -= n
	g.hits++
	if g.forErrors {
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
