package replay

import (
	"encoding/binary"
	"iter"
	"time"

	"caliper/engine/transcript/kept"
	"caliper/model"
)

// CallRows holds calls in a few bytes each: 500 MB of logs may have hundreds of thousands.
// The user's words are kept once for the calls that follow them.
type CallRows struct {
	rows  pieces
	texts texts // names and statuses
	tools []*model.Tool
	tool  map[*model.Tool]int // their numbers

	words string // of the last call that has some of its own
	said  int    // the number of that call
}

// What a packed call has, as bits.
const (
	callAnswered = 1 << iota
	callFailed
	callElsewhere
	callTimed
	callInRegistry
	callSays  // words of its own
	callAsks  // a query that is neither its words nor its last search
	callFinds // a query that is its last search
)

// Len returns the number of calls.
func (r *CallRows) Len() int { return r.rows.len() }

// add adds a call.
func (r *CallRows) add(c *Call) {
	says := r.Len() == 0 || c.Words != r.words
	finds := len(c.Searches) > 0 && c.Query == c.Searches[len(c.Searches)-1]
	asks := !finds && c.Query != c.Words
	var room [512]byte
	data := binary.AppendUvarint(room[:0], kept.Bits(c.Answered, c.Failed, c.Elsewhere, !c.When.IsZero(), c.Tool != nil, says, asks, finds))
	data = appendInts(data, c.Session, c.Context, c.Entry, c.Request)
	if !c.When.IsZero() {
		data = appendInts(data, int(c.When.Unix()), c.When.Nanosecond())
	}
	data = binary.AppendUvarint(data, r.texts.number(c.Name))
	data = binary.AppendUvarint(data, r.texts.number(string(c.Status)))
	if c.Tool != nil {
		data = appendInts(data, r.number(c.Tool))
	}
	if says {
		r.words, r.said = c.Words, r.Len()
		data = appendText(data, c.Words)
	} else {
		data = appendInts(data, r.said)
	}
	if asks {
		data = appendText(data, c.Query)
	}
	data = appendInts(data, len(c.Searches))
	for _, s := range c.Searches {
		data = appendText(data, s)
	}
	data = appendInts(appendInts(data, len(c.Ranks)), c.Ranks...)
	r.rows.add(data)
}

// number returns the number of a tool.
func (r *CallRows) number(t *model.Tool) int {
	n, ok := r.tool[t]
	if !ok {
		if r.tool == nil {
			r.tool = map[*model.Tool]int{}
		}
		n = len(r.tools)
		r.tool[t], r.tools = n, append(r.tools, t)
	}
	return n
}

// At returns a call.
func (r *CallRows) At(i int) (c Call) {
	d := r.rows.at(i)
	has := d.uint()
	c.Answered, c.Failed, c.Elsewhere = has&callAnswered != 0, has&callFailed != 0, has&callElsewhere != 0
	c.Session, c.Context, c.Entry, c.Request = d.int(), d.int(), d.int(), d.int()
	if has&callTimed != 0 {
		c.When = time.Unix(int64(d.int()), int64(d.int())).UTC()
	}
	c.Name, c.Status = r.texts.list[d.uint()], Status(r.texts.list[d.uint()])
	if has&callInRegistry != 0 {
		c.Tool = r.tools[d.int()]
	}
	if has&callSays != 0 {
		c.Words = d.text()
	} else {
		c.Words = r.At(d.int()).Words
	}
	c.Query = c.Words
	if has&callAsks != 0 {
		c.Query = d.text()
	}
	if n := d.int(); n > 0 {
		c.Searches = make([]string, n)
		for i := range c.Searches {
			c.Searches[i] = d.text()
		}
	}
	if has&callFinds != 0 {
		c.Query = c.Searches[len(c.Searches)-1]
	}
	c.Ranks = make([]int, d.int())
	for i := range c.Ranks {
		c.Ranks[i] = d.int()
	}
	return c
}

// Call returns a call, packed or not.
func (r *Report) Call(i int) Call {
	if r.PackedCalls != nil {
		return r.PackedCalls.At(i)
	}
	return r.Calls[i]
}

// EachCall returns all calls in their order, packed or not.
func (r *Report) EachCall() iter.Seq2[int, Call] {
	return func(yield func(int, Call) bool) {
		if r.PackedCalls == nil {
			for i, c := range r.Calls {
				if !yield(i, c) {
					return
				}
			}
			return
		}
		for i := range r.PackedCalls.Len() {
			if !yield(i, r.PackedCalls.At(i)) {
				return
			}
		}
	}
}
