package replay

import (
	"encoding/binary"
	"iter"
	"slices"
	"time"

	"caliper/model"
)

// packedCalls holds calls in a few bytes each: 500 MB of logs may have hundreds of thousands.
// The user's words are kept once for the calls that follow them, and the searches of a need
// once for all of its calls, which may be as many as the searches.
type packedCalls struct {
	rows     pieces
	texts    texts // names and statuses
	tools    []*model.Tool
	tool     map[*model.Tool]int // their numbers
	words    []string            // the words of a call that differ from those before
	searches []string            // of one need behind those of the other
	last     []string            // the searches of the last call
	from     int                 // where they begin in searches
}

// What a packed call has, as bits.
const (
	callAnswered = 1 << iota
	callFailed
	callLed // to its tool, by its query
	callTimed
	callInRegistry
	callAsks  // a query that is neither its words nor its last search
	callFinds // a query that is its last search
	callLedBy // another query
	callOwnTold
	callOwnFound
)

// len returns the number of calls.
func (r *packedCalls) len() int { return r.rows.len() }

// add adds a call.
func (r *packedCalls) add(c *Call) {
	finds := len(c.Searches) > 0 && c.Query == c.Searches[len(c.Searches)-1]
	asks := !finds && c.Query != c.Words
	var room [512]byte
	data := binary.AppendUvarint(room[:0], bits(c.Answered, c.Failed, c.Led == c.Query, !c.When.IsZero(), c.Tool != nil, asks, finds, c.Led != c.Query && c.Led != "", c.Own.Told, c.Own.Found))
	data = appendInts(data, c.Session, c.Context, c.Entry, c.Request)
	if !c.When.IsZero() {
		data = appendInts(data, int(c.When.Unix()), c.When.Nanosecond())
	}
	data = binary.AppendUvarint(data, r.texts.number(c.Name))
	data = binary.AppendUvarint(data, r.texts.number(string(c.Status)))
	if c.Tool != nil {
		data = appendInts(data, r.number(c.Tool))
	}
	if last := len(r.words) - 1; last < 0 || c.Words != r.words[last] {
		r.words = append(r.words, c.Words)
	}
	data = appendInts(data, len(r.words)-1)
	if asks {
		data = appendText(data, c.Query)
	}
	if c.Led != c.Query && c.Led != "" {
		data = appendText(data, c.Led)
	}
	data = appendInts(data, c.Own.Rank, len(c.Reworded))
	for _, q := range c.Reworded {
		data = appendText(data, q)
	}
	data = appendInts(data, r.search(c.Searches), len(c.Searches))
	data = appendInts(appendInts(data, len(c.Ranks)), c.Ranks...)
	r.rows.add(data)
}

// search returns where the searches of a call begin in r.searches, to which it adds those
// that the call before it does not have.
func (r *packedCalls) search(list []string) (from int) {
	n := len(r.last)
	goesOn := n > 0 && n <= len(list) && (&list[0] == &r.last[0] || slices.Equal(list[:n], r.last)) // mostly they are the same memory
	if !goesOn {
		r.from, n = len(r.searches), 0
	}
	r.searches, r.last = append(r.searches, list[n:]...), list
	return r.from
}

// number returns the number of a tool.
func (r *packedCalls) number(t *model.Tool) int {
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

// at returns a call.
func (r *packedCalls) at(i int) (c Call) {
	d := r.rows.at(i)
	has := d.uint()
	c.Answered, c.Failed = has&callAnswered != 0, has&callFailed != 0
	c.Session, c.Context, c.Entry, c.Request = d.int(), d.int(), d.int(), d.int()
	if has&callTimed != 0 {
		c.When = time.Unix(int64(d.int()), int64(d.int())).UTC()
	}
	c.Name, c.Status = r.texts.list[d.uint()], Status(r.texts.list[d.uint()])
	if has&callInRegistry != 0 {
		c.Tool = r.tools[d.int()]
	}
	c.Words = r.words[d.int()]
	c.Query = c.Words
	if has&callAsks != 0 {
		c.Query = d.text()
	}
	if has&callLedBy != 0 {
		c.Led = d.text()
	}
	c.Own = Own{Rank: d.int(), Told: has&callOwnTold != 0, Found: has&callOwnFound != 0}
	if n := d.int(); n > 0 {
		c.Reworded = make([]string, n)
		for i := range c.Reworded {
			c.Reworded[i] = d.text()
		}
	}
	if from, n := d.int(), d.int(); n > 0 {
		c.Searches = r.searches[from : from+n : from+n]
	}
	if has&callFinds != 0 {
		c.Query = c.Searches[len(c.Searches)-1]
	}
	if has&callLed != 0 {
		c.Led = c.Query
	}
	c.Ranks = make([]int, d.int())
	for i := range c.Ranks {
		c.Ranks[i] = d.int()
	}
	return c
}

// Call returns a call, packed or not.
func (r *Report) Call(i int) Call {
	if r.packedCalls != nil {
		return r.packedCalls.at(i)
	}
	return r.Calls[i]
}

// CallCount returns the number of calls, packed or not.
func (r *Report) CallCount() int {
	if r.packedCalls != nil {
		return r.packedCalls.len()
	}
	return len(r.Calls)
}

// EachCall returns all calls in their order, packed or not.
func (r *Report) EachCall() iter.Seq2[int, Call] {
	return func(yield func(int, Call) bool) {
		for i := range r.CallCount() {
			if !yield(i, r.Call(i)) {
				return
			}
		}
	}
}
