package results

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// request is a request for a slice of the result, with its answer.
type request struct {
	fetch.Request
	verdict   int // number of the one that the answer is of; 0: there is no answer yet
	answer    fetch.Answer
	err       error // that the model would be told
	chars     int   // of the text of the answer, or of the error
	tokens    int
	cancelled bool
}

// answered is a request that has its answer, and its index.
type answered struct {
	index int
	request
}

// mostRequests bounds the requests that are kept: each is answered again when a limit changes.
const mostRequests = 100

// startRequest gives the field for requests the keyboard.
func (s *Screen) startRequest() tea.Cmd {
	switch {
	case s.source() == nil:
		return s.host.Notify(ui.LevelInfo, "no result to ask for slices of")
	case !s.late() && !s.verdict.Rescue:
		return s.host.Notify(ui.LevelInfo, "the result is not rescued: there is nothing to fetch")
	}
	s.goTo(viewSlices)
	s.typing = typingRequest
	s.field.Prefill(s.field.Value())
	return nil
}

// send adds the request that is typed; nothing typed goes on with the last answer.
func (s *Screen) send() tea.Cmd {
	text := s.field.Value()
	if strings.TrimSpace(text) == "" {
		return s.goOn()
	}
	q, err := parseRequest(text)
	if err != nil {
		s.refused = text
		s.field.Prefill(text) // the next text typed takes its place
		return s.host.Notify(ui.LevelWarn, err.Error()+"; syntax below")
	}
	s.refused = ""
	s.field.Set("")
	return s.add(q)
}

// add adds a request, and selects it.
func (s *Screen) add(q fetch.Request) tea.Cmd {
	if len(s.requests) >= mostRequests {
		return s.host.Notify(ui.LevelInfo, ui.Thousands(mostRequests)+" requests are kept: "+s.KeyOf(Clear)+" clears them")
	}
	s.requests = append(s.requests, request{Request: q})
	s.filter = "" // so that the answer is seen
	s.Select(len(s.requests) - 1)
	s.Below.Top = 0
	return nil
}

// next returns the request that goes on where the answer under the cursor ended, nil for none.
func (s *Screen) next() *fetch.Request {
	i := s.requestAt()
	if i < 0 || s.requests[i].verdict == 0 {
		return nil
	}
	return s.requests[i].answer.Next
}

// noNext returns why there is nothing to go on with.
func (s *Screen) noNext() string {
	if s.next() == nil {
		return "nothing to go on with: no answer is selected that has more"
	}
	return ""
}

// goOn adds the request that goes on.
func (s *Screen) goOn() tea.Cmd {
	next := s.next()
	if next == nil {
		return s.host.Notify(ui.LevelInfo, s.noNext())
	}
	if s.view() != viewSlices {
		s.goTo(viewSlices)
	}
	return s.add(*next)
}

// cancelRequests marks the requests that have no answer of the verdict.
func (s *Screen) cancelRequests() {
	for i := range s.requests {
		if s.requests[i].verdict != s.verdict.number {
			s.requests[i].cancelled = true
		}
	}
}

// answer begins to answer the requests that have no answer of this verdict.
func (s *Screen) answer() tea.Cmd {
	if s.late() || !s.verdict.Rescue || s.fetching.Running {
		return nil
	}
	var open []answered
	for i, r := range s.requests {
		if r.verdict != s.verdict.number && !r.cancelled {
			r.verdict = s.verdict.number
			open = append(open, answered{i, r})
		}
	}
	if len(open) == 0 {
		return nil
	}
	blob, meta, rescuer := s.verdict.result.Text, s.verdict.Meta, s.verdict.rescuer
	return s.fetching.Start(s.host.Context(), s.verdict.number, func(ctx context.Context, _ ui.Progress) ([]answered, error) {
		for i := range open {
			r := &open[i].request
			r.answer, r.err = fetch.Do(blob, meta, r.Request, rescuer.Limits)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			text := r.text()
			r.chars = utf8.RuneCount([]byte(text))
			r.tokens = rescuer.Tokens(text)
		}
		return open, nil
	})
}

// text returns what the model would get.
func (r *request) text() string {
	if r.err != nil {
		return r.err.Error()
	}
	return r.answer.Text
}

// holds says which slice of the result the answer holds.
func (r *request) holds() string {
	var coded *rescue.Error
	switch {
	case errors.As(r.err, &coded):
		return coded.Code
	case r.err != nil || r.verdict == 0:
		return ""
	}
	a := r.answer
	count := func(n int64) string { return ui.Thousands(int(n)) }
	switch {
	case a.Mode == fetch.Stat:
		return "counts"
	case a.Total == 0:
		return "no " + a.Unit
	case a.To < a.From:
		return "none of " + count(a.Total) + " " + a.Unit
	}
	return a.Unit + " " + count(a.From) + " to " + count(a.To) + " of " + count(a.Total)
}

// fetchedTokens returns the tokens of the handle and of all answers.
func (s *Screen) fetchedTokens() int {
	total := s.verdict.HandleTokens
	for _, r := range s.requests {
		total += r.tokens
	}
	return total
}

// shownRequests returns the indices of the requests that pass the filter.
func (s *Screen) shownRequests() []int {
	var out []int
	for i, r := range s.requests {
		if passes(s.filter, requestText(r.Request)) {
			out = append(out, i)
		}
	}
	return out
}

// requestAt returns the index of the request under the cursor, -1 for none.
func (s *Screen) requestAt() int {
	if row, ok := s.Row(int(viewSlices)); ok {
		return s.shownRequests()[row]
	}
	return -1
}

// sliceColumns returns the columns of the requests.
func (s *Screen) sliceColumns(t *ui.Theme, w int) []ui.Column {
	shown := s.shownRequests()
	at := func(row int) *request { return &s.requests[shown[row]] }
	count := func(of func(r *request) int) func(int) (ui.Style, string) {
		return func(row int) (ui.Style, string) {
			switch r := at(row); {
			case r.cancelled:
				return t.Faint, "cancelled"
			case r.verdict == 0:
				return t.Faint, t.Ellipsis
			default:
				return t.Number, ui.Thousands(of(r))
			}
		}
	}
	return ui.FitColumns(w, 44, []ui.Column{
		{Head: "request", Width: 18, Left: true, Cell: func(row int) (ui.Style, string) {
			style := t.Text
			if at(row).err != nil {
				style = t.Bad
			}
			return style, safetext.Line(requestText(at(row).Request))
		}},
		{Head: "tokens", Width: 10, Cell: count(func(r *request) int { return r.tokens })},
		{Head: "chars", Width: 10, Cell: count(func(r *request) int { return r.chars })},
		{Head: "  answer", Width: 32, Left: true, Cell: func(row int) (ui.Style, string) { return t.Faint, "  " + at(row).holds() }},
	})
}

// slicesBelow returns the answer under the cursor.
func (s *Screen) slicesBelow(t *ui.Theme, w int) ui.Lines {
	i := s.requestAt()
	if i < 0 || s.requests[i].verdict == 0 {
		return ui.DrawnLines("answer", "", nil)
	}
	r := &s.requests[i]
	note := "the end"
	switch {
	case r.answer.Mode == fetch.Stat:
		note = ""
	case r.answer.Next != nil:
		note = "enter goes on: " + safetext.Line(requestText(*r.answer.Next))
	}
	style := t.Text
	if r.err != nil {
		note, style = "error", t.Bad
	}
	out := drawWrapped(t, style, w, s.wrap(w, contentLines(r.text())))
	out.Heading, out.Note = "answer to "+safetext.Line(requestText(r.Request)), note
	return out
}
