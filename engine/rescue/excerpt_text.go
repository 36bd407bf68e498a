package rescue

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"caliper/model/words"
)

// markRoom is kept free for the mark of what was left out, and gutterRoom is
// the longest gutter, in characters.
const (
	markRoom   = 100
	gutterRoom = 64
)

// shown is one line of an excerpt.
type shown struct {
	number int
	chars  int    // of the line, from its first in the head and to its last in the tail
	text   string // with its gutter
	whole  bool
	start  bool // shows how the line begins
}

// size returns the characters that the line takes, its line break included.
func (s shown) size() int { return charsOf(s.text) + 1 }

// text returns the excerpt of a text: its first and last lines, the mark of
// what lies between, and lines from there that look like errors.
func (x *excerpt) text(room int) ([]Line, []Gap) {
	suspects := x.errors
	const perError, atMost = 220, 4 // a quarter of the room
	forErrors := 0
	if n := len(suspects.lines); n > 0 {
		forErrors = min(room/atMost, n*perError+markRoom)
	}
	reach := min(len(x.data), 4*room+utf8.UTFMax)
	head, tail := x.data[:reach], x.data[len(x.data)-reach:]
	if reach < len(x.data) { // a break must not be cut in two
		head = bytes.TrimSuffix(head, []byte{'\r'})
	}
	left := room - forErrors - min(markRoom, room/2)
	first, end := x.headLines(head, left*3/5)
	for _, s := range first {
		left -= s.size()
	}
	last, begin := x.tailLines(tail, end, left)
	for _, s := range last {
		left -= s.size()
	}
	// What the ends did not need goes to a longer head.
	if spare := left - 40; spare > 0 && len(first) > 0 && !first[len(first)-1].whole {
		used := 0
		for _, s := range first {
			used += s.size()
		}
		if more, to := x.headLines(head, used+spare); to <= begin {
			first, end = more, to
		}
	}
	p := page{room: room}
	for _, s := range first {
		p.add(Line{s.text, LineContent})
	}
	x.goOn(first, last)
	var gaps []Gap
	if begin > end {
		gap := Gap{From: 1, To: x.meta.Lines, Unit: UnitLines, Chars: int64(utf8.RuneCount(x.data[end:begin]))}
		if len(first) > 0 {
			gap.From = first[len(first)-1].number + 1
		}
		if len(last) > 0 {
			gap.To = last[0].number - 1
		}
		if p.add(Line{gap.mark(), LineLeftOut}) {
			gaps = append(gaps, gap)
		}
	}
	for _, s := range last {
		p.add(Line{s.text, LineContent})
	}
	suspects.show(&p, append(first, last...))
	return p.lines, gaps
}

// goOn settles where the rest begins: after the lines of the head, with the last
// of them when it is cut, or with the first line that is cut when the head and
// the tail leave no line out.
func (x *excerpt) goOn(head, tail []shown) {
	next, chars := 1, 0
	if len(head) > 0 {
		next, chars = head[len(head)-1].number+1, head[0].chars
		if !head[len(head)-1].whole {
			next--
		}
	}
	x.rest = min(x.rest, chars)
	if len(tail) > 0 && tail[0].number <= next || next > x.meta.Lines {
		cut := func(s shown) bool { return !s.whole }
		all := slices.Concat(head, tail)
		next = 1
		if i := slices.IndexFunc(all, cut); i >= 0 {
			next = all[i].number
		}
	}
	x.resume = min(x.resume, next)
}

// mark returns the line that stands for the gap.
func (g Gap) mark() string {
	what := words.Count(int(g.Chars), "character")
	if g.Of != "" {
		what += " of " + g.Of
	}
	switch {
	case g.To < g.From:
		return fmt.Sprintf("[left out here: %s]", what)
	case g.To == g.From:
		return fmt.Sprintf("[left out here: %s %d, %s]", g.Unit.One(), g.From, what)
	}
	return fmt.Sprintf("[left out here: %s %d to %d, %s]", g.Unit, g.From, g.To, what)
}

// headLines returns the first lines of a window in at most room characters,
// and the offset up to which they show the blob.
func (x *excerpt) headLines(window []byte, room int) (lines []shown, end int) {
	longest := room
	if x.meta.Lines > 3 {
		longest = max(room/8, min(room, 300))
	}
	for n := 1; n <= x.limits.HeadLines && end < len(window); n++ {
		rest := window[end:]
		ending, size := NextBreak(rest)
		isCut := size == 0 && len(window) < len(x.data)
		line, next := rest[:ending], ending+size
		s, kept, ok := within(n, line, min(longest, room), isCut, "first", firstCharsOf)
		if !ok {
			break
		}
		s.start = true
		if isCut {
			next = len(kept)
		}
		if s.size() > room {
			break
		}
		room -= s.size()
		end += next
		lines = append(lines, s)
		if isCut {
			break
		}
	}
	return lines, end
}

// tailLines returns the last lines of a window in at most room characters,
// none of them before the offset from, and the offset from which they show
// the blob.
func (x *excerpt) tailLines(window []byte, from, room int) (lines []shown, begin int) {
	base := len(x.data) - len(window) // offset of the window
	low := max(0, from-base)
	longest := room
	if x.meta.Lines > 3 {
		longest = max(room/5, min(room, 300))
	}
	end := len(window)
	for n := x.meta.Lines; n > x.meta.Lines-x.limits.TailLines && end > low; n-- {
		text := TrimEnding(window[low:end])
		start := LineStart(window, low, low+len(text))
		line := window[start : low+len(text)]
		// The window, or what the head shows, may begin inside this line.
		isCut := start == low && base+low > 0 && !BreakEnds(x.data, base+low)
		if isCut && base+low > from {
			for range min(3, len(line)) {
				if utf8.RuneStart(line[0]) {
					break
				}
				line, start = line[1:], start+1
			}
		}
		s, kept, ok := within(n, line, min(longest, room), isCut, "last", lastCharsOf)
		if !ok {
			break
		}
		if isCut {
			start = low + len(text) - len(kept)
		}
		if s.size() > room {
			break
		}
		room -= s.size()
		end = start
		lines = append(lines, s)
		if isCut {
			break
		}
	}
	slices.Reverse(lines)
	return lines, base + end
}

// within returns line n with its gutter in about free characters, and what it
// keeps of the line: all of it, or what keepOf leaves at one end of it. Of a
// line that the window cut, the rest is unknown, so it is never whole. ok is
// false when too little would be left of the line to say anything.
func within(n int, line []byte, free int, isCut bool, end string, keepOf func([]byte, int) []byte) (s shown, kept []byte, ok bool) {
	width := utf8.RuneCount(line)
	s = shown{number: n, chars: width, whole: true}
	gutter := fmt.Sprintf("%d| ", n)
	if isCut || width+len(gutter)+1 > free {
		keep := min(width, free-gutterRoom)
		if keep < min(20, width) || keep <= 0 {
			return shown{}, nil, false
		}
		line = keepOf(line, keep)
		s.whole, s.chars = false, keep
		gutter = fmt.Sprintf("%d, %s %d of %d characters| ", n, end, keep, width)
		if isCut {
			gutter = fmt.Sprintf("%d, %s %s| ", n, end, words.Count(keep, "character"))
		}
	}
	s.text = gutter + shownLine(line)
	return s, line, true
}
