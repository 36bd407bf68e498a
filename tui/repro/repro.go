// Package repro writes what a screen or a command shows as Markdown that can
// be pasted into an issue: what made it, the settings that matter, the query or
// the call, and what came of it, so that somebody else can do the same again.
//
// Goals:
//   - plain values in, text out: the commands and the explorer share it
//   - the same bytes for the same values; no time but that of the events it is
//     given, no path of the machine but the names of files
//   - text of a registry, a config or a query stays text: it cannot end the
//     fence or the cell that it stands in, mention anybody, link anywhere, or
//     act on the terminal that it is printed on
//   - a length that issue trackers take
//
// Non-goals: reading anything, copying to a clipboard, other markups. The
// dialect is GitHub Flavored Markdown 0.29 (https://github.github.com/gfm).
package repro

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/retrieval"
)

// Case is what a repro is about besides its query or call.
type Case struct {
	Program  string // what made it, as Program returns it
	Snapshot *engine.Snapshot
	Settings []config.Setting // the effective ones, without what is tried; those that are not the defaults are written
	Tried    []Tried          // what the snapshot has on top of the settings; with any, all figures are a what-if
	Edited   []Edited         // descriptions that it has in place of the registry's; likewise

	// Removed, unless it is nil, is set by each function that writes a repro:
	// to whether characters of its texts were replaced because they act on a
	// terminal or hide.
	Removed *bool
}

// end returns a document as text, and reports what was replaced in it.
func (c Case) end(d *document) string {
	if c.Removed != nil {
		*c.Removed = d.removed()
	}
	return d.String()
}

// Called is one dry run.
type Called struct {
	Arguments json.RawMessage // as the model sent them; nil when it sent none
	Direct    bool            // without the bridge
	Trace     engine.Trace
}

// Program returns what a repro says of this program: its version as the build
// recorded it, that of Go, and the platform.
func Program() string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("caliper %s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// The most that is written, so that a repro fits into the 65,536 characters of
// a GitHub issue.
const (
	maxRows  = 30   // rows of a table
	maxBlock = 6000 // characters of a fenced text
	maxCode  = 120  // characters of a name, a value or a sentence
	maxSum   = 12   // words of a query whose scores are written as sums
	maxWord  = 24   // characters of one of them
)

// Search returns the repro of a query: its hits with their scores and, unless
// why is nil, why one tool is not among them.
func Search(c Case, found engine.Results, why *engine.WhyNot) string {
	var d document
	d.heading(2, "caliper search")
	c.surroundings(&d)
	d.heading(3, "Query")
	d.fence("text", found.Query)
	c.hits(&d, found)
	command := c.command("search", found.Query)
	command.add("--limit", strconv.Itoa(found.Limit))
	for _, s := range c.Settings {
		if s.Key == keyRanker && s.Origin == config.OriginFlag {
			command.add("--ranker", word(s.Value))
		}
	}
	if why != nil {
		whyNot(&d, *why)
		command.add("--why-not", why.Name)
	}
	c.again(&d, command)
	return c.end(&d)
}

// Call returns the repro of a dry run: every gate with its verdict, and what
// the model would be told.
func Call(c Case, call Called) string {
	var d document
	d.heading(2, "caliper call")
	c.surroundings(&d)
	d.heading(3, "Call")
	t := call.Trace
	how := "through the bridge"
	if call.Direct {
		how = "directly"
	}
	d.line("The model calls " + or(code(t.Name), "a tool without a name") + " " + how + ".")
	if call.Arguments == nil {
		d.line("It sends no arguments.")
	} else {
		d.fence("json", indented(call.Arguments))
	}
	d.heading(3, "Trace")
	if t.Authorized {
		d.line("Authorized.")
	} else {
		d.line(fmt.Sprintf("Refused at gate %s: %s.", code(string(t.Gate)), code(t.Code)))
	}
	gates := tableOf("gate", "verdict", "detail")
	for _, s := range t.Steps {
		gates.add(code(s.Gate), string(s.Verdict), code(s.Detail))
	}
	d.table(gates)
	if t.Partial {
		d.line("A gate could check only a part, as it says.")
	}
	if len(t.Coerced) > 0 || len(t.Warnings) > 0 {
		d.heading(3, "The tool would receive")
		d.fence("json", indented(t.Arguments))
		changes := tableOf("argument", "given", "coerced")
		for _, one := range t.Coerced {
			changes.add(code(one.Path), code(string(one.Given)), code(string(one.Coerced)))
		}
		if len(t.Coerced) > 0 {
			d.table(changes)
		}
	}
	d.heading(3, "The model sees")
	d.fence("json", indented(t.ModelSees))
	command := c.command("call", t.Name, oneLine(call.Arguments))
	if call.Direct {
		command.add("--direct")
	}
	c.again(&d, command)
	return c.end(&d)
}

// oneLine returns JSON of several lines without the space between its parts,
// and any other text as it is.
func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if !bytes.ContainsAny(raw, "\r\n") || json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// hits writes the hits as a table. The words that a score is the sum of are
// written too, unless they are too many for a cell.
func (c Case) hits(d *document, found engine.Results) {
	s := c.Snapshot
	d.heading(3, "Hits")
	d.line(fmt.Sprintf("%d scored in a catalog of %d, ranked by %s, limit %d.",
		found.Scored, found.Total, code(s.Config.ToolSearch.Ranker), found.Limit))
	if found.Fallback {
		d.line("No word of the query stands in any tool: these are the tools whose name contains it.")
	}
	if len(found.Hits) == 0 {
		return
	}
	summed := !found.Fallback && len(retrieval.Tokens(found.Query)) <= maxSum
	out := tableOf("rank", "score", "tool", "toolset", "within the limit")
	if summed {
		out.titles = append(out.titles, "sum of")
	}
	for _, h := range found.Hits[:min(len(found.Hits), maxRows)] {
		score := number(h.Score)
		if h.Tied {
			score += " (tied)"
		}
		cells := []string{strconv.Itoa(h.Rank), score, code(h.Tool.Qualified), code(h.Tool.Toolset), yes(h.Within)}
		if summed {
			cells = append(cells, c.sum(found.Query, h))
		}
		out.add(cells...)
	}
	d.table(out)
	d.more(len(found.Hits) - maxRows)
}

// sum returns what the score of a hit is the sum of.
func (c Case) sum(query string, h engine.Hit) string {
	e, _ := c.Snapshot.Explain(query, h.Tool)
	return summands(e)
}

// whyNot writes why a tool is not found, and what would change that.
func whyNot(d *document, w engine.WhyNot) {
	d.heading(3, "Why not "+or(code(w.Name), "a tool without a name"))
	d.fence("text", w.String())
	figures := tableOf("stage", "rank", "score", "cut line", "gap")
	rank := ""
	if w.Rank != nil {
		rank = strconv.Itoa(*w.Rank)
	}
	figures.add(code(string(w.Stage)), rank, optional(w.Score), optional(w.CutScore), optional(w.Gap))
	d.table(figures)
	if advice := w.Advice(); advice != "" {
		d.line(advice)
	}
	if len(w.Remedies) > 0 {
		changes := tableOf("new rank", "change")
		for _, r := range w.Remedies {
			changes.add(strconv.Itoa(r.NewRank), code(r.String()))
		}
		d.table(changes)
	}
	if len(w.Suggestions) > 0 {
		names := tableOf("did you mean")
		for _, name := range w.Suggestions {
			names.add(code(name))
		}
		d.table(names)
	}
}

// indented returns JSON over several lines, or what is not JSON as it is.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// number returns a score.
func number(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

// optional returns a score that there may be none of.
func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return number(*v)
}

// yes returns the word for a flag.
func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// or returns text, or another one where it is empty.
func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
