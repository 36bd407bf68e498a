package explore

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/whatif"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/ui"
)

// Take is the action that takes a change which the why pane proposes.
const Take ui.Action = "take the change"

// proposed returns the changes that the answer about the pinned tool proposes for the
// query, in the order in which the pane has them.
func (s *Screen) proposed() []whatif.Remedy {
	if r := s.pin.result; r != nil && s.pin.name != "" {
		return slices.Concat(r.Remedies, r.First)
	}
	return nil
}

// nothingProposed tells why no change can be taken, and which key goes on; empty when one can.
func (s *Screen) nothingProposed() string {
	switch {
	case s.state == nil:
		return s.noState()
	case s.pin.name == "":
		return "nothing is proposed yet: w asks which tool you expect, t edits the description of the selected one"
	case s.pin.result == nil:
		return "still looking for what would bring " + s.pin.shown + " in"
	case len(s.proposed()) > 0, s.grants():
		return ""
	case s.pin.result.Stage == whatif.StageFound:
		return s.pin.shown + " is found first: nothing to change"
	case s.pin.result.Stage == whatif.StageCore:
		return s.pin.shown + " is sent in full on every turn: nothing to change"
	}
	return "no small change brings " + s.pin.shown + " in: t edits its description"
}

// take takes the change that is proposed for the pinned tool; of several the user chooses one.
func (s *Screen) take() tea.Cmd {
	list := s.proposed()
	switch {
	case s.grants() && len(list) == 0:
		return s.grant()
	case len(list) == 1 && !s.grants():
		return s.apply(list[0])
	}
	choices := make([]ui.Choice, len(list))
	for i, r := range list {
		choices[i] = ui.Choice{ID: strconv.Itoa(i), Label: r.String(), Note: "rank " + ui.Thousands(r.NewRank)}
	}
	if s.grants() {
		choices = append(choices, ui.Choice{ID: chooseGrant, Label: grantText, Note: "O"})
	}
	s.host.Choose("which change for "+s.pin.shown+"?", choices, false, func(id string) tea.Cmd {
		if id == chooseGrant {
			return s.grant()
		}
		i, err := strconv.Atoi(id)
		if err != nil || s.nothingProposed() != "" {
			return nil
		}
		return s.apply(list[i])
	})
	return nil
}

// chooseGrant is the row of the chooser that grants the session the pinned tool.
const chooseGrant, grantText = "\x00grant", "grant the session its toolset"

// grants reports whether the pinned tool is not granted, and a list can grant it.
func (s *Screen) grants() bool {
	r := s.pin.result
	return r != nil && s.pin.name != "" && r.Stage == whatif.StageOutOfScope && s.noGrant() == ""
}

// apply makes a change: words of a description become a draft, which shows whom they
// hurt and is kept by enter; the limit and the ranker become trials; the others are another query or
// session, which need no trial.
func (s *Screen) apply(r whatif.Remedy) tea.Cmd {
	switch r.Kind {
	case whatif.RemedyDescriptionWords:
		t := s.pinned()
		if t == nil {
			return s.host.Notify(ui.LevelWarn, "the registry has no "+s.pin.shown+" any more")
		}
		return s.Draft(t, whatif.Mention(t.Description, r.Change))
	case whatif.RemedyLimit:
		limit, err := strconv.Atoi(r.Change)
		if err != nil || !s.host.Knobs.Put(desk.KnobOf(config.KeyLimit), limit) {
			return nil
		}
		s.hits.wanted = s.pin.name
		return tea.Batch(s.host.Load(true), s.host.Notify(ui.LevelInfo, "limit "+r.Change+", only tried; u undoes, S saves"))
	case whatif.RemedyRanker:
		if !s.host.Knobs.Put(desk.KnobOf(config.KeyRanker), r.Change) {
			return nil
		}
		s.hits.wanted = s.pin.name
		return tea.Batch(s.host.Load(true), s.host.Notify(ui.LevelInfo, "ranker "+safetext.Line(r.Change)+", only tried; u undoes, S saves"))
	case whatif.RemedySession:
		s.host.Input.Flags.Session = r.Change
		s.hits.wanted = s.pin.name
		return tea.Batch(s.host.Load(true), s.host.Notify(ui.LevelInfo, "session is now "+safetext.Line(r.Change)+"; s changes it back"))
	case whatif.RemedyQueryWord:
		return s.askInstead(s.query.Value() + " " + r.Change)
	}
	return s.askInstead(r.Change)
}

// askInstead searches for another query, where the pinned tool is expected too.
func (s *Screen) askInstead(query string) tea.Cmd {
	was := s.query.Value()
	s.Remember(was)
	s.query.Set(query)
	s.pin.query = ui.OneLine(query)
	s.queryChanged()
	if s.hits.selectName(s.pin.name) {
		s.reselect()
	}
	return s.host.Notify(ui.LevelInfo, "searching for "+strconv.Quote(safetext.Line(query))+"; ctrl-r has the query before")
}
