package fetch

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"caliper/engine/rescue"
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
// A Pointer with mode range, or with none, means mode pointer. Without a Start
// an answer is from the beginning, without a Count as much as the budget holds.
// A 0 counts as left out unless StartGiven or CountGiven says otherwise, which
// UnmarshalJSON sees to; next to other numbers they do not matter. A Start of 0
// that is given is an error where counting begins with 1, and a Count of 0
// always where a Count matters.
type Request struct {
	Mode    string `json:"mode"`
	Start   int64  `json:"start,omitempty"`
	Count   int64  `json:"count,omitempty"`
	Unit    string `json:"unit,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Query   string `json:"query,omitempty"`
	Pointer string `json:"pointer,omitempty"`

	StartGiven bool `json:"-"`
	CountGiven bool `json:"-"`
}

// UnmarshalJSON reads the arguments of a call of rescuer_fetch and remembers
// whether start and count are among them. null counts as left out.
func (q *Request) UnmarshalJSON(data []byte) error {
	type fields Request
	given := struct {
		*fields
		Start *int64 `json:"start"`
		Count *int64 `json:"count"`
	}{fields: (*fields)(q)}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	if given.Start != nil {
		q.Start, q.StartGiven = *given.Start, *given.Start == 0
	}
	if given.Count != nil {
		q.Count, q.CountGiven = *given.Count, *given.Count == 0
	}
	return nil
}

// Answer is what a request gave. Text has at most FetchMaxChars code points,
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

	judged  bool
	verdict error // what keeps the blob from being one JSON value
}

// NewReader returns a reader of src, which m describes. Nothing is read before
// the first request.
func NewReader(src Source, m rescue.Meta) *Reader { return &Reader{src: src, meta: m} }

// Do answers one request with a reader of its own.
func Do(ctx context.Context, src Source, m rescue.Meta, q Request, l rescue.Limits) (Answer, error) {
	return NewReader(src, m).Do(ctx, q, l)
}

// minimumBudget is the least room in which modes with words of their own can
// say where they stopped. Modes range, pointer and full work in any room.
const minimumBudget = 200

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
	if l.FetchMaxChars < minimumBudget && q.Mode != Range && q.Mode != Pointer && q.Mode != Full {
		return Answer{}, faultf(CodeBudget,
			"mode %s needs fetch_max_chars of at least %d, and it is %d; use mode range", q.Mode, minimumBudget, l.FetchMaxChars)
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

// checked returns the request with its defaults, or what is wrong with it.
func (q Request) checked() (Request, error) {
	if (q.Mode == "" || q.Mode == Range) && q.Pointer != "" {
		q.Mode = Pointer
	}
	switch q.Mode {
	case Stat, Range, Grep, Full, Outline, Search, Pointer:
	default:
		return q, faultf(CodeMode, "unknown mode %q: use stat, range, grep, full, outline, search or pointer", clip(q.Mode, 40))
	}
	if q.Start < 0 {
		return q, faultf(CodeStart, "start is %d: lines count from 1 and chars from 0; mode stat tells how many there are", q.Start)
	}
	if q.Count < 0 {
		return q, faultf(CodeCount, "count is %d: use 1 or more, or leave it out for as much as fits", q.Count)
	}
	if q.Mode == Pointer && q.Start > 0 && q.Unit == Lines {
		return q, faultf(CodeUnit, "start is in lines and the value at a pointer is counted in chars of the blob: set unit to chars, or leave start out")
	}
	if q.Mode == Range || q.Mode == Grep {
		switch q.Unit {
		case "":
			q.Unit = Lines
		case Lines, Chars:
		default:
			return q, faultf(CodeUnit, "unknown unit %q: use lines or chars", clip(q.Unit, 40))
		}
	}
	return q.checkedZeros()
}

// checkedZeros settles what a Start or a Count of 0 means, or says that it
// means nothing.
func (q Request) checkedZeros() (Request, error) {
	what := ""
	switch {
	case q.Mode == Outline:
		what = Entries
	case q.Mode == Search:
		what = Passages
	case (q.Mode == Range || q.Mode == Grep) && q.Unit == Lines:
		what = Lines
	}
	if what != "" && q.Start == 0 {
		if q.StartGiven {
			return q, faultf(CodeStart, "start is 0 and %s count from 1: use 1 for the beginning, or leave it out", what)
		}
		q.Start = 1
	}
	if q.CountGiven && q.Count == 0 && q.Mode != Stat && q.Mode != Full {
		return q, faultf(CodeCount, "count is 0, which asks for nothing: use 1 or more, or leave it out for as much as fits")
	}
	// Next goes on from elsewhere.
	q.StartGiven, q.CountGiven = q.StartGiven && q.Mode == Pointer, false
	return q, nil
}
