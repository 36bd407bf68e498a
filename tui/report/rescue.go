package report

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/engine/tokens"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

// Rescue returns the report of the outcome for a result, whose tokens are
// counted by a method.
func Rescue(x workbench.Rescued, by tokens.Method) *Report {
	r := new(Report)
	r.Head(x.Verdict(), "%s", Name(x.Rule))
	r.Indented(2, "%s.", Sentence(x.Why()))
	var from Text
	if x.Envelope != "" {
		from = Textf(" out of %s", Name(x.Envelope))
	}
	r.Indented(2, "%s in %s, %s%s.", Count(x.Meta.Chars, "character"), Count(x.Meta.Lines, "line"), x.Meta.Kind, from)
	if !x.Rescue {
		of := ""
		if x.Envelope != "" {
			of = " of text"
		}
		r.Indented(2, "The model gets it whole: %s%s (%s).", Count(x.OriginalTokens, "token"), of, by)
		return r
	}
	r.Indented(2, "The model gets %s instead of %d (%s).", Count(x.HandleTokens, "token"), x.OriginalTokens, by)
	r.Blank()
	r.Line(Faint("the model sees"))
	r.Quote(x.Preview.Text)
	return r
}

// Fetch returns the report of the answer to a request, of n tokens counted by a
// method. next is the command line of the request that continues; empty: there
// is no more.
func Fetch(a fetch.Answer, n int, by tokens.Method, next string) *Report {
	r := new(Report)
	r.Line(Strong("%s", a.Mode), "  ", held(a), Faint("  %s (%s)", Count(n, "token"), by))
	r.Blank()
	text := a.Text
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if a.Mode == fetch.Range && a.Unit == fetch.Lines && int64(len(lines)) == a.To-a.From+1 { // a reader gets numbers as grep writes them; the model gets none
		text = ""
		for i, line := range lines {
			text += fmt.Sprintf("%*d: %s", len(strconv.FormatInt(a.To, 10)), a.From+int64(i), line)
		}
	}
	r.Quote(text)
	if next == "" {
		return r
	}
	r.Blank()
	if safetext.Line(next) != next {
		next = "there is more; --json has the request, which a terminal cannot show"
	}
	r.Exact(Strong("Next"), "  ", next)
	return r
}

// held returns which range of the content an answer has.
func held(a fetch.Answer) Text {
	from, to, total := int(a.From), int(a.To), int(a.Total)
	switch {
	case a.Mode == fetch.Stat:
		return nil // which holds nothing of the blob
	case a.To < a.From:
		return Textf("none of %d %s", total, unit(a.Unit, total))
	case a.To == a.From:
		return Textf("%s %d of %d", unit(a.Unit, 1), from, total)
	}
	return Textf("%s %d to %d of %d", unit(a.Unit, 2), from, to, total)
}

// unit returns the word for n of a unit of answers.
func unit(unit string, n int) string {
	switch {
	case unit == fetch.Chars && n == 1:
		return "character"
	case unit == fetch.Chars:
		return "characters"
	case unit == fetch.Entries && n == 1:
		return "entry"
	case n == 1:
		return strings.TrimSuffix(unit, "s")
	}
	return unit
}

// Store returns the report of the content of a store of at most most bytes.
func Store(st rescue.StoreStatus, most int64) *Report {
	r := new(Report)
	expiry := "nothing expires"
	if !st.NextExpiry.IsZero() {
		expiry = st.NextExpiry.UTC().Format(time.RFC3339)
	}
	r.Line(Strong("store"), "  ", Name(st.Path))
	t := Columns("", "…")
	t.Row("blobs", st.Blobs)
	t.Row("bytes", Textf("%d of %d", int(st.Bytes), int(most)))
	t.Row("sessions", Textf("%d with %s", st.Sessions, Count(st.References, "reference")))
	t.Row("expired", st.Expired)
	t.Row("tombstones", st.Tombstones)
	t.Row("quarantined", st.Quarantined)
	t.Row("next expiry", expiry)
	r.Table(t)
	return r
}

// Sweep returns the report of what a sweep of a store removed, or would.
func Sweep(path string, w rescue.Swept, dryRun bool) *Report {
	r := new(Report)
	verb := "swept"
	if dryRun {
		verb = "would be swept"
	}
	r.Line(Strong("%s", verb), "  ", Name(path))
	t := Columns(">", "…")
	t.Row(w.Expired, "expired references")
	t.Row(w.Lost, "references whose content is missing")
	t.Row(w.Blobs, "blobs that nobody refers to")
	t.Row(int(w.Bytes), "bytes freed")
	t.Row(w.Tombstones, "old tombstones")
	t.Row(w.Quarantined, "quarantined blobs")
	t.Row(w.Abandoned, "half-done puts of dead processes")
	r.Table(t)
	return r
}

// Rescued is the outcome for the result of a tool, with the slices that were
// requested.
type Rescued struct {
	workbench.Rescued
	File   string // only the last part of its path is written
	Pasted bool   // there is no file
	Tool   string
	Limits rescue.Limits
	Slices []Slice
}

// Slice is a request with its answer.
type Slice struct {
	Typed  string // the request as it was typed
	Holds  string // what the answer holds, or the code of the error
	Text   string // of the answer, or of the error
	Chars  int
	Tokens int
}

// Results returns the report of a result: the rule that decides, what the model
// sees instead of it, and the requests, the last of them with its answer.
func (c Case) Results(x Rescued) *Report {
	r := new(Report)
	name := Or(Name(filepath.Base(x.File)), "a file without a name")
	if x.Pasted {
		name = TextOf("a result that was pasted")
	}
	r.Say("%s, of %s, %d bytes.", name, Or(Name(x.Tool), "no tool"), x.Meta.Bytes)
	r.Add(Rescue(x.Rescued, c.Snapshot.Tokenizer))
	l := x.Limits
	r.Say("Limits: %d characters pass; a handle has at most %d, with %d and %d lines, or %d and %d items; an answer has at most %d.",
		l.MaxResultChars, l.ExcerptMaxChars, l.HeadLines, l.TailLines, l.JSONHeadItems, l.JSONTailItems, l.FetchMaxChars)
	if n := len(x.Slices); n > 0 {
		r.Heading(3, "Slices")
		total := x.HandleTokens
		for _, s := range x.Slices {
			total += s.Tokens
		}
		t := Columns("request", "answer", "characters", "tokens")
		for _, s := range x.Slices {
			t.Row(Name(s.Typed), Name(s.Holds), s.Chars, s.Tokens)
		}
		r.Table(t)
		r.Say("With the handle %d tokens, against %d for all of it.", total, x.OriginalTokens)
		r.Say("The last answer:")
		r.Fence("text", x.Slices[n-1].Text)
	}
	var again *command
	if x.Tool != "" {
		file := filepath.Base(x.File)
		if x.Pasted {
			file = "-"
		}
		again = c.Command("rescue put", file)
		again.add("--tool", x.Tool)
	}
	return c.Issue("caliper rescue", r, again)
}
