package fetch

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// The modes of a request.
const (
	Stat    = "stat"
	Range   = "range"
	Grep    = "grep"
	Full    = "full"
	Outline = "outline"
	Search  = "search"
	Pointer = "pointer"
)

// Modes are all modes, the one to begin with first. It must not be changed.
var Modes = []string{Stat, Range, Grep, Search, Outline, Pointer, Full}

// The units of positions. A request names lines or chars; an answer of mode
// outline counts entries and one of mode search passages.
const (
	Lines    = "lines"
	Chars    = "chars"
	Entries  = "entries"
	Passages = "passages"
)

// Request asks for a slice. Which fields matter depends on the mode:
//
//	stat     none
//	range    Start, Count, Unit (lines when empty)
//	grep     Pattern; Start, Unit: where to begin; Count: hits at most
//	full     none
//	outline  Pointer: of which value; Start, Count: entries, from 1
//	search   Query; Start, Count: passages by rank, from 1
//	pointer  Pointer; Start: a character of the blob inside the value
//
// A Pointer with mode range, or with none, means mode pointer. A Start below the
// beginning is the beginning. Without a Count an answer is as much as the budget
// holds, in mode range at most 20 lines and in mode grep at most 50 hits; a
// Count below 1 is 1. A Count of 0 was left out unless CountGiven says otherwise,
// which UnmarshalJSON sees to.
type Request struct {
	Mode    string `json:"mode"`
	Start   int64  `json:"start,omitempty"`
	Count   int64  `json:"count,omitempty"`
	Unit    string `json:"unit,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Query   string `json:"query,omitempty"`
	Pointer string `json:"pointer,omitempty"`

	CountGiven bool `json:"-"`
}

// The counts of a request that has none.
const (
	rangeCount = 20
	grepCount  = 50
)

// Answer is the answer to a request. Text has at most FetchMaxChars code points,
// in mode full at most FullFetchMaxChars. From, To (inclusive) and Total are
// in Unit, which is the unit of what was returned: lines that had to be cut
// are answered in chars. For range, full and pointer, Text is exactly the
// characters From to To, endings of lines included; for grep, From to To is
// what was searched. Next is the request that goes on after To with the same
// Count, or nil when To is the end.
type Answer struct {
	Mode  string   `json:"mode"`
	Text  string   `json:"text"`
	From  int64    `json:"from"`
	To    int64    `json:"to"`
	Total int64    `json:"total"`
	Unit  string   `json:"unit"`
	Next  *Request `json:"next"`
}

// Do answers one request for a blob, which m describes. Its error is a *rescue.Error; a grep that
// ran out of its time is an answer.
func Do(blob []byte, m rescue.Meta, q Request, l rescue.Limits) (Answer, error) {
	q, err := q.checked()
	if err != nil {
		return Answer{}, err
	}
	l.FetchMaxChars = max(1, l.FetchMaxChars)
	l.FullFetchMaxChars = max(1, l.FullFetchMaxChars)
	// In less room the modes with words of their own cannot say where they
	// stopped. Modes range, pointer and full work in any room.
	if l.FetchMaxChars < rescue.LeastAnswer && q.Mode != Range && q.Mode != Pointer && q.Mode != Full {
		return Answer{}, rescue.Errorf(CodeBudget,
			"mode %s needs fetch_max_chars of at least %d, and it is %d; use mode range", q.Mode, rescue.LeastAnswer, l.FetchMaxChars)
	}
	x := newText(blob)
	switch q.Mode {
	case Stat:
		return stat(x, m, l), nil
	case Grep:
		g, err := compile(q.Pattern, l)
		if err != nil {
			return Answer{}, err
		}
		return g.grep(x, q, l)
	case Full:
		return full(x, l)
	case Outline:
		return outline(x, m.Kind, q, l)
	case Search:
		return search(x, q, l)
	case Pointer:
		return pointer(x, q, l)
	}
	return slice(x, q, l)
}

// checked returns the request with its defaults, or its fault.
func (q Request) checked() (Request, error) {
	if (q.Mode == "" || q.Mode == Range) && q.Pointer != "" {
		q.Mode = Pointer
	}
	switch q.Mode {
	case Stat, Range, Grep, Full, Outline, Search, Pointer:
	default:
		return q, rescue.Errorf(CodeMode, "unknown mode %q: use stat, range, grep, full, outline, search or pointer", words.Clip(q.Mode, 40))
	}
	q.Start = max(0, q.Start)
	if q.Count < 0 || q.Count == 0 && q.CountGiven {
		q.Count = 1
	}
	q.CountGiven = false // Next goes on from elsewhere.
	if q.Mode == Pointer && q.Start > 0 && q.Unit == Lines {
		return q, rescue.Errorf(CodeUnit, "start is in lines and the value at a pointer is counted in chars of the blob: set unit to chars, or leave start out")
	}
	if q.Mode == Range || q.Mode == Grep {
		switch q.Unit {
		case "":
			q.Unit = Lines
		case Lines, Chars:
		default:
			return q, rescue.Errorf(CodeUnit, "unknown unit %q: use lines or chars", words.Clip(q.Unit, 40))
		}
	}
	switch {
	case q.Mode == Outline, q.Mode == Search, q.Unit == Lines && (q.Mode == Range || q.Mode == Grep):
		q.Start = max(1, q.Start)
	}
	switch {
	case q.Count > 0:
	case q.Mode == Range && q.Unit == Lines:
		q.Count = rangeCount
	case q.Mode == Grep:
		q.Count = grepCount
	}
	return q, nil
}

// UnmarshalJSON reads the arguments of a call of rescuer_fetch as the agent's
// plugin does: a number may be a text or have a fraction, which is cut off; no
// mode means stat, or pointer when there is one; null counts as left out; other
// arguments are passed over. Names count exactly, and the last of equal ones.
func (q *Request) UnmarshalJSON(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	*q = Request{}
	texts := []*string{&q.Mode, &q.Unit, &q.Pattern, &q.Query, &q.Pointer}
	for i, name := range []string{"mode", "unit", "pattern", "query", "pointer"} {
		if value := given[name]; isGiven(value) {
			if err := json.Unmarshal(value, texts[i]); err != nil {
				return fmt.Errorf("%s: want a text", name)
			}
		}
	}
	if !isGiven(given["mode"]) && q.Pointer == "" {
		q.Mode = Stat
	}
	numbers := []*int64{&q.Start, &q.Count}
	for i, name := range []string{"start", "count"} {
		if value := given[name]; isGiven(value) {
			n, ok := wholeNumber(value)
			if !ok {
				return fmt.Errorf("%s: want a whole number", name)
			}
			*numbers[i] = n
		}
	}
	q.CountGiven = isGiven(given["count"]) && q.Count == 0
	return nil
}

func isGiven(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// wholeNumber returns what Python's int makes of a JSON value, cut to the range of
// an int64.
func wholeNumber(value json.RawMessage) (int64, bool) {
	switch c := value[0]; {
	case c == 't':
		return 1, true
	case c == 'f':
		return 0, true
	case c == '"':
		var text string
		if json.Unmarshal(value, &text) != nil {
			return 0, false
		}
		return words.PythonInt(text)
	case c != '-' && (c < '0' || c > '9'):
		return 0, false
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err == nil || !strings.ContainsAny(string(value), ".eE") {
		return n, true // out of range it is the nearest number that is in it
	}
	f, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err != nil: // Python has an infinity here, which is no whole number
		return 0, false
	case f >= math.MaxInt64:
		return math.MaxInt64, true
	case f <= math.MinInt64:
		return math.MinInt64, true
	}
	return int64(f), true
}

// The stable codes of errors.
const (
	CodeMode        = "unknown_mode"
	CodeUnit        = "unknown_unit"
	CodePastEnd     = "past_end"
	CodeBudget      = "budget_too_small"
	CodeFull        = "full_refused"
	CodeNoPattern   = "no_pattern"
	CodePatternLong = "pattern_too_long"
	CodeControl     = "control_characters"
	CodeUnsupported = "pattern_unsupported"
	CodePattern     = "pattern_invalid"
	CodeNoQuery     = "no_query"
	CodeNotJSON     = "not_json"
	CodePointer     = "bad_pointer"
	CodeNoValue     = "pointer_missing"
)
