package transcript

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"slices"
	"time"

	"caliper/model/jsontree"
)

// RequestsReader reads logs of requests to a model with their responses, in the
// formats of OpenAI chat, OpenAI responses and Anthropic messages, whoever wrote them.
//
// An entry is {"request", "response"}, one a line or in an array, or a request that has its
// "response" besides; or a request and its response stand in turns, bare or under these names. Nothing says which requests
// belong together, so a session is a chain: a request belongs to the session whose
// last history, with or without the answer to it, is the longest beginning of its
// own. System prompts do not count for that, as programs write the date into them.
//
// For example, with the histories [u], [u a v] and [w] there are two sessions, of two
// requests and one: [u] is the beginning of [u a v]. The last is the second session
// of its file f, so its id is f#2.
//
// What a request repeats of an answer that is not in the log is a copy: it is in the
// history, and was paid for elsewhere. A history that is sent again, longer than a
// first message, is a branch of its session; a first message alone begins another.
//
// The input that OpenAI counts contains what was read from the cache; the three
// counts of Anthropic add up.
//
// Invariants:
//   - each response is one request of one session; one with an id that is there again,
//     at the same time and with the same request, is a copy, also in another log, and
//     the first in Reader.Order has it; one
//     without an id is a copy of the one directly before it if both have one time, finer than a second;
//   - a response that is an error, or was logged as a stream of events, is counted as
//     left out;
//   - memory grows with the number of exchanges, by some digests each, and with the longest
//     entry of the log. Sessions with the same tools share them.
//
// It reads logs one after the other. The sessions of a file are its own. The zero
// value is ready.
type RequestsReader struct {
	Options  Options
	sessions []Session
	packer   Packer
	seen     map[Digest]int32                // of exchanges whose response has an id: the number of the log in which it was first, from 1
	arrays   map[[sha256.Size]byte]ToolArray // that were read, by the digest of their bytes: sessions share them
	skipped  Skips
	paths    []string             // of the logs
	latest   map[string]time.Time // of a log: the last exchange with a time, copies too
	pairs    map[[2]int32]bool    // pairs of logs where the second has an exchange of the first
}

// Order returns the logs in the order in which they should be read, so that exchanges which two
// of them have count in the one whose last exchange was first; nil where they were read so.
func (r *RequestsReader) Order() []string {
	var moved []int32 // numbers of the logs that share exchanges, if one of them is to be before another
	wrong := false
	for pair := range r.pairs {
		first, known := r.latest[r.paths[pair[0]-1]]
		second, too := r.latest[r.paths[pair[1]-1]]
		wrong = wrong || known && too && second.Before(first)
		if known && too {
			moved = append(moved, pair[0], pair[1])
		}
	}
	if !wrong {
		return nil
	}
	slices.Sort(moved)
	moved = slices.Compact(moved)
	sorted := slices.Clone(moved)
	slices.SortStableFunc(sorted, func(a, b int32) int { return r.latest[r.paths[a-1]].Compare(r.latest[r.paths[b-1]]) })
	order := slices.Clone(r.paths)
	for i, number := range moved {
		order[number-1] = r.paths[sorted[i]-1]
	}
	return order
}

// Read reads one log to its end. Nothing fails but ctx and the stream.
func (r *RequestsReader) Read(ctx context.Context, in io.Reader, path string) error {
	if r.seen == nil {
		r.seen = map[Digest]int32{}
	}
	r.paths = append(r.paths, path)
	f := &file{reader: r, path: path, number: int32(len(r.paths)), at: map[uint64]historyEnd{}, ids: map[Digest]historyEnd{}}
	err := Values{
		Value: func(number int, data []byte) error {
			n, ok := ParseObject(data)
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
	first := len(r.sessions)
	r.sessions = slices.Grow(r.sessions, len(f.sessions))
	for _, s := range f.sessions {
		if s.out.Packed == nil {
			s.out.Contexts = []Context{{Entries: s.builder.Entries}}
		}
		r.sessions = append(r.sessions, s.out)
	}
	if r.Options.Pack {
		var list []*Session
		for i := first; i < len(r.sessions); i++ {
			list = append(list, &r.sessions[i])
		}
		r.packer.Pack(list...)
	}
	return err
}

// Log returns what was read so far.
func (r *RequestsReader) Log() Log {
	return Log{Sessions: r.sessions, Skipped: r.skipped.List()}
}

// entry takes an entry: both halves, or one of them.
func (f *file) entry(n *jsontree.Node, number int) {
	request, response := n.Member("request"), n.Member("response")
	switch {
	case request == nil && isRequest(n): // with its response, or alone
		request = n
	case request == nil && response == nil:
		response = n
	case !present(request) && !present(response), request.AsText() != "" && !present(response):
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
		if f.held != nil { // it waits for its response, independent of the line
			if copied, ok := ParseObject(bytes.Clone(f.held.request.Raw)); ok {
				f.held.request = copied
			}
		}
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
	r := f.reader
	if r.latest == nil {
		r.latest = map[string]time.Time{}
	}
	if x.at.After(r.latest[f.path]) {
		r.latest[f.path] = x.at
	}
	if f.again(x) {
		f.skip(number, "copy of a response")
		return
	}
	f.take(x)
}

// again reports whether an exchange was read before: with its time, the same response byte
// for byte, and a request of the same length and CRC-32C. One whose response has no id may have
// been sent again, but not in the same part of a second as the one directly before it.
func (f *file) again(x exchange) bool {
	named := x.response.Member("id").AsText() != ""
	if !named && x.at.Nanosecond() == 0 { // a clock of seconds may stand still
		return false
	}
	h := sha256.New()
	for _, part := range [][]byte{x.response.Raw, binary.BigEndian.AppendUint64(nil, TextSum(x.request.Raw)), binary.BigEndian.AppendUint64(nil, uint64(x.at.UnixNano()))} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	var sum Digest
	copy(sum[:], h.Sum(nil))
	r := f.reader
	if !named {
		before := f.last
		f.last = sum
		return before == sum
	}
	first, known := r.seen[sum]
	if !known {
		r.seen[sum] = f.number
	}
	if known && first != f.number {
		if r.pairs == nil {
			r.pairs = map[[2]int32]bool{}
		}
		r.pairs[[2]int32{first, f.number}] = true
	}
	return known
}

// abandon counts a request that has no response.
func (f *file) abandon() {
	if f.held != nil {
		f.skip(f.held.number, "request without a response")
		f.held = nil
	}
}

// skip counts an exchange that is left out.
func (f *file) skip(number int, what string) {
	f.reader.skipped.Add(f.path, number, what)
}
