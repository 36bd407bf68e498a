package requests

import (
	"context"
	"io"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/engine/transcript/lines"
	"caliper/model/jsontree"
)

// Reader reads logs one after the other. The sessions of a file are its own. The zero
// value is ready.
type Reader struct {
	Options  transcript.Options
	sessions []transcript.Session
	skipped  []transcript.Skipped
	kinds    map[string]int // of the file that is read: index in skipped
}

// Read reads one log to its end. Nothing fails but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	f := &file{reader: r, path: path, at: map[uint64]place{}, ids: map[string]place{}}
	r.kinds = map[string]int{}
	err := lines.Values{
		Value: func(number int, data []byte) error {
			n, ok := dialogue.Parse(data)
			if !ok {
				f.skip(number, "not JSON")
				return nil
			}
			f.entry(n, number)
			return nil
		},
		Bad:      f.skip,
		Progress: r.Options.Progress,
	}.Read(ctx, in)
	f.abandon()
	f.end()
	return err
}

// Log returns what was read so far.
func (r *Reader) Log() transcript.Log {
	return transcript.Log{Sessions: r.sessions, Skipped: r.skipped}
}

// entry takes an entry: both halves, or one of them.
func (f *file) entry(n *jsontree.Node, number int) {
	request, response := n.Member("request"), n.Member("response")
	switch {
	case request == nil && response == nil:
		if isRequest(n) {
			request = n
		} else {
			response = n
		}
	case !present(request) && !present(response), text(request) != "" && !present(response):
		f.skip(number, "unknown")
		return
	}
	if body := request.Member("body"); body.Is(jsontree.Object) {
		request = body
	}
	if body := response.Member("body"); present(body) {
		response = body
	}
	if present(request) {
		f.abandon()
		if !isRequest(request) {
			f.skip(number, "unknown")
			return
		}
		f.held = &exchange{number: number, at: when(n, nil), request: request}
	}
	if !present(response) {
		f.keep()
		return
	}
	what := refusal(response)
	if what == "" && f.held == nil {
		what = "response without a request"
	}
	if what != "" {
		f.skip(number, what)
		if what == "error" || present(request) {
			f.held = nil // its response was here
		}
		return
	}
	x := *f.held
	f.held = nil
	x.response = response
	if t := when(n, response); !t.IsZero() {
		x.at = t
	}
	f.take(x)
}

// keep makes the request that waits for its response independent of the line.
func (f *file) keep() {
	if f.held == nil {
		return
	}
	if copied, ok := dialogue.Parse(append([]byte(nil), f.held.request.Raw...)); ok {
		f.held.request = copied
	}
}

// abandon counts a request that has no response.
func (f *file) abandon() {
	if f.held != nil {
		f.skip(f.held.number, "request without a response")
		f.held = nil
	}
}

// skip counts what is left out.
func (f *file) skip(number int, what string) {
	r := f.reader
	i, ok := r.kinds[what]
	if !ok {
		i = len(r.skipped)
		r.kinds[what] = i
		r.skipped = append(r.skipped, transcript.Skipped{File: f.path, Line: number, What: what})
	}
	r.skipped[i].Count++
}
