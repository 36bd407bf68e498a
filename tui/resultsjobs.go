package tui

import (
	"bytes"
	"context"
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue/fetch"
	"caliper/model"
	"caliper/tui/workbench"
)

// resultsJob is work that runs beside the screen.
type resultsJob struct {
	gen     int // of the newest that was begun; 0: none is wanted
	cancel  context.CancelFunc
	stopped bool // somebody cancelled it; it waits to be asked for
}

// abandon stops a job that runs, so that it begins anew when it is wanted.
func (j *resultsJob) abandon() {
	if j.cancel != nil {
		j.cancel()
		*j = resultsJob{}
	}
}

// ended takes in that a job is done; ok is false when it is not the newest.
func (j *resultsJob) ended(gen int) (ok bool) {
	if j.cancel == nil || gen != j.gen {
		return false
	}
	j.cancel()
	j.cancel = nil
	return true
}

// start begins a job.
func (s *resultsScreen) start(j *resultsJob) (ctx context.Context, gen int) {
	j.abandon()
	s.gen++
	ctx, cancel := context.WithCancel(s.app.ctx)
	*j = resultsJob{gen: s.gen, cancel: cancel}
	s.changes++
	return ctx, s.gen
}

// judgedOf is what a judgement depends on.
type judgedOf struct {
	rev   int
	tool  string
	state *workbench.State
}

// judgement is what becomes of a result.
type judgement struct {
	gen     int
	of      judgedOf
	name    string // of the source
	result  *workbench.Result
	reader  *fetch.Reader
	rescuer *workbench.Rescuer
	workbench.Rescued
	whole string // the beginning of a result that is not rescued
	err   error
}

// judgedMsg tells what becomes of a result.
type judgedMsg struct {
	gen int
	judgement
}

// shownWhole is how much of a result that is not rescued is drawn, in bytes.
const shownWhole = 64 << 10

// follow begins what the screen needs and has not, while it is on screen, and
// abandons what runs when it is left.
func (s *resultsScreen) follow() tea.Cmd {
	s.finding = s.app.find != nil
	told := s.told
	s.told = nil
	if s.state == nil {
		return told
	}
	if !s.shown() {
		s.leave()
		for _, j := range []*resultsJob{&s.judging, &s.fetching, &s.listing, &s.looking} {
			j.abandon()
		}
		return told
	}
	return tea.Batch(told, s.judge(), s.answer(), s.listRules(), s.look())
}

// rescuer returns what decides by the settings of the state.
func (s *resultsScreen) rescuer() *workbench.Rescuer {
	a := s.app
	return workbench.NewRescuer(workbench.RescueInputs{
		Registry: s.state.Snapshot.Registry, Config: s.state.Config.Rescue, Tokenizer: s.state.Snapshot.Tokenizer,
		Store: a.opt.Store, Home: a.opt.Getenv("HOME"), Now: a.opt.Now,
	})
}

// wanted returns what the judgement should be of.
func (s *resultsScreen) wanted() judgedOf {
	r := s.source()
	return judgedOf{r.rev, s.tool(r), s.state}
}

// late reports whether what is shown is not of what is wanted.
func (s *resultsScreen) late() bool { return s.source() != nil && s.judged.of != s.wanted() }

// judge begins to judge the result, unless that is done, running or cancelled.
func (s *resultsScreen) judge() tea.Cmd {
	r := s.source()
	if r == nil {
		s.judging.abandon()
		return nil
	}
	want := s.wanted()
	if s.judged.of == want && s.judged.gen > 0 || s.judgingOf == want && (s.judging.cancel != nil || s.judging.stopped) {
		return nil
	}
	ctx, gen := s.start(&s.judging)
	s.judgingOf = want
	if err := r.err; err != nil {
		return func() tea.Msg { return judgedMsg{gen, judgement{of: want, name: r.name, err: err}} }
	}
	var before *workbench.Result
	if s.judged.of.rev == r.rev {
		before = s.judged.result
	}
	j, name, data := s.rescuer(), r.name, r.data
	return func() tea.Msg {
		out := judgement{of: want, name: name, rescuer: j, result: before}
		out.work(ctx, data)
		return judgedMsg{gen, out}
	}
}

// work judges a result, which is read unless that was done before.
func (j *judgement) work(ctx context.Context, data []byte) {
	if j.result == nil {
		if j.result, j.err = j.rescuer.Read(ctx, j.of.tool, j.name, bytes.NewReader(data)); j.err != nil {
			return
		}
	}
	of := *j.result
	of.Tool = j.of.tool
	if j.Rescued, j.err = j.rescuer.Judge(ctx, &of); j.err != nil {
		return
	}
	if j.Rescue {
		j.reader = fetch.NewReader(j.result, j.Meta)
		return
	}
	begin := make([]byte, min(shownWhole, j.result.Size()))
	n, err := j.result.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		j.err = err
	}
	j.whole = string(begin[:n])
}

// judgementMade takes in what becomes of the result. The requests are asked
// anew of another result, and under other limits.
func (s *resultsScreen) judgementMade(msg judgedMsg) {
	if !s.judging.ended(msg.gen) {
		if msg.result != nil && msg.result != s.judged.result {
			_ = msg.result.Close()
		}
		return
	}
	s.changes++
	if errors.Is(msg.err, context.Canceled) {
		s.judging.stopped = true
		return
	}
	before := s.judged
	s.judged = msg.judgement
	s.judged.gen = msg.gen
	if before.result != nil && before.result != s.judged.result {
		_ = before.result.Close() // a request that still reads it is stale
	}
	s.fetching.abandon()
	if before.of.rev != s.judged.of.rev {
		s.requests = nil
		s.lists[partSlices] = listPlace{}
	}
	if msg.err != nil && s.shown() {
		s.tell(levelBad, "the result cannot be read: "+model.Sanitize(msg.err.Error()))
	}
}

// tell shows a notice whose time begins to run when the message that is
// handled is through.
func (s *resultsScreen) tell(l level, words string) {
	s.told = tea.Batch(s.told, s.app.notices.show(l, words))
}

// stop cancels what runs; ok is false when nothing does. What was made before
// stays.
func (s *resultsScreen) stop() (ok bool) {
	switch {
	case s.judging.cancel != nil:
		of := s.judgingOf
		s.judging.abandon()
		s.judging.stopped, s.judgingOf = true, of
		s.tell(levelInfo, "reading cancelled: enter starts it again")
	case s.fetching.cancel != nil:
		s.fetching.abandon()
		s.cancelRequests()
		s.tell(levelInfo, "the request was cancelled")
	case s.keeping.cancel != nil:
		s.keeping.cancel() // what comes of it is told when it ends
	case s.looking.cancel != nil:
		s.looking.abandon()
		s.looking.stopped = true
		s.tell(levelInfo, "reading the store cancelled: R reads it")
	default:
		return false
	}
	s.changes++
	return true
}

// progress says what is being worked out, empty when nothing is.
func (s *resultsScreen) progress() string {
	switch {
	case s.state == nil:
		return ""
	case s.judging.stopped && s.late():
		return "cancelled, enter starts it"
	case s.judging.cancel != nil:
		return "reading"
	case s.fetching.cancel != nil:
		return "fetching"
	case s.keeping.cancel != nil:
		return "keeping it"
	case s.part == partRules && s.listing.cancel != nil:
		return "asking the rules"
	case s.part == partStore && s.looking.cancel != nil:
		return "reading the store"
	}
	return ""
}
