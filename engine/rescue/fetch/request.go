package fetch

import (
	"context"
	"io"
	"sync"

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

// Source is the bytes of a blob. It must not change while it is read, and
// must allow concurrent reads, as io.ReaderAt demands.
type Source interface {
	io.ReaderAt
	Size() int64
}

// Reader answers requests for one blob and remembers between them where its
// lines and characters are. It is safe for concurrent use.
type Reader struct {
	src  Source
	meta rescue.Meta

	mu       sync.Mutex
	touched  *index
	outlined *outline
	pointed  *pointed

	isChecked bool  // the verdict is known
	verdict   error // what keeps the blob from being one JSON value
}

// NewReader returns a reader of src, which m describes. Nothing is read before
// the first request.
func NewReader(src Source, m rescue.Meta) *Reader { return &Reader{src: src, meta: m} }

// Do answers one request. Its error is an *Error, or the context's when that
// ended; a grep that ran out of its own time is an answer.
func (r *Reader) Do(ctx context.Context, q Request, l rescue.Limits) (Answer, error) {
	q, err := q.checked()
	if err != nil {
		return Answer{}, err
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	l.FetchMaxChars = max(1, l.FetchMaxChars)
	l.FullFetchMaxChars = max(1, l.FullFetchMaxChars)
	// In less room the modes with words of their own cannot say where they
	// stopped. Modes range, pointer and full work in any room.
	if l.FetchMaxChars < rescue.LeastAnswer && q.Mode != Range && q.Mode != Pointer && q.Mode != Full {
		return Answer{}, faultf(CodeBudget,
			"mode %s needs fetch_max_chars of at least %d, and it is %d; use mode range", q.Mode, rescue.LeastAnswer, l.FetchMaxChars)
	}
	x, err := r.touch(ctx)
	if err != nil {
		return Answer{}, err
	}
	switch q.Mode {
	case Stat:
		return r.stat(x, l), nil
	case Grep:
		return r.grep(ctx, x, q, l)
	case Full:
		return r.full(x, l)
	case Outline:
		return r.outline(ctx, x, q, l)
	case Search:
		return r.search(ctx, x, q, l)
	case Pointer:
		return r.pointer(ctx, x, q, l)
	}
	return r.slice(x, q, l)
}

// checked returns the request with its defaults, or its fault.
func (q Request) checked() (Request, error) {
	if (q.Mode == "" || q.Mode == Range) && q.Pointer != "" {
		q.Mode = Pointer
	}
	switch q.Mode {
	case Stat, Range, Grep, Full, Outline, Search, Pointer:
	default:
		return q, faultf(CodeMode, "unknown mode %q: use stat, range, grep, full, outline, search or pointer", words.Clip(q.Mode, 40))
	}
	q.Start = max(0, q.Start)
	if q.Count < 0 || q.Count == 0 && q.CountGiven {
		q.Count = 1
	}
	q.CountGiven = false // Next goes on from elsewhere.
	if q.Mode == Pointer && q.Start > 0 && q.Unit == Lines {
		return q, faultf(CodeUnit, "start is in lines and the value at a pointer is counted in chars of the blob: set unit to chars, or leave start out")
	}
	if q.Mode == Range || q.Mode == Grep {
		switch q.Unit {
		case "":
			q.Unit = Lines
		case Lines, Chars:
		default:
			return q, faultf(CodeUnit, "unknown unit %q: use lines or chars", words.Clip(q.Unit, 40))
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
