package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/report/replays"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// lookEvery is how often the logs are looked at for growth.
const lookEvery = 2 * time.Second

// source is the source of a read: a revision of the paths, with the sizes that a
// tokenizer needs.
type source struct {
	revision  int
	tokenizer string
	agent     transcript.Agent
}

// logged is the sessions that were read, and the stamp of the files just before.
type logged struct {
	transcript.Log
	of     source
	before string
}

// question is the input of a report.
type question struct {
	state      *workbench.State
	log        *logged
	since      time.Time
	calibrated string
	prices     int
}

// logSuffix is of the log of a database, which alone changes while a session runs.
const logSuffix = "-wal"

// stampOf returns a text that tells all files at some paths from the same set after it grew; a
// database that is named comes with its log. A file that cannot be looked at counts as absent:
// reading tells why.
func stampOf(ctx context.Context, paths []string) string {
	files, bytes, changed := 0, int64(0), time.Time{}
	all := slices.Clone(paths)
	for _, path := range paths {
		all = append(all, path+logSuffix)
	}
	for _, path := range all {
		_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || d.IsDir() {
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			files++
			bytes += info.Size()
			if info.ModTime().After(changed) {
				changed = info.ModTime()
			}
			return nil
		})
	}
	return fmt.Sprint(files, bytes, changed.UnixNano())
}

// lookMsg reports what the files of a revision are like now.
type lookMsg struct {
	revision int
	now      string // their stamp
}

// Start begins to read the logs asked for, and to compute the report of those
// read, while the screen is visible.
func (s *Screen) Start(visible bool) tea.Cmd {
	cmds := []tea.Cmd{s.notice}
	s.notice = nil
	if s.state == nil || s.state.Snapshot == nil {
		return tea.Batch(cmds...)
	}
	if !visible {
		s.computing.Abandon()
		s.single.Abandon()
		return tea.Batch(cmds...)
	}
	tokenizer := replay.TokenizerOf(s.state.Snapshot.Tokenizer)
	if of := (source{s.revision, tokenizer.Name, s.agent}); s.asked && (!s.reading.Begun || s.reading.Of != of) {
		paths, read := slices.Clone(s.paths), s.options.Read
		cmds = append(cmds, s.reading.Start(s.host.Context(), of, func(ctx context.Context, progress ui.Progress) (logged, error) {
			out := logged{of: of, before: stampOf(ctx, paths)}
			done, all := 0, 0
			var err error
			out.Log, err = read(ctx, paths, of.agent, transcript.Options{Count: tokenizer.Count, Tokenizer: tokenizer.Name, Pack: true, Found: func(_ int, bytes int64) { all = int(bytes >> 20) }, Progress: func(n int) {
				done += n
				progress(done>>20, max(1, all))
			}})
			if err == nil && len(out.Sessions) == 0 {
				err = errors.New(replays.NoSession(out.Skipped))
			}
			return out, err
		}))
	}
	if of := (question{s.state, s.log, s.since, s.calibrated, s.priced}); s.log != nil && !s.reading.Running && (!s.computing.Begun || s.computing.Of != of) {
		cmds = append(cmds, s.compute(of, tokenizer))
	}
	cmds = append(cmds, s.replaySession())
	if (s.log != nil || s.reading.Err != nil) && !s.ticking && !s.options.Still {
		s.ticking = true
		ctx, paths, revision := s.host.Context(), slices.Clone(s.paths), s.revision
		cmds = append(cmds, tea.Tick(lookEvery, func(time.Time) tea.Msg { return lookMsg{revision, stampOf(ctx, paths)} }))
	}
	return tea.Batch(cmds...)
}

// errElsewhere is why semantic and hybrid go by keywords alone.
var errElsewhere = errors.New("the embedder is not on this machine, and sessions are not sent anywhere")

// compute returns the command that computes the report of the logs for a state.
//
// SECURITY: what users wrote goes to no embedder but the built-in one.
func (s *Screen) compute(of question, tokenizer replay.Tokenizer) tea.Cmd {
	log, open, embedding, prices := s.log, s.options.Open, s.options.Embedding, s.prices
	if open == nil {
		open = workbench.OpenSimilarity
	}
	return s.computing.Start(s.host.Context(), of, func(ctx context.Context, progress ui.Progress) (*replayed, error) {
		snapshot := of.state.Snapshot
		c := snapshot.Config.PreSelection
		var similarity embed.Similarity
		absent := errElsewhere
		if c.BuiltIn() {
			similarity, absent = open(ctx, c, snapshot.Preselection(c.Core, c.Exclude).Candidates, embedding, nil)
		}
		rankers := []string{snapshot.Config.ToolSearch.Ranker}
		for _, name := range config.Rankers {
			if name != rankers[0] && (name != config.RankerLearned || of.state.Learn != "") {
				rankers = append(rankers, name)
			}
		}
		in := replay.Inputs{
			Sessions: transcript.Since(log.Sessions, of.since), Skipped: log.Skipped, Snapshot: snapshot, Rankers: rankers, Tokenizer: tokenizer, Prices: prices,
			Similarity: similarity, Absent: absent, Detail: replay.Misses,
			Progress: progress,
		}
		if of.calibrated != "" {
			in.Tokenizer = replay.TokenizerOf("") // what no tokenizer is fitted for is estimated too
			models, err := replay.Calibrate(ctx, in)
			if err != nil {
				return nil, err
			}
			in.CountFitted(models, of.calibrated) // where it cannot, the report says by what it counted
		}
		rep, err := replay.Run(ctx, in)
		if err != nil {
			return nil, err
		}
		return newReplayed(rep, in), nil
	})
}

// Update takes what was read and computed.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		s.state = msg.After
		return nil
	case report.Case:
		if s.report == nil {
			return s.host.Notify(ui.LevelInfo, "nothing to copy: no session was replayed")
		}
		return s.host.Clip.CopyReport("replay, without the texts of sessions", replays.Replay(replays.Replayed{Report: s.report.Report}))
	case screen.RereadMsg:
		if s.asked {
			s.revision++
		}
		return nil
	case screen.FilesMsg:
		if msg.File == screen.PricesFile && len(msg.Files) > 0 {
			return s.price(msg.Files[0])
		}
		return nil
	case lookMsg:
		// After a read that failed the logs are read once more at the first look, and then when they change; what was cancelled waits for enter.
		s.ticking = false
		switch {
		case msg.revision != s.revision, s.reading.Running, s.reading.Stopped:
		case s.reading.Err != nil:
			if s.unread == nil || *s.unread != msg.now {
				s.unread = &msg.now
				s.revision++
			}
		case s.log != nil && msg.now != s.log.before:
			s.revision++
		}
		return nil
	}
	if log, cmd, mine := s.reading.Update(msg); mine {
		if log != nil {
			// What was read of other paths drops everything that is shown.
			if s.shownPaths != nil {
				s.report, s.requests, s.shownPaths = nil, nil, nil
				s.single.Reset()
				s.built, s.builtOf = nil, "" // they have rows of the report
				s.forgetSession()
				s.view, s.cursors = viewSessions, [viewCount]ui.Cursor{}
			}
			s.log, s.unread = log, nil
		}
		s.failed("reading", s.reading.Status)
		if s.reading.Err != nil && s.shownPaths != nil {
			s.keepShown()
		}
		return cmd
	}
	if found, cmd, mine := s.single.Update(msg); mine {
		if found != nil { // until another strategy is chosen, it is seen under its own
			s.requests = *found
			session := s.requests.report.Sessions[0]
			if own := slices.IndexFunc(session.Strategies, func(x replay.Row) bool { return x.Strategy == session.Used }); own >= 0 && !s.turned {
				s.strategy = own
			}
			s.toGoal()
		}
		s.failed("replaying the session", s.single.Status)
		return cmd
	}
	rep, cmd, mine := s.computing.Update(msg)
	if mine {
		s.failed("replaying", s.computing.Status)
	}
	if rep != nil {
		s.show(*rep)
		if fitted(s.calibrated) && s.report.Tokenizer != s.calibrated {
			model := safetext.Line(strings.TrimPrefix(s.calibrated, replay.CalibratedPrefix))
			cmd = tea.Batch(cmd, s.host.Notify(ui.LevelInfo, "no tokenizer can be fitted to "+model+": counted by "+s.report.Tokenizer))
		}
	}
	return cmd
}

// keepShown gives up paths that were to be read for the first time: what was read before
// stays, and is read again only if something else is asked for now.
func (s *Screen) keepShown() {
	s.paths, s.shownPaths = s.shownPaths, nil
	s.reading.Reset()
	s.reading.Of, s.reading.Begun, s.revision = s.log.of, true, s.log.of.revision
}

// show takes a report. What of the one before would keep its logs in memory goes.
func (s *Screen) show(r *replayed) {
	s.report = r
	if s.view != viewSession {
		s.single.Reset()
		s.requests = nil
	}
	if s.session == "" || r.has(s.session) {
		return
	}
	if s.forgetSession(); s.view == viewSession {
		s.notice = tea.Batch(s.notice, s.host.Notify(ui.LevelInfo, "the session that was open is not among these"))
	}
}

// failed shows a notice when work has failed.
func (s *Screen) failed(verb string, st ui.Status) {
	if st.Err != nil && !st.Running {
		why, _, _ := strings.Cut(st.Err.Error(), "; ") // the screen has the rest
		s.notice = tea.Batch(s.notice, s.host.Notify(ui.LevelBad, verb+" failed: "+safetext.Line(why)))
	}
}

// waits reports whether enter begins something: what was found is not read yet,
// or what ran was cancelled or failed.
func (s *Screen) waits() bool {
	return len(s.paths) > 0 && !s.asked || s.reading.Waits() || s.computing.Waits() || s.single.Waits()
}

// progress tells how far the work is, empty when none runs.
func (s *Screen) progress() string {
	narrow := s.w < 60
	if text := screen.Progress(s.reading.Status, "reading MB", narrow); text != "" {
		return text
	}
	return screen.Progress(s.computing.Status, "replaying sessions", narrow)
}

// price takes the file of prices as it is now. One that is gone or broken changes no
// cost: the prices before stay, and the notice says why.
func (s *Screen) price(f watch.File) tea.Cmd {
	name, err := filepath.Base(f.Name), f.Err
	var now replay.PriceList
	if err == nil {
		now, err = replay.ReadPrices(name, f.Data)
	}
	if err != nil {
		return s.host.Notify(ui.LevelBad, "the prices stay as they were: "+safetext.Line(err.Error()))
	}
	if now.Equal(s.prices) {
		return nil
	}
	s.prices = now
	s.priced++
	return s.host.Notify(ui.LevelOk, "prices read again from "+safetext.Line(name))
}
