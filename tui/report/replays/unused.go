package replays

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine/reach"
	"caliper/engine/replay"
	"caliper/model/words"
	"caliper/tui/report"
)

// Trimmed is how clients leave out tools that are never used.
type Trimmed struct {
	Diffs []TrimDiff
	Left  []reach.Untrimmed
}

// TrimDiff is a file of a client before and after.
type TrimDiff struct {
	Client, File string
	Old, New     []byte
}

// Unified returns the change in the format that other programs read.
func (d TrimDiff) Unified() string { return config.Unified(d.File, d.File, config.Diff(d.Old, d.New)) }

// EvidenceWords says how long something was there; "" where it was not observed.
func EvidenceWords(e replay.Evidence) string {
	if !e.Observed() {
		return ""
	}
	text := words.CountThousands(e.Requests, "request") + " of " + words.CountThousands(e.Sessions, "session")
	first, last := e.First.UTC().Format(time.DateOnly), e.Last.UTC().Format(time.DateOnly)
	switch n := e.Days(); {
	case n == 1:
		text += " on 1 day, " + first
	case n > 1:
		text += fmt.Sprintf(" within %s days, %s to %s", words.Thousands(n), first, last)
	}
	return text
}

// UnusedCost says what something cost with each request, and in all.
func UnusedCost(rep *replay.Report, e replay.Evidence) string {
	return words.Thousands(WholeTokens(e.ATurn())) + " tokens a turn, " + words.Thousands(e.Tokens) + " in all" + costs(rep, e.Cost, ", ")
}

// UnusedWords says which tools of a server were never called.
func UnusedWords(s replay.UnusedServer) string {
	unseen := s.Unseen()
	text := fmt.Sprintf("%d of %s never called", len(s.Unused)-unseen, words.Count(s.Tools, "tool"))
	if s.Idle() {
		text = fmt.Sprintf("none of %s was called", words.Count(s.Tools, "tool"))
	}
	if unseen > 0 {
		text += fmt.Sprintf(", %d not observed", unseen)
	}
	return text
}

// replayUnused adds the servers with tools that were never called.
func replayUnused(r *report.Report, p Replayed, most int) {
	if len(p.Unused.Servers) == 0 {
		return
	}
	r.Blank()
	silent := ""
	if n := p.Unused.Silent; n > 0 {
		silent = fmt.Sprintf(", %d of which do not log their tools", n)
	}
	r.Line(report.Strong("Never called"), report.Faint("  in %s%s; %s", words.CountThousands(p.Unused.Sessions, "session"), silent, pricesNote(p.Report)))
	t := report.Columns("toolset", "sent in", "calls", ">tokens a turn", ">in all", ">cost")
	var unseen []string
	n := 0
	for _, s := range p.Unused.Servers {
		if !s.Observed() {
			unseen = append(unseen, s.Name)
			continue
		}
		if n++; n <= most {
			t.Row(report.Name(s.Name), EvidenceWords(s.Evidence), UnusedWords(s), words.Thousands(WholeTokens(s.ATurn())), words.Thousands(s.Tokens), costs(p.Report, s.Cost, ""))
		}
	}
	if n > 0 {
		r.Table(t)
		r.More(n - most)
	}
	if len(unseen) > 0 {
		r.Say("Not observed, so neither used nor unused: %v; no log shows that they were there", report.NamesCounted(unseen))
	}
}

// ReplayUnused returns the report of what was never called, with its evidence, and of the
// change that leaves it out.
func ReplayUnused(p Replayed, t Trimmed) *report.Report {
	r := new(report.Report)
	n, all := p.Unused.Observed()
	r.Head(report.Textf("%v never called", report.Count(n, "tool")), "%s tokens of input in all; tokens by %v", words.Thousands(all.Tokens), report.Name(p.Tokenizer))
	replayUnused(r, p, len(p.Unused.Servers))
	for _, s := range p.Unused.Servers {
		seen := s.Unused[:len(s.Unused)-s.Unseen()]
		if len(seen) == 0 {
			continue
		}
		files := report.Names(s.Among, len(s.Among))
		if len(s.Among) > namedInVerdict+1 { // one more is named, too
			files = report.Textf("%v and %d more, which --json names", report.Names(s.Among, namedInVerdict), s.Files-namedInVerdict)
		}
		r.Blank()
		r.Line(report.Strong("%s", report.Name(s.Name)), report.Textf("  in %v: %v", report.Count(s.Files, "file"), files))
		report.Rows(r, report.Columns("tool", "sent in", ">tokens a turn", ">in all"), seen, len(seen), func(u replay.UnusedTool) []any {
			return []any{report.Name(u.Tool.Qualified), EvidenceWords(u.Evidence), words.Thousands(WholeTokens(u.ATurn())), words.Thousands(u.Tokens)}
		})
	}
	t.add(r, "This leaves them out", UntrimmedWords)
	return r
}

// add adds the changes of files, and why others do not change.
func (t Trimmed) add(r *report.Report, does string, why func(reach.Untrimmed) report.Text) {
	for _, d := range t.Diffs {
		r.Blank()
		r.Line(report.Strong("%s", does), report.Faint("  in %s; nothing is written", report.Name(d.Client)))
		r.Add(report.Unified(strings.TrimSuffix(d.Unified(), "\n")))
	}
	for _, u := range t.Left {
		r.Say("%v", why(u))
	}
}

// ReplayEager returns the report of what it pays to keep eager, and of the changes of clients' files that do.
func ReplayEager(p Replayed, t Trimmed) *report.Report {
	r := new(report.Report)
	r.Head(report.Textf("%v to keep eager", report.Count(p.Eager.Keep, "tool")), "%s", pricesNote(p.Report))
	replayEager(r, p)
	t.add(r, "This keeps them eager", UnkeptWords)
	return r
}

// UnkeptWords says why a client goes on deferring tools that it would pay to keep eager.
func UnkeptWords(u reach.Untrimmed) report.Text {
	why := "it has no setting that keeps them eager"
	if u.Dear {
		why = "it keeps whole servers eager alone, and the other tools of this one cost more than these save"
	}
	return report.Textf("%v goes on deferring %v of %v in %v: %s", report.Name(cmp.Or(u.Client, "this client")), report.Count(u.Tools, "tool"), report.Name(u.Server), report.Name(u.File), why)
}

// UntrimmedWords says why a client goes on sending tools.
func UntrimmedWords(u reach.Untrimmed) report.Text {
	client := u.Client
	if client == "" {
		client = "this client"
	}
	why := "has no setting that leaves them out"
	if u.ListOnly {
		why = "has its servers in a list, which a person has to change"
	}
	return report.Textf("%v of %v stay in %v: %v %s", report.Count(u.Tools, "tool"), report.Name(u.Server), report.Name(u.File), report.Name(client), why)
}
