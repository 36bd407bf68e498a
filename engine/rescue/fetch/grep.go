package fetch

import (
	"context"
	"fmt"
	"strings"
	"time"

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

// grepping is one run of mode grep.
type grepping struct {
	ctx      context.Context
	x        *index
	p        *pattern
	pre      literals
	deadline time.Time
	around   int // characters shown before and after a match in a long line
	longLine int // code points of a line from which it is shown in parts
	room     int // code points left for hits
	want     int64
	hits     int64
	asked    bool  // the pattern asks for errors by their usual words
	errors   int64 // hits in what looks like an error, counted if asked
	out      strings.Builder
	line     int64 // the line at the search's place, from 1
	done     int64 // bytes before it are searched
	stop     string
}

// grep answers mode grep. A line of at most GrepMaxLineLen characters is one
// hit and shown whole; of a longer one every match is a hit, shown with what
// is around it and its place in chars. From and To are in lines, or in chars
// when the request was or when the search stopped inside a line. Where the pattern asks for
// errors and not every hit looks like one, the answer tells how many do, as a handle and an
// outline count them.
func (r *Reader) grep(ctx context.Context, x *index, q Request, l rescue.Limits) (Answer, error) {
	p, err := compile(q.Pattern, l)
	if err != nil {
		return Answer{}, err
	}
	return grepWith(ctx, x, p, q, l)
}

func grepWith(ctx context.Context, x *index, p *pattern, q Request, l rescue.Limits) (Answer, error) {
	g := &grepping{ctx: ctx, x: x, p: p, pre: newLiterals(p.need), want: q.Count, longLine: l.GrepMaxLineLen,
		asked: len(l.ErrorLines) == 0 && rescue.AsksForErrors(q.Pattern)}
	if g.longLine <= 0 {
		g.longLine = l.FetchMaxChars
	}
	g.room = l.FetchMaxChars - headRoom
	// The first hit always fits: two places, a match and the text around it.
	g.around = min(aroundHit, (g.room-placeRoom)/4)
	if l.GrepTimeout > 0 {
		g.deadline = time.Now().Add(l.GrepTimeout)
	}
	start, inLine, err := g.locate(q)
	if err != nil {
		return Answer{}, err
	}
	g.done = start
	if err := g.run(inLine); err != nil {
		return Answer{}, err
	}
	return g.answer(q, start, l.GrepTimeout)
}

// locate returns the byte where q begins, and whether that is inside a line.
func (g *grepping) locate(q Request) (start int64, inLine bool, err error) {
	if q.Unit == Lines {
		if q.Start > max(1, g.x.lines) {
			return 0, false, pastEnd(q.Start, Lines, g.x)
		}
		g.line = q.Start
		if g.x.lines > 0 {
			start, err = g.x.line(q.Start)
		}
		return start, false, err
	}
	if q.Start >= g.x.chars && q.Start > 0 {
		return 0, false, pastEnd(q.Start, Chars, g.x)
	}
	if start, err = g.x.char(q.Start); err != nil {
		return 0, false, err
	}
	if _, g.line, err = g.x.place(start); err != nil {
		return 0, false, err
	}
	inLine, err = g.inside(start)
	return start, inLine, err
}

// inside reports whether off is neither the beginning of a line nor the end of
// the blob.
func (g *grepping) inside(off int64) (bool, error) {
	if off == 0 || off == g.x.size {
		return false, nil
	}
	from := max(0, off-3)
	b, err := readAt(g.x.src, make([]byte, off-from+1), from)
	return err == nil && !rescue.BreakEnds(b, int(off-from)), err
}

// answer tells the range and the hits. That a search stopped comes first,
// so that it cannot pass for one that found nothing.
func (g *grepping) answer(q Request, start int64, limit time.Duration) (Answer, error) {
	a := Answer{Mode: Grep, From: q.Start, Total: g.x.lines, Unit: Lines}
	inside, err := g.inside(g.done)
	if err != nil {
		return a, err
	}
	if q.Unit == Chars || inside {
		a.Unit, a.Total = Chars, g.x.chars
		if a.From, _, err = g.x.place(start); err != nil {
			return a, err
		}
		if a.To, _, err = g.x.place(g.done); err != nil {
			return a, err
		}
		a.To--
	} else if a.To = g.line - 1; g.done == g.x.size {
		a.To = g.x.lines
	}
	if g.done < g.x.size {
		a.Next = &Request{Mode: Grep, Pattern: q.Pattern, Start: a.To + 1, Count: q.Count, Unit: a.Unit}
	}
	found := "no match"
	if g.hits > 0 {
		found = words.Count(g.hits, "hit")
	}
	if g.asked && g.errors < g.hits {
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
	return a, nil
}
