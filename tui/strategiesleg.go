package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/workbench"
)

// selectorJob makes the selector of a state.
type selectorJob struct {
	gen    int
	of     *workbench.State // that it is made of, or being made; nil: nothing was begun
	cancel context.CancelFunc
	made   *selection.Selector // the newest, which may be of a state before; nil: none yet
	madeOf *workbench.State
	err    error // why there is none
}

// semanticLeg is the index that the semantic leg asks, and the job that makes
// it. It is kept from state to state while it is of the same tools.
type semanticLeg struct {
	gen        int
	source     legSource
	tools      []*model.Tool // by name
	made       bool          // it is ready, or why not is known
	similarity embed.Similarity
	absent     error // why there is none
	cancel     context.CancelFunc
	steps      [2]int
	silent     bool // an embedder behind an address has not answered within the time of a message
}

// legSource is what an index is made by.
type legSource struct{ model, url string }

func sourceOf(p config.PreSelection) legSource { return legSource{p.EmbedModel, p.EmbedURL} }

// Why there is no index, besides what is wrong with the model.
var (
	errIndexing       = errors.New("the index is being made")
	errIndexCancelled = errors.New("making the index was cancelled")
)

// selectorMsg is a selector, or why there is none.
type selectorMsg struct {
	gen      int
	selector *selection.Selector
	err      error
}

// legMsg is an index, or why there is none.
type legMsg struct {
	gen        int
	similarity embed.Similarity
	err        error
}

// legWaitMsg tells that the time is over that a message waits for an embedder.
type legWaitMsg struct{ gen int }

// legStepMsg tells how far an index is.
type legStepMsg struct {
	gen         int
	done, total int
	more        <-chan [2]int
}

// wanted reports whether anything needs what is made here: the screen, or a
// selection that asks the index.
func (s *strategiesScreen) wanted() bool {
	return s.shown() || s.usesLeg()
}

// shown reports whether the screen is looked at.
func (s *strategiesScreen) shown() bool { return s.app.mode.Screen == ScreenStrategies }

// follow begins what screen and gauge need and have not, and abandons what
// nobody looks at any more.
func (s *strategiesScreen) follow() tea.Cmd {
	s.finding = s.app.find != nil
	told := s.told
	s.told = nil
	if s.state == nil {
		return told
	}
	if !s.shown() {
		s.leaveMessage()
	}
	switch {
	case s.typed, s.visited && !s.shown():
		told = tea.Batch(told, s.settle())
	case s.outdated && s.preSelects() && s.state.Snapshot.Message() != "":
		told = tea.Batch(told, s.app.load())
	}
	s.visited, s.outdated = s.shown(), false
	if !s.shown() {
		for i := range s.jobs {
			s.jobs[i].abandon()
		}
	}
	if !s.wanted() {
		s.abandonSelector()
		s.leg.abandon()
		s.answer.abandon()
		s.tellGauge()
		return told
	}
	cmds := []tea.Cmd{told}
	if s.selector.of != s.state {
		cmds = append(cmds, s.makeSelector())
	}
	if s.selector.cancel == nil && s.selector.made != nil {
		cmds = append(cmds, s.makeLeg())
		if s.shown() {
			cmds = append(cmds, s.ask(), s.work())
		}
	}
	s.tellGauge()
	return tea.Batch(cmds...)
}

// abandonSelector stops a job that runs, so that it begins anew when it is
// wanted.
func (s *strategiesScreen) abandonSelector() {
	if j := &s.selector; j.cancel != nil {
		j.cancel()
		j.cancel, j.of, j.gen = nil, nil, 0
	}
}

func (p *semanticLeg) abandon() {
	if p.cancel != nil {
		p.cancel()
		p.cancel, p.gen, p.steps, p.silent = nil, 0, [2]int{}, false
	}
}

// settings returns the settings of a selection in the state.
func (s *strategiesScreen) settings() selection.Settings {
	set := selection.SettingsOf(s.state.Config.Config)
	set.Now = s.app.opt.Now
	return set
}

// makeSelector begins to make the selector of the state, with the index as it
// is now.
func (s *strategiesScreen) makeSelector() tea.Cmd {
	s.abandonSelector()
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	s.selector.gen, s.selector.of, s.selector.cancel, s.selector.err = s.gen, s.state, cancel, nil
	gen, snapshot, set := s.gen, s.state.Unasked, s.settings()
	leg := s.leg
	if leg.source != sourceOf(s.state.Config.PreSelection) {
		leg = semanticLeg{}
	}
	silence := errors.New(s.silence())
	return func() tea.Msg {
		switch {
		case !leg.made && leg.silent:
			leg.similarity, leg.absent = nil, silence
		case !leg.made:
			leg.similarity, leg.absent = nil, errIndexing
		}
		x, err := selection.New(ctx, snapshot, set, leg.similarity, leg.absent)
		if err == nil && leg.made && !slices.Equal(x.Candidates(), leg.tools) {
			x, err = selection.New(ctx, snapshot, set, nil, errIndexing)
		}
		return selectorMsg{gen, x, err}
	}
}

// selectorMade takes in the newest selector.
func (s *strategiesScreen) selectorMade(msg selectorMsg) {
	j := &s.selector
	if msg.gen != j.gen {
		return
	}
	j.cancel()
	j.cancel, j.err = nil, msg.err
	if msg.err == nil {
		j.made, j.madeOf = msg.selector, j.of
	}
	s.changes++
}

// usesLeg reports whether anything asks the index.
func (s *strategiesScreen) usesLeg() bool {
	return s.shown() || s.inForce() == selection.Semantic || s.inForce() == selection.Hybrid
}

// makeLeg begins to make the index of the selector's tools, unless it is made,
// or being made.
func (s *strategiesScreen) makeLeg() tea.Cmd {
	p, source, tools := &s.leg, sourceOf(s.state.Config.PreSelection), s.selector.made.Candidates()
	if !s.usesLeg() {
		return nil
	}
	if (p.made || p.cancel != nil) && p.source == source && sameTools(p.tools, tools) {
		p.tools = tools // which is found out faster the next time
		return nil
	}
	p.abandon()
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	*p = semanticLeg{gen: s.gen, source: source, tools: tools, cancel: cancel}
	s.changes++
	gen, settings, embedding, open := s.gen, s.state.Config.PreSelection, s.app.opt.Embedding, s.app.opt.OpenSimilarity
	if open == nil {
		open = workbench.OpenSimilarity
	}
	steps, progress := progressChannel()
	run := func() tea.Msg {
		defer close(steps)
		similarity, err := open(ctx, settings, tools, embedding, progress)
		return legMsg{gen, similarity, err}
	}
	if s.app.opt.Still {
		return tea.Batch(run, awaitLegStep(gen, steps))
	}
	wait := tea.Tick(selection.DefaultTimeout, func(time.Time) tea.Msg { return legWaitMsg{gen} })
	return tea.Batch(run, awaitLegStep(gen, steps), wait)
}

// legWaited names an embedder behind an address that has not answered by now:
// the index gives it much longer than a message would.
func (s *strategiesScreen) legWaited(msg legWaitMsg) {
	p := &s.leg
	if msg.gen != p.gen || p.cancel == nil || p.steps[0] > 0 || s.embedderAddress() == "" {
		return
	}
	p.silent = true
	s.remakeSelector()
}

// remakeSelector has the selector made anew, for what is known of the index
// now.
func (s *strategiesScreen) remakeSelector() {
	s.abandonSelector()
	s.selector.of = nil
	s.changes++
}

// embedderAddress returns where the embedder is asked, without what nobody may
// see of it; empty for one that is at hand.
func (s *strategiesScreen) embedderAddress() string {
	provider, _, _ := strings.Cut(s.state.Config.PreSelection.EmbedModel, ":")
	if provider != "ollama" && provider != "openai" {
		return ""
	}
	for _, x := range s.state.Config.Settings {
		if address, ok := x.Value.(string); ok && x.Key == keyEmbedURL {
			return model.Sanitize(address)
		}
	}
	return ""
}

// keyEmbedURL is the setting that names the embedder's address.
const keyEmbedURL = "tools.rag_embed_url"

// silence says of which embedder no answer came yet.
func (s *strategiesScreen) silence() string {
	return "the embedder at " + s.embedderAddress() + " has not answered yet"
}

// sameTools reports whether two lists hold the same tools.
func sameTools(a, b []*model.Tool) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// progressChannel returns a channel that holds the newest step of a job, and
// what puts it there.
func progressChannel() (steps chan [2]int, progress func(done, total int)) {
	steps = make(chan [2]int, 1)
	return steps, func(done, total int) {
		select {
		case <-steps:
		default:
		}
		steps <- [2]int{done, total}
	}
}

// awaitLegStep returns a command that waits for the next step.
func awaitLegStep(gen int, steps <-chan [2]int) tea.Cmd {
	return func() tea.Msg {
		step, ok := <-steps
		if !ok {
			return nil
		}
		return legStepMsg{gen, step[0], step[1], steps}
	}
}

// legStepped takes in how far the index is.
func (s *strategiesScreen) legStepped(msg legStepMsg) tea.Cmd {
	if msg.gen == s.leg.gen {
		s.leg.steps = [2]int{msg.done, msg.total}
		s.changes++
		if msg.done > 0 && s.leg.silent {
			s.leg.silent = false
			s.remakeSelector()
		}
	}
	return awaitLegStep(msg.gen, msg.more)
}

// legMade takes in the index, or why there is none, and has the selector made
// anew with it.
func (s *strategiesScreen) legMade(msg legMsg) {
	p := &s.leg
	if msg.gen != p.gen || p.cancel == nil {
		return
	}
	p.cancel()
	p.cancel, p.made, p.similarity, p.absent, p.silent = nil, true, msg.similarity, msg.err, false
	s.outdated = p.source.model != config.EmbedFuzzy
	if msg.err != nil {
		s.tell(levelBad, "embedder: "+model.Sanitize(msg.err.Error())+" · keywords go on")
	} else if notes := workbench.SimilarityNotes(msg.similarity); len(notes) > 0 {
		s.tell(levelWarn, strings.Join(notes, " · "))
	}
	s.remakeSelector()
}

// stopLeg cancels the making of the index; ok is false when none is made.
func (s *strategiesScreen) stopLeg() (ok bool) {
	p := &s.leg
	if p.cancel == nil {
		return false
	}
	p.abandon()
	p.made, p.absent = true, errIndexCancelled
	s.remakeSelector()
	return true
}

// retryLeg has the index made anew, if it could not be made.
func (s *strategiesScreen) retryLeg() {
	if s.leg.absent != nil {
		s.leg.abandon()
		s.leg = semanticLeg{}
		s.selector.of = nil
		s.changes++
	}
}

// absentWords says why there is no index.
func (s *strategiesScreen) absentWords() string { return model.Sanitize(s.leg.absent.Error()) }

// tell shows a notice whose time begins to run when the message that is
// handled is through.
func (s *strategiesScreen) tell(l level, words string) {
	s.told = tea.Batch(s.told, s.app.notices.show(l, words))
}
