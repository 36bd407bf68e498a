package strategies

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// The actions of the screen alone.
const (
	Message  ui.Action = "type the message"
	AddTurn  ui.Action = "add the message as a turn"
	DropTurn ui.Action = "delete the last turn"
	Core     ui.Action = "choose the always-sent tools"
)

// notLoaded tells why nothing can be done yet.
func (s *Screen) notLoaded() string {
	if s.state == nil {
		return "nothing is loaded yet"
	}
	return ""
}

// nothingToTurn tells why turn would do nothing.
func (s *Screen) nothingToTurn() string {
	switch {
	case s.state == nil:
		return s.notLoaded()
	case s.turns() != "":
		return ""
	case s.onCoreKnob():
		return "enter chooses the always-sent tools"
	}
	if s.W == 0 { // it was never drawn: nobody knows which areas it will have
		return "it turns the values of the knobs"
	}
	if s.view() != viewTuning && !s.Wide() {
		return "v goes to the knobs"
	}
	return "tab goes to the knobs"
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewComparison:   {"strategy", "expected", "recall@5", "selection", "eager", "lazy", "tool search", "keyword", "semantic", "hybrid", "K", "cache stable", "extra round trips", "via search", "sent", "below cutoff"},
	viewTuning:       {"knob", "K", "always-sent tools", "embedder", "fuzzy", "RRF k", "picks", "WHAT IF"},
	viewBytes:        {"sent", "prompt cache", "always-sent tools", "bridge", "token"},
	viewLabelled:     {"labelled query", "recall@5", "wording", "complete@5", "via search", "extra round trips", "expected tool"},
	viewPareto:       {"trade-off", "knee", "recall@5", "wording", "K", "token"},
	viewConversation: {"turn 1", "picks", "prompt cache", "cache stable", "mentioned"},
}

// Words returns the setting or strategy under the cursor, and the labels of the view.
func (s *Screen) Words() (here, pane []string) {
	switch {
	case s.state == nil:
	case s.Focused() == ui.AreaKnobs:
		k := selectionKnobs[s.Knob]
		return []string{k.Key, k.Label}, glossed[viewTuning]
	case s.view() == viewComparison && s.Focused() == ui.AreaList:
		here = []string{s.strategyName(s.chosen())}
	}
	return here, glossed[s.view()]
}

// selectionKnobs are the knobs of the screen.
var selectionKnobs = desk.KnobsOf(desk.StrategiesKnobs)

// keyTopK is the setting of how many tools are selected.
const keyTopK = "tools.rag_top_k"

// drawKnobs draws the knobs in exactly h lines, and the state of the embedder.
func (s *Screen) drawKnobs(t *ui.Theme, w, h int) []string {
	var embedderText [][]ui.Phrase
	st, absent := s.indexing.Status, s.absent()
	switch {
	case s.isSilent():
		embedderText = [][]ui.Phrase{{{Style: t.Warn, Text: s.silence()}}, {{Style: t.Faint, Text: "keywords decide"}}, {{Style: t.Faint, Text: "esc gives it up"}}}
	case s.waking:
		embedderText = [][]ui.Phrase{{{Style: t.Warn, Text: s.wakingText()}}, {{Style: t.Faint, Text: "keywords decide"}}}
	case st.Running:
		text := [][]ui.Phrase{{{Style: t.Warn, Text: screen.Progress(st, "indexing", false)}}}
		if st.Total > 0 {
			text = append(text, []ui.Phrase{{Style: t.Faint, Text: "esc cancels"}})
		}
		embedderText = text
	case absent != nil:
		embedderText = [][]ui.Phrase{{{Style: t.Bad, Text: safetext.Line(absent.Error())}}, {{Style: t.Faint, Text: "keywords go on"}}, {{Style: t.Faint, Text: "R tries again"}}}
	case s.similarity != nil:
		text := [][]ui.Phrase{{{Style: t.Faint, Text: report.StrategyName(selection.Semantic, s.state.Config.PreSelection.EmbedModel) + " index of"}, {Style: t.Text, Text: ui.Count(len(s.indexing.Of.tools), "tool")}}}
		for _, note := range workbench.SimilarityNotes(s.similarity) {
			text = append(text, []ui.Phrase{{Style: t.Warn, Text: note}})
		}
		embedderText = text
	}
	return s.host.Knobs.DrawPanel(t, &s.Sheet, selectionKnobs, embedderText, s.Focused() == ui.AreaKnobs, w, h)
}

// coreNames returns the names of the tools that every message is sent with, as they are tried.
func (s *Screen) coreNames() []string {
	names, _ := s.host.Knobs.Value(desk.KnobOf(config.KeyRAGCore)).([]string)
	return names
}

// pickCore opens the list of the session's tools, those of the core first and marked.
func (s *Screen) pickCore() tea.Cmd {
	s.leaveMessage()
	var list *ui.Chooser
	// The tools of the core in their order, also those that the session cannot be sent, and then all others by name.
	snapshot := s.state.Snapshot
	names := s.coreNames()
	byName := map[string]bool{}
	var all []ui.Choice
	for _, name := range names {
		found := snapshot.Registry.Lookup(name)
		note, shown := "no such tool", safetext.Line(name)
		for _, t := range found {
			byName[t.Qualified] = true
			if note = "not granted"; granted(snapshot, t) {
				note = ui.Thousands(snapshot.ToolTokens(t)) + " tok"
				break
			}
		}
		all = append(all, ui.Choice{ID: name, Label: shown, Note: note, Current: true})
	}
	for _, t := range snapshot.ByName() {
		if byName[t.Qualified] || !granted(snapshot, t) {
			continue
		}
		id := t.Name
		if len(snapshot.Registry.Lookup(id)) > 1 {
			id = t.Qualified
		}
		all = append(all, ui.Choice{ID: id, Label: t.ShownName, Note: ui.Thousands(snapshot.ToolTokens(t)) + " tok"})
	}
	list = s.host.Choose("always-sent tools: enter adds or removes", all, true, func(name string) tea.Cmd {
		core := slices.Clone(s.coreNames())
		at := slices.Index(core, name)
		if at >= 0 {
			core = slices.Delete(core, at, at+1)
		} else {
			core = append(core, name)
		}
		list.Mark(name, at < 0)
		s.host.Knobs.Put(desk.KnobOf(config.KeyRAGCore), core)
		return s.host.Load(true)
	})
	list.Narrow() // the first is selected, and not one of the core
	return nil
}
