// Package replay is the screen of the user's own sessions: what tool search
// would have cost and found in them, session by session and request by request,
// and which tools should stay eager.
//
// Invariants:
//   - logs are read when the user asks for it, and never written;
//   - the memory of the screen does not grow with the logs but for some bytes of each session
//     and call: sessions are packed, the requests are known of one session at a time, and a
//     list has so many rows at most;
//   - a report is shown until the next one is there, so that a log that grows,
//     another ranker or a trial moves neither cursor nor selection;
//   - text of users is on screen alone: a copy, a label or a file has
//     none, or is masked.
//
// Non-goals: reading logs (package transcript), the figures (package
// engine/replay), and most of the words, which package report has for the
// command too.
package replay

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Options is the needs of Replay besides its host.
type Options struct {
	// Read reads the logs at some paths, files or folders. agent is who wrote
	// them; empty when their content tells.
	Read  func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error)
	Paths []string // are read as soon as the screen is shown
	Found []string // are read when the user asks for it, where Paths is empty
	// Open opens the semantic ranking by which semantic and hybrid select.
	Open      func(ctx context.Context, c config.PreSelection, tools []*model.Tool, e workbench.Embedding, progress func(done, total int)) (embed.Similarity, error)
	Embedding workbench.Embedding
	Still     bool // no timers: for pictures and tests
	// Prices are the prices of models until screen.PricesFile has others; an empty list means
	// those that come with caliper.
	Prices replay.PriceList
	// Calibrated are the fitted tokenizers by which it counts at first: a name as in
	// --tokenizer; empty for the header's.
	Calibrated string
}

// view is one of the views.
type view int

const (
	viewSessions view = iota
	viewSession
	viewMisses
	viewEager
	viewRest
	viewCount
)

// views are the names of the views.
var views = []string{"verdict", "session", "misses, unused", "eager set", "calibration"}

// Screen is the screen Replay.
type Screen struct {
	screen.Base
	host    desk.Desk
	options Options
	glyphs  ui.Glyphs
	state   *workbench.State // nil until the first load
	w, h    int              // size of the last picture
	notice  tea.Cmd

	paths      []string
	shownPaths []string // the paths of log, while others are read for the first time; nil: none are
	asked      bool     // to read paths
	revision   int      // of the logs: counts up when they are read again
	reading    ui.Job[source, logged]
	log        *logged // nil until something was read
	unread     *string // the stamp of the logs at the last look since reading failed; nil: at none
	computing  ui.Job[question, *replayed]
	report     *replayed // nil until the first one
	single     ui.Job[opened, *requests]
	requests   *requests // of the session for which they were computed last; nil: of none
	built      []row     // the lines of the last picture
	builtOf    string    // everything that they depend on
	ticking    bool
	prices     replay.PriceList
	priced     int // counts up with prices

	agent      transcript.Agent // who is said to have written the logs; empty: their content tells
	since      time.Time        // sessions that ended before it are left out; zero: none is
	sinceTyped string           // since as the user typed it
	calibrated string           // fitted tokenizers that it counts by; empty: the header's
	view       view
	filter     string
	cursors    [viewCount]ui.Cursor
	session    string          // key of the session that is open; empty: the first
	step       int             // index of the request that is looked at, in the steps of its strategy
	goal       *answerPosition // the request that is looked at once the session's are known; nil: the one of step
	strategy   int             // index in the strategies of the report
	turned     bool            // the strategy was chosen by a key
}

var _ screen.Framed = (*Screen)(nil)

// New returns a screen that has read nothing.
func New(h desk.Desk, g ui.Glyphs, o Options) *Screen {
	if o.Prices.Empty() {
		o.Prices = replay.BuiltInPrices()
	}
	s := &Screen{Base: screen.Base{Label: "Replay"}, host: h, options: o, glyphs: g, paths: o.Paths, asked: len(o.Paths) > 0, prices: o.Prices, calibrated: o.Calibrated}
	if !s.asked {
		s.paths = o.Found
	}
	keys := &ui.Group{Title: "Replay", Bindings: []ui.Binding{
		ui.Bind(ui.Open, "enter", "show what the line is about: its evidence, a session, a call in Explore; begin to read", "", "enter").Does(s.open).Unless(s.noOpen).Says(s.openHint),
		ui.Bind(ReadSessions, "f", "replay sessions of another file or folder", "Replay sessions of a file or folder", "f").Does(s.ask),
		ui.Bind(PrevRequest, g.Left+" h", "previous request", "", "left", "h").Runs(func() { s.scrub(-1) }).Unless(s.noRequests),
		ui.Bind(NextRequest, g.Right+" l", "next request of the session", "", "right", "l").Runs(func() { s.scrub(1) }).Unless(s.noRequests),
		ui.Bind(PrevStrategy, "<", "under the previous strategy", "", "<").Runs(func() { s.turn(-1) }).Unless(s.noRequests),
		ui.Bind(NextStrategy, ">", "under the next strategy", "Show the session under the next strategy", ">").Runs(func() { s.turn(1) }).Unless(s.noRequests),
		ui.Bind(ui.Label, "a", "label the query of the call, masked, with its tool", "", "a").Does(s.label).Unless(s.noLabel),
		ui.Bind(WriteEager, "E", "keep the eager set: a setting of the agent, after a look at the diff", "Keep the eager set of your sessions in the agent's settings", "E").Does(s.writeEager).Unless(s.noEager),
		ui.Bind(Calibrate, "T", "count by tokenizers calibrated on these logs, or again by that of the header", "Count by tokenizers calibrated on your sessions", "T").Does(s.calibrate).Unless(s.noCalibration),
		ui.Bind(SinceWhen, "B", "leave out sessions that ended before a time", "Replay sessions since a time", "B").Does(s.askSince).Unless(s.noPaths),
		ui.Bind(ChooseAgent, "W", "say which agent wrote the logs, instead of what their content tells", "Choose the agent that wrote the logs", "W").Does(s.chooseAgent).Unless(s.noPaths),
		ui.Bind(ui.Find, "/", "filter", "", "/").Runs(func() { s.host.Find(s.filter) }).Unless(s.noFilter),
	}}
	s.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(
		ui.Down.After(ui.Up, "rows"), ui.Open.As("open"), NextRequest.After(PrevRequest, "requests"), NextStrategy.After(PrevStrategy, "strategy"),
		ui.View.As("view"), ui.Label.As("add"), WriteEager.As("keep eager"), ReadSessions.As("read others"), ui.Find, Calibrate.As("calibrate"), ui.Palette, ui.Help, ui.Quit)}
	return s
}

// Views returns the names of the views, and which is shown.
func (s *Screen) Views() (names []string, current int) { return views, int(s.view) }

// ShowView shows a view.
func (s *Screen) ShowView(i int) { s.view = view(i) }

// Filter shows the rows that contain the text, and goes to the first of them from a line that
// is of no row.
func (s *Screen) Filter(text string) bool {
	had := s.filter != ""
	s.filter = strings.ToLower(strings.TrimSpace(text))
	if s.filtering() != "" && s.selected() == nil {
		lines := s.lines(s.w)
		if first := slices.IndexFunc(lines, func(r row) bool { return r.key != "" }); first >= 0 {
			s.cursors[s.view].To(s.rows(), first)
		}
	}
	return had || text != ""
}

// Back stops what runs, else leads from a session to all of them.
func (s *Screen) Back() bool {
	said := "cancelled: enter starts it again"
	switch {
	case s.view == viewSession && s.single.Stop():
	case s.reading.Stop():
		if s.shownPaths != nil {
			s.keepShown()
			said = "cancelled: what was read before stays"
		}
	case s.computing.Stop():
	case s.view == viewSession && s.report != nil:
		s.ShowView(int(viewSessions))
		return true
	default:
		return false
	}
	s.notice = s.host.Notify(ui.LevelInfo, said)
	return true
}

// Tool returns the tool of the selected row, nil for none.
func (s *Screen) Tool() *model.Tool {
	if r := s.selected(); r != nil {
		return r.tool
	}
	return nil
}

// glossed are the words of the glossary that the views print.
var glossed = []string{"replay", "loop", "burnt", "idle describe", "eager set", "cache break", "billed again", "breaks mended", "calibrated tokenizer", "held out", "overhead", "known", "deferrable", "core tool"}

// Words returns the labels of the views.
func (s *Screen) Words() (here, pane []string) { return nil, glossed }
