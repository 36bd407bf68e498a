package tui

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/model"
	"caliper/tui/cells"
)

// sliceRequest is a request for a slice of the result, with its answer.
type sliceRequest struct {
	q         fetch.Request
	of        int // generation of the judgement that the answer is of; 0: it has none yet
	answer    fetch.Answer
	err       error // that the model would be told
	chars     int   // of the text of the answer, or of the error
	tokens    int
	cancelled bool
}

// mostRequests bounds the requests that are kept: each is asked anew when a
// limit changes.
const mostRequests = 100

// requestForms is what stands in the empty field.
const requestForms = "outline · range 100 50 · grep ERROR · search … · pointer /3 · stat · full"

// errRequest says that a text is no request.
var errRequest = errors.New("that is no request")

// formsOfRequests are how requests are written, with what each asks for.
var formsOfRequests = [][2]string{
	{"stat", "what the result is"},
	{"outline [/pointer]", "what it is made of"},
	{"range [start [count [chars]]]", "lines, or characters"},
	{"grep PATTERN", "lines that match"},
	{"search QUESTION", "the passages that fit best"},
	{"pointer /path [start]", "a value of JSON"},
	{"full", "all of it, as far as that is allowed"},
}

// drawForms draws in at most h lines that what was typed is no request, and
// how requests are written, a line for each; where there is no room, only how.
func (s *resultsScreen) drawForms(t *Theme, w, h int) []string {
	if h > len(formsOfRequests) {
		lines := flow(w, 1, []phrase{{t.Bad, "no request: " + model.Sanitize(s.refused)}})
		lines = lines[:min(len(lines), h-len(formsOfRequests))]
		var l cells.Line
		for _, form := range formsOfRequests {
			l.Start(w)
			l.Gap(1)
			l.Cell(t.Text, form[0], min(32, w-1))
			l.Text(t.Faint, form[1])
			lines = append(lines, l.End())
		}
		return lines
	}
	var forms []phrase
	for _, form := range formsOfRequests {
		forms = append(forms, phrase{t.Text, form[0]})
	}
	lines := flow(w, 1, forms)
	return lines[:min(len(lines), max(0, h))]
}

// parseRequest reads a request as it is typed.
func parseRequest(text string) (fetch.Request, error) {
	mode, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	words := strings.Fields(rest)
	q := fetch.Request{Mode: strings.ToLower(mode)}
	switch q.Mode {
	case fetch.Stat, fetch.Full:
		if rest == "" {
			return q, nil
		}
	case fetch.Grep:
		q.Pattern = rest
		return q, nil
	case fetch.Search:
		q.Query = rest
		return q, nil
	case fetch.Outline:
		if len(words) == 0 || strings.HasPrefix(rest, "/") {
			q.Pointer = rest
			return q, nil
		}
	case fetch.Pointer:
		if n := len(words); n > 1 {
			if start, err := strconv.ParseInt(words[n-1], 10, 64); err == nil {
				q.Start = start
				rest = strings.TrimSpace(strings.TrimSuffix(rest, words[n-1]))
			}
		}
		q.Pointer = rest
		return q, nil
	case fetch.Range:
		if n := len(words); n > 0 && (words[n-1] == fetch.Chars || words[n-1] == fetch.Lines) {
			q.Unit, words = words[n-1], words[:n-1]
		}
		if len(words) <= 2 && numbers(words, &q.Start, &q.Count) {
			q.CountGiven = len(words) > 1 && q.Count == 0
			return q, nil
		}
	}
	return fetch.Request{}, errRequest
}

// numbers reads words into numbers, as many as there are words.
func numbers(words []string, into ...*int64) bool {
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return false
		}
		*into[i] = n
	}
	return true
}

// requestWords writes a request as it would be typed, as far as it can be.
func requestWords(q fetch.Request) string {
	words := []string{q.Mode}
	add := func(text string) {
		if text != "" {
			words = append(words, text)
		}
	}
	add(q.Pattern)
	add(q.Query)
	add(q.Pointer)
	if q.Start != 0 || q.Count != 0 || q.CountGiven {
		from := strconv.FormatInt(q.Start, 10)
		if q.Mode != fetch.Range && q.Mode != fetch.Pointer {
			from = "from " + from
		}
		add(from)
	}
	if q.Count != 0 || q.CountGiven {
		add(strconv.FormatInt(q.Count, 10))
	}
	add(q.Unit)
	return strings.Join(words, " ")
}

// startRequest gives the field for requests the keyboard.
func (s *resultsScreen) startRequest() tea.Cmd {
	switch {
	case s.source() == nil:
		return s.app.notices.show(levelInfo, "no result to ask for slices of")
	case !s.late() && s.judged.gen > 0 && !s.judged.Rescue:
		return s.app.notices.show(levelInfo, "the result is not rescued: there is nothing to fetch")
	}
	s.part, s.area, s.typing = partSlices, areaList, typingRequest
	s.below.top = 0
	s.changes++
	return nil
}

// send asks what is typed; nothing typed goes on with the last answer.
func (s *resultsScreen) send() tea.Cmd {
	text := s.request.Value()
	if strings.TrimSpace(text) == "" {
		return s.goOn()
	}
	q, err := parseRequest(text)
	if err != nil {
		s.refused = text
		s.changes++
		return s.app.notices.show(levelWarn, err.Error()+": how they are written is shown")
	}
	s.refused = ""
	s.request.Set("")
	return s.add(q)
}

// add asks a request.
func (s *resultsScreen) add(q fetch.Request) tea.Cmd {
	if len(s.requests) >= mostRequests {
		return s.app.notices.show(levelInfo, thousands(mostRequests)+" requests are kept: "+s.app.keys.Results.Clear.Help().Key+" clears them")
	}
	s.requests = append(s.requests, sliceRequest{q: q})
	s.needle = "" // so that the answer is seen
	s.lists[partSlices].cursor = len(s.requests) - 1
	s.below.top = 0
	s.changes++
	return nil
}

// next returns the request that goes on where the answer under the cursor
// ended, nil for none.
func (s *resultsScreen) next() *fetch.Request {
	i := s.requestAt()
	if i < 0 || s.requests[i].of == 0 {
		return nil
	}
	return s.requests[i].answer.Next
}

// goOn asks the request that goes on.
func (s *resultsScreen) goOn() tea.Cmd {
	next := s.next()
	if next == nil {
		return s.app.notices.show(levelInfo, "nothing to go on with: no answer is selected that has more")
	}
	if s.part != partSlices {
		s.part, s.area = partSlices, areaList
	}
	return s.add(*next)
}

// clearRequests forgets the requests.
func (s *resultsScreen) clearRequests() {
	s.fetching.abandon()
	s.requests = nil
	s.lists[partSlices] = listPlace{}
	s.below.top = 0
}

// cancelRequests marks the requests that have no answer.
func (s *resultsScreen) cancelRequests() {
	for i := range s.requests {
		if s.requests[i].of != s.judged.gen {
			s.requests[i].cancelled = true
		}
	}
}

// fetchedMsg tells the answers to requests, by their places.
type fetchedMsg struct {
	gen     int
	answers map[int]sliceRequest
	err     error
}

// answer begins to ask the requests that have no answer under the limits in
// force, unless that is running.
func (s *resultsScreen) answer() tea.Cmd {
	j := &s.judged
	if s.late() || j.reader == nil || s.fetching.cancel != nil {
		return nil
	}
	asked := map[int]sliceRequest{}
	var order []int
	for i, r := range s.requests {
		if r.of != j.gen && !r.cancelled {
			asked[i] = r
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return nil
	}
	ctx, gen := s.start(&s.fetching)
	reader, rescuer, of := j.reader, j.rescuer, j.gen
	return func() tea.Msg {
		msg := fetchedMsg{gen: gen, answers: map[int]sliceRequest{}}
		for _, i := range order {
			r := asked[i]
			r.of = of
			r.answer, r.err = reader.Do(ctx, r.q, rescuer.Limits())
			if msg.err = ctx.Err(); msg.err != nil {
				return msg
			}
			text := r.text()
			r.chars = rescue.CountChars([]byte(text))
			if r.tokens, msg.err = rescuer.Tokens(ctx, text); msg.err != nil {
				return msg
			}
			msg.answers[i] = r
		}
		return msg
	}
}

// text is what the model would get.
func (r *sliceRequest) text() string {
	if r.err != nil {
		return r.err.Error()
	}
	return r.answer.Text
}

// fetched takes in answers.
func (s *resultsScreen) fetched(msg fetchedMsg) {
	if !s.fetching.ended(msg.gen) {
		return
	}
	s.changes++
	if msg.err != nil {
		s.cancelRequests()
		if !errors.Is(msg.err, context.Canceled) {
			s.tell(levelBad, "fetching failed: "+model.Sanitize(msg.err.Error()))
		}
		return
	}
	for i, r := range msg.answers {
		if i < len(s.requests) && s.requests[i].q == r.q {
			s.requests[i] = r
		}
	}
}

// fetchedTokens returns the tokens of the handle and of all answers.
func (s *resultsScreen) fetchedTokens() int {
	total := s.judged.HandleTokens
	for _, r := range s.requests {
		total += r.tokens
	}
	return total
}

// shownRequests are the places of the requests that pass the filter.
func (s *resultsScreen) shownRequests() []int {
	var out []int
	for i, r := range s.requests {
		if s.needle == "" || strings.Contains(strings.ToLower(requestWords(r.q)), s.needle) {
			out = append(out, i)
		}
	}
	return out
}

// drawRequest draws the field for requests.
func (s *resultsScreen) drawRequest(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	style, typing := t.Faint, s.typing == typingRequest
	if typing {
		style = t.Accent
	}
	l.Text(style, t.Prompt+" ")
	if !typing && s.request.Value() == "" {
		l.Text(t.Placeholder, s.app.keys.Results.Request.Help().Key+" types a request: "+requestForms)
	} else {
		s.request.draw(&l, t, l.Room(), typing)
	}
	return l.End()
}

// drawTotal draws what was fetched against sending it all.
func (s *resultsScreen) drawTotal(t *Theme, w int) string {
	var l cells.Line
	l.Start(w)
	l.Gap(1)
	total, all := s.fetchedTokens(), s.judged.OriginalTokens
	style := t.Ok
	if total > all {
		style = t.Bad
	}
	if w >= 60 {
		bar{fraction: float64(total) / float64(max(1, all)), mark: -1, fill: t.GaugeSent, empty: true}.draw(&l, t, 16)
		l.Gap(2)
		l.Text(t.Text, "handle + "+plural(len(s.requests), "answer")+" ")
		l.Text(t.Number, thousands(total))
		l.Text(t.Faint, " of "+thousands(all)+" tok to send it all ")
		l.Text(style, percent(100*float64(total)/float64(max(1, all))))
		return l.End()
	}
	l.Text(t.Number, thousands(total))
	l.Text(t.Faint, "/"+thousands(all)+" tok sent ")
	l.Text(style, percent(100*float64(total)/float64(max(1, all))))
	return l.End()
}

// sliceColumns returns the columns of the requests.
func (s *resultsScreen) sliceColumns(t *Theme, w int) []column {
	shown := s.shownRequests()
	at := func(row int) *sliceRequest { return &s.requests[shown[row]] }
	answered := func(row int, text func(r *sliceRequest) string) (cells.Style, string) {
		switch r := at(row); {
		case r.cancelled:
			return t.Faint, "cancelled"
		case r.of == 0:
			return t.Faint, t.Ellipsis
		default:
			return t.Number, text(r)
		}
	}
	return fitting(w, 44, []column{
		{"request", 18, true, func(row int) (cells.Style, string) {
			style := t.Text
			if at(row).err != nil {
				style = t.Bad
			}
			return style, model.Sanitize(requestWords(at(row).q))
		}},
		{"tokens", 10, false, func(row int) (cells.Style, string) {
			return answered(row, func(r *sliceRequest) string { return thousands(r.tokens) })
		}},
		{"chars", 10, false, func(row int) (cells.Style, string) {
			return answered(row, func(r *sliceRequest) string { return thousands(r.chars) })
		}},
		{"  answer", 32, true, func(row int) (cells.Style, string) {
			return t.Faint, "  " + at(row).holds()
		}},
	})
}

// holds says which part of the result an answer holds.
func (r *sliceRequest) holds() string {
	var coded *fetch.Error
	switch {
	case errors.As(r.err, &coded):
		return coded.Code
	case r.err != nil || r.of == 0:
		return ""
	}
	a := r.answer
	count := func(n int64) string { return thousands(int(n)) }
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

// slicesBelow returns the answer under the cursor.
func (s *resultsScreen) slicesBelow(t *Theme, w int) belowLines {
	i := s.requestAt()
	if i < 0 || s.requests[i].of == 0 {
		return linesOf("answer", "", nil)
	}
	r := &s.requests[i]
	note := "the end"
	switch {
	case r.answer.Mode == fetch.Stat:
		note = ""
	case r.answer.Next != nil:
		note = "enter goes on: " + model.Sanitize(requestWords(*r.answer.Next))
	}
	style := t.Text
	if r.err != nil {
		note, style = "error", t.Bad
	}
	b := s.lay(laidOf{i, r.of, w, ""}, r.text()).below(t, style, w)
	b.heading, b.note = "answer to "+model.Sanitize(requestWords(r.q)), note
	return b
}

// requestAt returns the place of the request under the cursor, which counts
// those that pass the filter; -1 for none.
func (s *resultsScreen) requestAt() int {
	shown, i := s.shownRequests(), s.lists[partSlices].cursor
	if i >= len(shown) {
		return -1
	}
	return shown[i]
}
