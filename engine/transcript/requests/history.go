package requests

import (
	"bytes"
	"strings"

	"caliper/engine/transcript"
	"caliper/engine/transcript/dialogue"
	"caliper/model/jsontree"
)

const (
	// mostHistories is how many histories are kept: as many conversations may take turns
	// in a log.
	mostHistories = 4
	// longestHistory is how long one of them may be, in bytes.
	longestHistory = 4 << 20
)

// history is what the messages of a request are made of. The next request of the
// conversation begins with the same bytes, which need not be read again.
type history struct {
	raw   []byte // the array without its closing bracket
	said  []string
	parts []dialogue.Part
}

// histories are those of the last requests, the latest first.
type histories []history

// of returns the parts that a request sent, in their order; system apart from them.
func (h *histories) of(request *jsontree.Node) (system string, parts []dialogue.Part) {
	var said []string
	for _, name := range []string{"system", "instructions"} {
		if s := dialogue.Said(request.Member(name)); s != "" {
			said = append(said, s)
		}
	}
	messages := request.Member("messages")
	if messages == nil {
		messages = request.Member("input")
	}
	switch {
	case messages.Is(jsontree.String):
		parts = append(parts, dialogue.Part{Kind: transcript.User, Text: messages.Text})
	case messages.Is(jsontree.Array):
		all := h.read(messages.Raw)
		said, parts = append(said, all.said...), all.parts
	}
	return strings.Join(said, "\n"), dialogue.Join(parts)
}

// read reads an array of messages.
func (h *histories) read(raw []byte) history {
	raw = bytes.TrimRight(raw[:len(raw)-1], " \t\r\n")
	var all history
	rest := raw
	for i, known := range *h {
		after, ok := bytes.CutPrefix(raw, known.raw)
		if after = bytes.TrimLeft(after, " \t\r\n"); ok && (len(after) == 0 || after[0] == ',') {
			all, rest = known, append([]byte("["), bytes.TrimPrefix(after, []byte(","))...)
			*h = append((*h)[:i], (*h)[i+1:]...)
			break
		}
	}
	messages, _ := jsontree.Parse(append(rest[:len(rest):len(rest)], ']'), jsontree.Strict) // it was checked
	for _, m := range messages.Elements() {
		for _, p := range dialogue.Read(m.Node) {
			if p.Kind == transcript.System && len(all.parts) == 0 {
				all.said = append(all.said, p.Text)
				continue
			}
			all.parts = append(all.parts, p)
		}
	}
	if len(raw) > 1 && len(raw) <= longestHistory {
		all.raw = append(all.raw, raw[len(all.raw):]...)
		*h = append(histories{all}, (*h)[:min(len(*h), mostHistories-1)]...)
	}
	return all
}
