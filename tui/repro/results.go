package repro

import (
	"fmt"
	"path/filepath"
	"strconv"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
)

// Rescued is what becomes of the result of a tool, and the slices that were
// asked for.
type Rescued struct {
	File     string // only the last part of its path is written
	Pasted   bool   // there is no file
	Tool     string
	Envelope string
	Meta     rescue.Meta
	rescue.Decision
	Limits         rescue.Limits
	Preview        rescue.Preview // of a result that is rescued
	OriginalTokens int
	HandleTokens   int
	Slices         []Slice
}

// Slice is a request with its answer.
type Slice struct {
	Request fetch.Request
	Words   string // the request as it was typed
	Holds   string // what the answer holds, or the code of the error
	Text    string // of the answer, or of the error
	Chars   int
	Tokens  int
}

// Results returns the repro of a result: the rule that decides, what the model
// sees in its place, and the requests, the last of them with its answer.
func Results(c Case, r Rescued) string {
	var d document
	d.heading(2, "caliper rescue")
	c.surroundings(&d)
	d.heading(3, "Result")
	name := or(code(filepath.Base(r.File)), "a file without a name")
	if r.Pasted {
		name = "a result that was pasted"
	}
	m := r.Meta
	line := fmt.Sprintf("%s, of %s: %s, %d bytes, %d characters, %d lines, %d tokens", name, or(code(r.Tool), "no tool"), m.Kind, m.Bytes, m.Chars, m.Lines, r.OriginalTokens)
	if r.Envelope != "" {
		line += ", out of " + code(r.Envelope)
	}
	d.line(line + ".")
	d.line("Rule " + code(r.Rule) + ": " + code(r.Decision.Text) + ".")
	l := r.Limits
	d.line(fmt.Sprintf("Limits: %d characters pass; a handle has at most %d, with %d and %d lines, or %d and %d items; an answer has at most %d.",
		l.MaxResultChars, l.ExcerptMaxChars, l.HeadLines, l.TailLines, l.JSONHeadItems, l.JSONTailItems, l.FetchMaxChars))
	if !r.Rescue {
		d.line("The model sees all of it.")
		r.again(c, &d)
		return c.end(&d)
	}
	d.heading(3, "The model sees")
	d.line(fmt.Sprintf("%d characters, %d tokens.", r.Preview.Chars, r.HandleTokens))
	d.fence("text", r.Preview.Text)
	if n := len(r.Slices); n > 0 {
		d.heading(3, "Slices")
		total := r.HandleTokens
		out := tableOf("request", "answer", "characters", "tokens")
		for i, s := range r.Slices {
			total += s.Tokens
			if i < maxRows {
				out.add(code(s.Words), code(s.Holds), strconv.Itoa(s.Chars), strconv.Itoa(s.Tokens))
			}
		}
		d.table(out)
		d.more(n - maxRows)
		d.line(fmt.Sprintf("With the handle %d tokens, against %d for all of it.", total, r.OriginalTokens))
		d.line("The last answer:")
		d.fence("text", r.Slices[n-1].Text)
	}
	r.again(c, &d)
	return c.end(&d)
}

// again writes the command that does the same, and puts the result into a
// store to fetch from.
func (r Rescued) again(c Case, d *document) {
	file := filepath.Base(r.File)
	if r.Pasted {
		file = "-"
	}
	command := c.command("rescue put", file)
	command.add("--tool", r.Tool)
	if r.Tool != "" {
		c.again(d, command)
	}
}
