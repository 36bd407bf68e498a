package transcript

import (
	"bytes"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

const (
	// mostHistories is how many histories are kept: as many conversations may take turns
	// in a log.
	mostHistories = 4
	// longestHistory is how long one of them may be, in bytes.
	longestHistory = 4 << 20
)

// history is the source of a request's messages. The next request of the
// conversation begins with the same bytes, which need not be read again.
type history struct {
	raw   []byte // the array without its closing bracket, clean as Parse takes it
	said  []string
	parts []MessagePart // joined
	steps []uint64      // of each part; see step
}

// histories are the histories of the last requests.
type histories struct {
	latest []history // the latest first
}

// of returns the history that a request sent; system apart from it.
func (h *histories) of(request *jsontree.Node) (system string, sent history) {
	var said []string
	for _, name := range []string{"system", "instructions"} {
		if s := ContentText(request.Member(name)); s != "" {
			said = append(said, s)
		}
	}
	messages := request.Member("messages")
	if messages == nil {
		messages = request.Member("input")
	}
	switch {
	case messages.Is(jsontree.String):
		sent.join([]MessagePart{{Kind: User, Text: messages.Text}})
	case messages.Is(jsontree.Array):
		sent = h.read(messages.Raw)
		said = append(said, sent.said...)
	}
	return strings.Join(said, "\n"), sent
}

// read reads an array of messages.
func (h *histories) read(array []byte) history {
	raw := bytes.TrimRight(array[:len(array)-1], " \t\r\n")
	var all history
	for i, known := range h.latest {
		if behind(raw, known.raw) {
			after := bytes.TrimLeft(array[len(known.raw):], " \t\r\n")
			all, array = known, append([]byte("["), bytes.TrimPrefix(after, []byte(","))...)
			h.latest = slices.Delete(h.latest, i, i+1)
			break
		}
	}
	var more []MessagePart
	messages := jsontree.Walk(array)
	messages.Array(func() bool { // it was checked
		m, ok := messages.Tree()
		for _, p := range MessageParts(m) {
			if p.Kind == System && !p.Defines && len(all.parts)+len(more) == 0 {
				all.said = append(all.said, p.Text)
				continue
			}
			more = append(more, p)
		}
		return ok
	})
	all.join(more)
	if len(raw) > 1 && len(raw) <= longestHistory {
		h.keep(&all, raw)
	}
	return all
}

// keep makes a history the latest, whose array without its closing bracket is raw.
func (h *histories) keep(latest *history, raw []byte) {
	list := h.latest
	if len(list) < mostHistories {
		list = append(list, history{})
	}
	oldest := list[len(list)-1]
	copy(list[1:], list)
	if latest.raw == nil {
		latest.raw = oldest.raw[:0] // nobody reads it again
	}
	latest.raw = append(latest.raw, raw[len(latest.raw):]...)
	list[0] = *latest
	h.latest = list
}

// join adds parts.
func (x *history) join(more []MessagePart) {
	same := len(x.parts)
	if same > 0 && len(more) > 0 && x.parts[same-1].Kind == Answer && more[0].Kind == Answer {
		same-- // it goes on
	}
	x.parts = JoinParts(append(x.parts[:len(x.parts):len(x.parts)], more...))
	x.steps = x.steps[:same:same]
	for _, p := range x.parts[same:] {
		x.steps = append(x.steps, step(p))
	}
}

// behind reports whether an array without its closing bracket begins with another one, so
// that the rest is further elements.
func behind(raw, known []byte) bool {
	after, ok := bytes.CutPrefix(raw, known)
	after = bytes.TrimLeft(after, " \t\r\n")
	return ok && (len(after) == 0 || after[0] == ',')
}

// known returns how many bytes of an array, which a text begins with, equal the last
// requests.
func (f *file) known(text []byte) int {
	for _, known := range f.histories.latest {
		if begins(text, known.raw) {
			return len(known.raw)
		}
	}
	for _, t := range f.tools {
		if begins(text, t.raw[:len(t.raw)-1]) {
			return len(t.raw) - 1
		}
	}
	return 0
}

// begins reports whether a text begins with an array that has all elements of another one,
// which has no closing bracket.
func begins(text, known []byte) bool {
	after, ok := bytes.CutPrefix(text, known)
	if !ok || len(known) < 2 {
		return false
	}
	after = bytes.TrimLeft(after, " \t\r\n")
	return len(after) > 0 && (after[0] == ',' || after[0] == ']')
}
