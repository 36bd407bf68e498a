// Package desk is the things that the screens of the explorer share beside the app: what they
// turn, load and copy, and what several of them say of a state. Package screen has
// their contract, which knows none of it.
//
// # Copying
//
// A Clipper copies text to the clipboard: the terminal's by OSC 52,
// and the desktop's. When neither works, it writes the text to a file. A
// picture is always written to a file, and copied when a clipboard takes it.
//
// Invariants:
//   - only text that SafeToCopy returned reaches a clipboard or the file;
//   - CopiedMsg reports when SafeToCopy removed characters.
//
// # Knobs
//
// Knobs are settings that are tried on a screen without being written: a table of
// them with the size of their steps, and a KnobSet that has their values, turns
// them, undoes and draws them.
//
// Goals: a knob has the range, the choices, the unit and the label that config
// has for its setting, so that a new knob is one row of the table:
//
//	setting(ResultsKnobs, "toolaria.grep_timeout_ms"),
//
// It is then drawn, clicked, turned, undone, written and named in reports like
// the others of its group. Non-goals: keys, loading, and writing files, which
// belong to the screens.
//
// A step goes to the next whole multiple of its size, so that 7.3 goes up to 8
// and down to 7. The size grows with the value, and where it changes is a step
// of its own. With the sizes "1 up to 32, 8 up to 128, then 50", 130 goes down
// to 128, 128 to 120, and 128 goes up to 150.
//
// Invariants:
//   - a step up never makes a value smaller, and a step down never greater
//   - a step leads to a value in the range of the setting, from every value that
//     a file can hold
//   - only a value at the end of the range stays where it is
//   - a KnobSet tries only values that differ from the files'
package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/reach"
	"caliper/engine/retrieval/learned"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Desk is the tools that a screen works with.
type Desk struct {
	Demo bool // the files are the demo's
	screen.Host
	Clip   *Clipper
	Knobs  *KnobSet // the settings and descriptions that are tried
	Bench  *workbench.Workbench
	Input  *workbench.Input // of the next load
	Header *Header
	Texts  *terminal.EditedTexts // that are edited in the editor
}

// Loaded is the message about a new state, with the state before it.
type Loaded struct {
	Before *workbench.State // nil for the first load
	After  *workbench.State
	Reload *workbench.Reload // what the files changed; nil when no file was read again
}

// Record asks for an event in Activity.
type Record struct {
	Title   report.Line
	Details []report.Line
}

// Forget asks whether to delete a labelled query from the file that the ranker learned
// learns from.
type Forget learned.Lesson

// Back goes one level back, as esc does.
func (d Desk) Back() tea.Cmd { return d.Do(ui.Back) }

// EveryRanker tells that the ranks of all rankers are seen from now on.
const EveryRanker = "every ranker has a column of ranks now"

// ActiveRankerAlone has the active ranker alone rank from the next load on.
func (d Desk) ActiveRankerAlone() tea.Cmd {
	d.Input.Rivals = nil
	return tea.Batch(d.Load(true), d.Notify(ui.LevelInfo, "ranks of the active ranker alone"))
}

// CompareRankers has every ranker rank from the next load on, and says where their ranks are
// seen; where every ranker ranks already, other agents in their place, and then the active
// one alone.
func (d Desk) CompareRankers(where string) tea.Cmd {
	switch {
	case len(d.Input.Rivals) == 0:
		d.Input.Rivals = config.Rankers
	case slices.Equal(d.Input.Rivals, config.Rankers):
		d.Input.Rivals, where = hosts.Foreign(), "ranks of other agents: "+strings.Join(hosts.Foreign(), ", ")
	default:
		return d.ActiveRankerAlone()
	}
	return tea.Batch(d.Load(true), d.Notify(ui.LevelInfo, where))
}

// Granting returns the message that asks to grant a session a tool in the configuration. Why tells
// the reason where that cannot be done.
func Granting(s *engine.Snapshot, session string, t *model.Tool) (ask screen.Write, why string) {
	i := slices.IndexFunc(s.Config.Sessions, func(o config.Session) bool { return o.Name == session })
	if i < 0 || t == nil {
		return ask, "no tool is selected"
	}
	of := s.Config.Sessions[i]
	name := safetext.Line(session)
	if s.Grant(of)[t.Index] {
		return ask, name + " is granted " + t.ShownName + " already"
	}
	r, ok := reach.Grant(s, of, t, "")
	if !ok {
		return ask, "no list of " + name + " alone grants " + t.ShownName
	}
	return screen.Write{Key: r.Key, Value: r.Value}, ""
}

// stages are the texts for the stage of the search that stopped a tool.
var stages = map[whatif.Stage]string{
	whatif.StageUnknown:    "not in the registry",
	whatif.StageCore:       "sent directly, so search never returns it",
	whatif.StageOutOfScope: "out of this session's scope",
	whatif.StageBelowLimit: "below the limit",
	whatif.StageFound:      "found",
}

// WhyNot returns phrases that say which stage stopped a tool, its rank and its
// distance to the cut line.
func WhyNot(t *ui.Theme, r *whatif.Answer) []ui.Phrase {
	style := t.Bad
	if r.Stage == whatif.StageFound || r.Stage == whatif.StageCore {
		style = t.Ok
	}
	stage := stages[r.Stage]
	if r.Stage == whatif.StageNoMatch {
		stage = cmp.Or(r.Gate(), r.Lacks())
	}
	all := []ui.Phrase{{Style: style, Text: stage}}
	switch {
	case r.Rank == nil:
	case r.Stage == whatif.StageOutOfScope:
		return append(all, ui.Phrase{Style: t.Faint, Text: "granted, it would rank " + ui.Thousands(*r.Rank)})
	default:
		all = append(all, ui.Phrase{Style: t.Text, Text: "rank " + ui.Thousands(*r.Rank)})
	}
	if r.Score != nil {
		all = append(all, ui.Phrase{Style: t.Number, Text: strconv.FormatFloat(*r.Score, 'f', 3, 64)})
	}
	if r.Gap != nil && *r.Gap > 0 {
		all = append(all, ui.Phrase{Style: t.Faint, Text: strconv.FormatFloat(*r.Gap, 'f', 3, 64) + " below the cut line"})
	}
	if len(r.Nearest) > 0 && !slices.ContainsFunc(r.Remedies, byMeaning) {
		all = append(all, ui.Phrase{Style: t.Near, Text: r.Nearest[0].String()})
	}
	if r.Direct {
		all = append(all, ui.Phrase{Style: t.Faint, Text: "search is OFF here: it is sent in full"})
	}
	return all
}

// byMeaning reports whether a remedy is a ranker that compares meanings.
func byMeaning(r whatif.Remedy) bool {
	return r.Kind == whatif.RemedyRanker && r.Change == config.RankerHybrid
}

// Remedy returns a remedy of an answer, the rank that it leads to, and which tool it hurts.
func Remedy(t *ui.Theme, w *whatif.Answer, r whatif.Remedy) []ui.Phrase {
	phrases := []ui.Phrase{{Style: t.Ok, Text: r.String()}, {Style: t.Faint, Text: "rank " + ui.Thousands(r.NewRank)}}
	if byMeaning(r) && len(w.Nearest) > 0 {
		phrases = append(phrases, ui.Phrase{Style: t.Near, Text: w.Nearest[0].String()})
	}
	if hurt := whatif.PushedOut(r.Displaced); hurt != "" {
		phrases = append(phrases, ui.Phrase{Style: t.Warn, Text: hurt})
	}
	return phrases
}
