package requests

import (
	"context"
	"hash/maphash"
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
	seen     map[uint64]bool // digests of exchanges whose response has an id
	skipped  transcript.Skips
}

// Read reads one log to its end. Nothing fails but ctx and the stream.
func (r *Reader) Read(ctx context.Context, in io.Reader, path string) error {
	f := &file{reader: r, path: path, at: map[uint64]place{}, ids: map[string]place{}}
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
	return transcript.Log{Sessions: r.sessions, Skipped: r.skipped.List()}
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
	if f.reader.again(x) {
		f.skip(number, "copy of a response")
		return
	}
	f.take(x)
}

var seed = maphash.MakeSeed()

// again reports whether an exchange was read before, with its time and byte for byte. One
// whose response has no id may have been sent again.
func (r *Reader) again(x exchange) bool {
	if text(x.response.Member("id")) == "" {
		return false
	}
	var h maphash.Hash
	h.SetSeed(seed)
	h.Write(x.request.Raw)
	h.Write(x.response.Raw)
	maphash.WriteComparable(&h, x.at.UnixNano())
	sum := h.Sum64()
	if r.seen == nil {
		r.seen = map[uint64]bool{}
	}
	known := r.seen[sum]
	r.seen[sum] = true
	return known
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
func (f *file) skip(number int, what string) { f.reader.skipped.Add(f.path, number, what) }
