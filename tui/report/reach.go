package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/reach"
	"caliper/model/safetext"
)

// Reach returns the report of how far a tool comes in an agent. Old and mended are the file
// before and after the change that mends it; without a change they are equal, or nil.
func Reach(c reach.Chain, old, mended []byte) *Report {
	r := new(Report)
	r.Head(Name(c.Asked), "in session %s, as %s %s", Name(c.Session), c.Host.Name, c.Host.Version)
	r.Blank()
	t := Columns("", "", "¶")
	for _, s := range c.Steps {
		t.Row(reachVerdicts[s.Verdict], string(s.Name), ReachStep(s))
		t.rows[len(t.rows)-1].faint = s.Verdict == reach.Skip
		t.About(News{Level: reachLevels[s.Verdict], ID: string(s.Name)})
	}
	r.Table(t)
	r.Blank()
	r.verdict(c)
	if lines := config.Diff(old, mended); lines != nil {
		r.Blank()
		r.Add(Unified(strings.TrimSuffix(config.Unified(c.Remedy.File, c.Remedy.File, lines), "\n")))
	}
	return r
}

// verdict adds where a chain breaks, and what mends it.
func (r *Report) verdict(c reach.Chain) {
	r.Line(Strong("%s", ReachVerdict(c)))
	if s, broken := c.Broken(); broken {
		r.Indented(2, "%s.", ReachStep(s))
	}
	switch m := c.Remedy; {
	case m == nil:
	case m.Without != "":
		r.Indented(2, "It is reached without %s in %s.", Name(m.Without), Name(m.Key))
	default:
		value := fmt.Sprint(m.Value)
		if list, ok := m.Value.([]string); ok {
			value = "[" + strings.Join(list, ", ") + "]"
		}
		r.Indented(2, "It is reached with %s: %s.", Name(m.Key), Name(value))
	}
}

// Breaks returns the report of where the chain of a tool breaks that a command did not find, show
// or call, as Reach has it, and what mends it. It is empty where the command itself says so: for a
// name that nothing has, and what a search finds.
func Breaks(c reach.Chain) *Report {
	r := new(Report)
	s, broken := c.Broken()
	if !broken || s.Code == reach.NoTool || s.Name == reach.Searchable || s.Name == reach.Found {
		return r
	}
	r.Blank()
	r.verdict(c)
	return r
}

// Exposure returns the report of how a model gets a tool, as Reach has it.
func Exposure(c reach.Chain) *Report {
	r := new(Report)
	for _, s := range c.Steps {
		if s.Name == reach.Exposed && s.Verdict == reach.Pass {
			r.Blank()
			r.Say("%s.", ReachStep(s))
		}
	}
	return r
}

// ReachVerdict returns the outcome of a chain in a few words.
func ReachVerdict(c reach.Chain) string {
	if s, broken := c.Broken(); broken {
		return "broken at " + string(s.Name)
	}
	return "nothing that is known breaks it"
}

// reachVerdicts are the verdicts in a table; a failure stands out without colour.
var reachVerdicts = map[reach.Verdict]string{reach.Pass: "pass", reach.Fail: "FAIL", reach.Unknown: "?", reach.Skip: "skip"}

// reachLevels are how good the news of the verdicts are.
var reachLevels = map[reach.Verdict]Level{reach.Pass: Good, reach.Fail: Bad, reach.Unknown: Warn, reach.Skip: Info}

// ReachStep returns the finding of a step in words, and between brackets the setting that
// decides it, with its file.
func ReachStep(s reach.Step) Text {
	out := ReachDetail(s)
	switch {
	case s.Key == "":
		return out
	case s.File == "":
		return append(out, Textf(" (%s)", Name(s.Key))...)
	case s.Line > 0:
		return append(out, Textf(" (%s of %s:%d)", Name(s.Key), Name(s.File), s.Line)...)
	}
	return append(out, Textf(" (%s of %s)", Name(s.Key), Name(s.File))...)
}

// SearchBy returns what decides whether an agent searches, in words that follow "search is on" or
// "search is off". A file is the last part of its name alone.
func SearchBy(h *hosts.Host, p reach.Posture) string {
	by := "by default"
	if p.By.Key != "" {
		by = "by " + safetext.Line(p.By.Key) + " of " + safetext.Line(filepath.Base(p.By.File))
	}
	switch p.Search {
	case reach.SearchUnknown:
		return "on " + h.On
	case reach.SearchBySize:
		return "where definitions are large, " + by
	case reach.SearchInCode:
		return "in programs, " + by
	}
	return by
}

// ReachDetail returns the finding of a step in words.
func ReachDetail(s reach.Step) (out Text) {
	name := func(i int) Text {
		if i < len(s.Names) {
			return Name(s.Names[i])
		}
		return nil
	}
	form := reachForms[s.Code]
	if long := reachForms[s.Code+"+"]; s.Text != "" || len(s.Names) > 0 && strings.Contains(long, "{names}") {
		form = cmp.Or(long, form)
	}
	for {
		before, rest, more := strings.Cut(form, "{")
		out = append(out, TextOf(before)...)
		if !more {
			return out
		}
		place, behind, _ := strings.Cut(rest, "}")
		form = behind
		switch place {
		case "0", "1":
			out = append(out, name(int(place[0]-'0'))...)
		case "names":
			out = append(out, NamesCounted(s.Names)...)
		case "text":
			out = append(out, Name(s.Text)...)
		case "rank":
			out = append(out, TextOf(s.Rank)...)
		case "limit":
			out = append(out, TextOf(s.Limit)...)
		}
	}
}

// reachForms are the findings in words, where {0} and {1} are the names of a step, {names} all of
// them, and {text}, {rank} and {limit} its other facts. One with a plus sign is for a step that
// has a text, or several names.
var reachForms = map[reach.Code]string{
	reach.NotReached: "not reached",
	reach.InFull:     "sent in full: nothing is searched",

	reach.HasEntry:          "server {0} is on",
	reach.DumpOnly:          "server {0} is in the dump; no configuration was read",
	reach.OwnTool:           "the agent's own, of no server",
	reach.NoServer:          "the registry names no server of it, which this agent would have it from",
	reach.NoTool:            "neither the dump nor a configured server has the name",
	reach.NoTool + "+":      "neither the dump nor a configured server has the name; similar: {names}",
	reach.NoEntry:           "no configuration that was read has server {0}",
	reach.SwitchedOff:       "server {0} is off",
	reach.SwitchedOff + "+": "server {0} is off: {text}",
	reach.BadEntry:          "the entry of server {0} starts nothing: {text}",

	reach.InDump:      "its server lists it",
	reach.NotListed:   "its server lists others: {names}",
	reach.NotAsked:    "not known: the dump has no such tool of server {0}, which was not asked",
	reach.NotStarted:  "server {0} gave no list: {text}",
	reach.Unavailable: "the agent's own check of it failed when the dump was made",
	reach.ListRefused: "the client refuses all tools of server {0} for the schema of {1}",

	reach.NoFilter:    "no filter leaves it out",
	reach.FilteredOut: "a filter of the client leaves it out",
	reach.NotRead:     "not known: these settings may leave it out: {names}",
	reach.NoFile:      "no configuration was read that may have filters",

	reach.OwnName:    "the model sees {text}",
	reach.CutName:    "the model sees {text}, cut, which no other tool has",
	reach.SharedName: "{text} is the name of {names} too: a call can mean one of them only",
	reach.LongName:   "its name has {rank} characters, and {text} takes {limit}",
	reach.LeftOut:    "the client leaves it out, and says nothing, for {names}",
	reach.BadName:    "its name has a character that {text} refuses",

	reach.IsGranted:        "granted",
	reach.NotEnabled:       "the session is not granted it",
	reach.NotEnabled + "+": "the session is not granted toolset {names}",
	reach.NoToolset:        "the session is granted {0}, which nothing has; its toolset is {1}",
	reach.NotListedFor:     "the lists of subagent {0} leave out {text}",
	reach.Disabled:         "toolset {0} is disabled",
	reach.Replaced:         "a tool of the bridge has its name and replaces it",

	reach.SentInFull:   "sent in full",
	reach.SearchLeads:  "deferred, and the model has a search",
	reach.NoSearch:     "deferred, and the model has no search",
	reach.NotSelected:  "{text} does not select it for this message, and nothing leads to it",
	reach.OnModel:      "not known: whether there is a search depends on the model",
	reach.OnSize:       "not known: {text} defers where the definitions are large",
	reach.InCode:       "no search: programs of the model read the list of all tools, and call them",
	reach.InCode + "+": "model {text} has no search: its programs read the list of all tools, and call them",
	reach.OnCode:       "not known: the program that uses the library decides whether there is a search",
	reach.TooMany:      "{rank} tools are sent, and {text} takes {limit}",
	reach.Refused:      "{text} refuses the request: {0}",

	reach.RankedIn:   `rank {rank} of at most {limit}, by "{text}"`,
	reach.BelowLimit: `rank {rank}, below the limit of {limit}, by "{text}"`,
	reach.ByChance:   `by chance: tools of one score cross the limit of {limit}, by "{text}"`,
	reach.Untold:     `not known: {0}, by "{text}"`,
	reach.NoWords:    `the search reads none of the words in it, by "{text}"`,
	reach.OtherNamed: `the query is another tool's name, by "{text}"`,
	reach.NoText:     "no description to be found by",

	reach.Arguments:    "the model reads its parameters: {names}",
	reach.NoArguments:  "no parameters",
	reach.NotDescribed: "{text} refuses to describe it",
	reach.NoSchema:     "its schema is not an object: the model cannot read its parameters",

	reach.PassesGates: "every gate lets it through",
	reach.Approval:    "gate {text} asks a person first",
	reach.RuleDenies:  "a rule of gate {text} denies it",
	reach.GateRefuses: "gate {text} refuses it: {0}",
	reach.TaskOnly:    "its server runs it only as a task, and refuses a plain call",
	reach.NoRules:     "not known: no rules of the agent for calls were read",
}
