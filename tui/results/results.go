// Package results is the screen of what becomes of the result of a tool: the
// rule that decides, what the model sees in the place of the result, the slices
// that it gets when it asks for them, and what the store holds.
//
// A source is the file of a result, or a text that was pasted. A verdict is the answer that
// the rescue makes of a source, for a tool and under the settings in force. A
// request asks for a slice of the result of a verdict. One source is looked at
// at a time. Another source, tool or setting makes another verdict, and every
// request is answered again under it.
//
// Invariants:
//   - a result stays in memory: only Keep puts it into the store, and nothing
//     else makes a store or marks what it holds as used;
//   - a verdict is shown until the next one is made, and a file that breaks
//     shows what it held last;
//   - the requests belong to one revision of a source, and an answer to one
//     verdict;
//   - everything is worked out beside the screen, while it is looked at; only
//     keeping a result goes on when the screen is left.
package results

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/screen"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// Options is the needs of Results besides its host.
type Options struct {
	Store string // folder of kept results unless the configuration names one; empty: there is none
	Home  string // home folder of the user; empty: unknown
	Still bool   // no timers: for pictures and tests
}

// Screen is Results.
type Screen struct {
	screen.Rest
	ui.Sheet
	host    desk.Desk
	options Options
	state   *workbench.State // nil until the first load
	visible bool
	number  int     // of the newest revision of a source, or verdict
	notice  tea.Cmd // ends the notice of what Back stopped

	typing typing
	filter string // what rows and lines must hold, in lower case

	sources []source
	chosen  string            // name of the source that is looked at; empty: the first
	tools   map[string]string // that were chosen, by the names of their sources
	paste   []rune            // that is being typed

	opening   ui.Job[string, opened] // of the file at a path
	reopen    []string               // paths of the run before that were not opened again yet
	reopening ui.Job[int, []opened]  // of those
	reading   ui.Job[question, verdict]
	verdict   verdict
	gap       int // how many gaps were gone to

	fetching ui.Job[int, []answered] // of the verdict of a number
	requests []request
	field    *ui.Field // where a request is typed
	refused  string    // what was typed last and is no request; empty: nothing

	rules ruleList

	looking     ui.Job[*workbench.State, holdings]
	store       holdings
	keeping     ui.Job[string, workbench.Rescued] // for a session
	stopKeeping func()                            // cancels keeping, whose outcome is shown all the same
}

var _ screen.Framed = (*Screen)(nil)

// typing is the field that letters are typed into.
type typing int

const (
	typingNothing typing = iota
	typingRequest
	typingPaste
)

// resultKnobs are the knobs of the screen.
var resultKnobs = desk.KnobsOf(desk.ResultsKnobs)

// longestRequest bounds a request that is typed, in characters.
const longestRequest = 1000

// New returns the screen before anything is loaded.
func New(h desk.Desk, g ui.Glyphs, o Options) *Screen {
	s := &Screen{host: h, options: o, tools: map[string]string{}, field: ui.NewField(longestRequest, requestForms)}
	s.Label = "Results"
	s.DrawKnobs, s.KnobCount, s.KnobsWidth = func(t *ui.Theme, w, h int) []string {
		about := [][]ui.Phrase{{{Style: t.Faint, Text: "size limit, excerpt and the fetches are characters; items are those of JSON"}}}
		return s.host.Knobs.DrawPanel(t, &s.Sheet, resultKnobs, about, s.Focused() == ui.AreaKnobs, w, h)
	}, len(resultKnobs), desk.KnobsWidth(desk.ResultsKnobs)
	s.Moved = func(a ui.Area) {
		if a == ui.AreaKnobs { // one that is turned next is a new one
			h.Knobs.Pause()
		}
	}
	s.AddViews([]ui.ListView{
		viewSeen:  {Name: "what the model sees", Below: s.seenBelow, Nothing: s.noVerdict},
		viewKnobs: {Name: "knobs"},
		viewSlices: {Name: "slices", Rows: func() ui.Rows { return ui.Unnamed(len(s.shownRequests())) },
			Columns: s.sliceColumns, Above: s.aboveSlices, Below: s.slicesBelow, Nothing: func() []string {
				if text := s.noVerdict(); text != nil || s.verdict.Rescue {
					return text
				}
				return []string{"the result is not rescued: the model has all of it,", "and there is nothing to fetch"}
			}},
		viewRules: {Name: "rules", Rows: func() ui.Rows { return ui.Unnamed(len(s.ruleRows())) },
			Columns: s.ruleColumns, Below: s.rulesBelow, Nothing: s.noRules},
		viewStore: {Name: "store", Rows: func() ui.Rows { return ui.Unnamed(len(s.references())) },
			Columns: s.storeColumns, Below: s.storeBelow, Nothing: s.noStore},
	}...)
	s.bind(g)
	return s
}

// Start begins what the screen needs while it is looked at, and abandons it when it is left.
func (s *Screen) Start(visible bool) tea.Cmd {
	s.visible = visible
	notice := s.notice
	s.notice = nil
	switch {
	case s.state == nil:
		return notice
	case visible:
		var openAgain tea.Cmd
		if len(s.reopen) != 0 && !s.reopening.Running {
			paths := s.reopen
			openAgain = s.reopening.Start(s.host.Context(), len(paths), func(ctx context.Context, _ ui.Progress) ([]opened, error) {
				var files []opened
				for _, path := range paths {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					files = append(files, read(opened{path: path}))
				}
				return files, nil
			})
		}
		r := s.source()
		if r == nil {
			s.reading.Abandon()
			return tea.Batch(notice, openAgain, s.answer(), s.look())
		}
		want := s.wanted()
		switch {
		case s.verdict.of == want:
			s.reading.Abandon()
			return tea.Batch(notice, openAgain, s.answer(), s.look())
		case s.reading.Of == want && (s.reading.Running || s.reading.Waits()):
			return tea.Batch(notice, openAgain, s.answer(), s.look())
		}
		v := verdict{of: want, name: r.name, rescuer: s.rescuer(), err: r.err}
		if s.verdict.of.revision == r.revision {
			v.result = s.verdict.result
		}
		data := r.data
		return tea.Batch(notice, openAgain, s.reading.Start(s.host.Context(), want, func(ctx context.Context, _ ui.Progress) (verdict, error) {
			if v.err == nil {
				v.err = v.decide(ctx, data)
			}
			if ctx.Err() == nil {
				return v, nil
			}
			return verdict{}, ctx.Err()
		}), s.answer(), s.look())
	}
	s.leave()
	s.reopening.Abandon()
	s.reading.Abandon()
	s.fetching.Abandon()
	s.looking.Abandon()
	return notice
}

// Update takes in files of results, and how work ended.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case desk.Loaded:
		// What was worked out with the state before stays on screen until it is worked out again.
		s.state = msg.After
		return nil
	case report.Case:
		return s.repro(msg)
	case screen.FilesMsg:
		if msg.File == screen.ResultFile {
			return s.take(msg.Files)
		}
	case screen.RereadMsg:
		s.lookAgain()
		if r := s.source(); r != nil && r.held && !r.pasted {
			return s.openFile(opened{path: r.name})
		}
	case emptiedMsg:
		for i := range s.sources {
			if r := &s.sources[i]; r.name == msg.name && r.revision == msg.revision && errors.Is(r.stale, errEmptied) {
				*r = source{name: r.name, revision: s.nextNumber()} // one that stays empty is an empty result
			}
		}
		return nil
	}
	if v, _, mine := s.reading.Update(msg); mine {
		if v != nil {
			// The requests are answered again under it; those of another revision are forgotten.
			before := s.verdict
			s.verdict = *v
			s.verdict.number = s.nextNumber()
			s.fetching.Abandon()
			if before.of.revision != v.of.revision {
				s.requests = nil
				*s.Tabs[viewSlices].Cursor = ui.Cursor{}
			}
			if v.err != nil && s.visible {
				return s.host.Notify(ui.LevelBad, "the result cannot be read: "+safetext.Line(v.err.Error()))
			}
			return nil
		}
	}
	if file, _, mine := s.opening.Update(msg); mine {
		if file != nil {
			return s.openedFile(*file)
		}
	}
	if files, _, mine := s.reopening.Update(msg); mine {
		if files != nil {
			return s.openedAgain(*files)
		}
	}
	if answers, _, mine := s.fetching.Update(msg); mine {
		if answers == nil {
			s.cancelRequests()
			if s.fetching.Err != nil {
				return s.host.Notify(ui.LevelBad, "fetching failed: "+safetext.Line(s.fetching.Err.Error()))
			}
			return nil
		}
		for _, a := range *answers {
			if a.index < len(s.requests) && s.requests[a.index].Request == a.Request {
				s.requests[a.index] = a.request
			}
		}
		return nil
	}
	if h, _, mine := s.looking.Update(msg); mine {
		if h != nil {
			s.store = *h
		}
	}
	if kept, _, mine := s.keeping.Update(msg); mine {
		s.stopKeeping()
		switch {
		case s.keeping.Stopped:
			return s.host.Notify(ui.LevelInfo, "cancelled: nothing was kept")
		case kept == nil:
			return s.host.Notify(ui.LevelBad, "nothing was kept: "+safetext.Line(s.keeping.Err.Error()))
		}
		s.lookAgain()
		if s.visible && s.view() != viewStore {
			s.goTo(viewStore)
		}
		*s.Tabs[viewStore].Cursor = ui.Cursor{}
		return s.host.Notify(ui.LevelInfo, "kept "+kept.Meta.ID[:16]+" for session "+safetext.Line(s.keeping.Of))
	}
	return nil
}

// Frame returns as note how far the work is, else which source is looked at.
func (s *Screen) Frame() ui.Frame {
	f := ui.Frame{Whole: s.filter != "", Beyond: ui.Beyond(s.Hidden())}
	if _, finding := s.host.Finding(); s.filter != "" && !finding {
		f.Title = "/" + safetext.Line(s.filter)
	}
	if s.typing == typingPaste {
		f.Title = "paste a result"
	}
	if f.Note = s.progress(); f.Note != "" {
		return f
	}
	if n := len(s.sources); n > 1 {
		f.Note = ui.Thousands(s.at()+1) + " of " + ui.Thousands(n)
		if s.W >= 60 {
			f.Note += " results"
		}
	}
	return f
}

// progress tells which work goes on, empty when none does.
func (s *Screen) progress() string {
	switch {
	case s.state == nil:
		return ""
	case s.reading.Stopped && s.late():
		return "cancelled, enter starts it"
	case s.opening.Running, s.reopening.Running, s.reading.Running:
		return "reading"
	case s.fetching.Running:
		return "fetching"
	case s.keeping.Running:
		return "keeping it"
	case s.view() == viewStore && s.looking.Running:
		return "reading the store"
	}
	return ""
}

// open does what enter means: it begins work that waits, goes on with an answer,
// types a request or the value of a knob, or chooses the tool of the row.
func (s *Screen) open() tea.Cmd {
	switch {
	case s.state != nil && s.Focused() == ui.AreaKnobs:
		return s.host.Send(desk.Turn{Knob: resultKnobs[s.Knob]})
	case s.reading.Stopped && s.late():
		s.reading.Reset()
	case s.source() == nil:
		return s.askPath()
	case s.view() == viewSlices && s.next() != nil:
		return s.goOn()
	case s.view() == viewRules:
		row, ok := s.Row(int(viewRules))
		if !ok || s.source() == nil {
			return nil
		}
		tool := s.ruleRows()[row].tool
		s.setTool(tool.Name)
		return s.host.Notify(ui.LevelInfo, "the result is of "+tool.ShownName+" now")
	case s.view() == viewSeen, s.view() == viewSlices:
		return s.startRequest()
	case s.view() == viewStore:
		return s.host.Notify(ui.LevelInfo, "these rows are what the store holds; "+s.KeyOf(Request)+" asks the result that is open")
	}
	return nil
}

// Back ends the typing, else stops what runs.
func (s *Screen) Back() bool {
	if s.typing != typingNothing {
		s.leave()
		return true
	}
	notice := ""
	switch {
	case s.opening.Stop():
		notice = "opening cancelled"
	case s.reading.Stop():
		notice = "reading cancelled: enter starts it again"
	case s.fetching.Stop():
		s.cancelRequests()
		notice = "the request was cancelled"
	case s.keeping.Running:
		s.stopKeeping()
	case s.looking.Stop():
		notice = "reading the store cancelled: " + reloadKey + " reads it"
	default:
		return false
	}
	if notice != "" {
		s.notice = s.host.Notify(ui.LevelInfo, notice)
	}
	return true
}

// leave ends the typing.
func (s *Screen) leave() {
	if s.typing != typingNothing {
		s.typing, s.refused = typingNothing, ""
	}
}

// Next gives the area that is some places further the keys.
func (s *Screen) Next(by int) {
	s.leave()
	s.Sheet.Next(by)
}

// Beside names what tab gives the keys, empty for nothing.
func (s *Screen) Beside() string {
	if s.typing != typingNothing {
		return "leave"
	}
	return s.Sheet.Beside()
}

// ShowView shows one of the views that take turns.
func (s *Screen) ShowView(i int) {
	s.leave()
	s.Sheet.ShowView(i)
	if s.view() == viewStore {
		s.lookAgain()
	}
}

// view returns the view that is shown.
func (s *Screen) view() view { return view(s.Tab) }

// goTo shows a view from its top, and gives its list the keys.
func (s *Screen) goTo(v view) {
	s.Focus = ui.AreaList
	s.Show(int(v))
}

// turn turns the knob under the cursor, or goes to the next source.
func (s *Screen) turn(by int) tea.Cmd {
	if s.Focused() == ui.AreaKnobs {
		return s.host.Send(desk.Turn{Knob: resultKnobs[s.Knob], By: by})
	}
	if n := len(s.sources); n > 0 {
		s.choose(s.sources[max(0, min(s.at()+by, n-1))].name)
	}
	return nil
}

// turns tells which value the keys that turn change, empty for none.
func (s *Screen) turns() string {
	switch {
	case s.Focused() == ui.AreaKnobs:
		return "value"
	case len(s.sources) > 1:
		return "result"
	}
	return ""
}

// Click selects the row under the pointer. Beside the areas it does nothing.
func (s *Screen) Click(x, y int) {
	if _, ok := s.AreaAt(x, y); ok && s.state != nil {
		s.leave()
		s.Sheet.Click(x, y)
	}
}

// Filter shows only the rows and lines that hold a text.
func (s *Screen) Filter(text string) bool {
	had := s.filter != ""
	s.filter = strings.ToLower(strings.TrimSpace(text))
	s.Below.Top = 0
	return had || text != ""
}

// glossed are the words of the glossary that the views print.
var glossed = [viewCount][]string{
	viewSeen:   {"rescue", "handle", "excerpt", "size limit", "blob", "token"},
	viewKnobs:  {"knob", "size limit", "largest full read", "fetch", "excerpt", "WHAT IF"},
	viewSlices: {"fetch", "largest full read", "handle", "tombstone"},
	viewRules:  {"size limit", "rescue", "tool", "toolset"},
	viewStore:  {"store", "blob", "tombstone", "session"},
}

// Words returns the setting of the knob under the cursor, and the labels of the view.
func (s *Screen) Words() (here, pane []string) {
	if s.state != nil && s.Focused() == ui.AreaKnobs {
		k := resultKnobs[s.Knob]
		return []string{k.Key, k.Label}, glossed[viewKnobs]
	}
	return nil, glossed[s.view()]
}
