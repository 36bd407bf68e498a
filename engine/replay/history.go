package replay

import "caliper/engine/transcript"

// history is the tree of a context's entries: who saw whom.
type history struct {
	entries   []transcript.Entry
	depth     []int
	in, out   []int // an entry's descendants have an in between its own and its out
	measured  []transcript.Size
	cumulated []transcript.Size // of an entry and all its ancestors, as measured
}

// newHistory returns the history of a context whose entries weigh what measure returns. A parent
// that does not stand before its entry counts as None.
func newHistory(entries []transcript.Entry, measure func(i int) transcript.Size) history {
	n := len(entries)
	h := history{entries: entries, depth: make([]int, n), in: make([]int, n), out: make([]int, n), measured: make([]transcript.Size, n), cumulated: make([]transcript.Size, n)}
	below := make([]int, n) // entries in the subtree, itself included
	free := make([]int, n)  // in of the next child
	for i := len(entries) - 1; i >= 0; i-- {
		below[i]++
		if p := h.parent(i); p != transcript.None {
			below[p] += below[i]
		}
	}
	next := 0 // in of the next root
	for i := range entries {
		h.measured[i] = measure(i)
		h.cumulated[i] = h.measured[i]
		if p := h.parent(i); p == transcript.None {
			h.in[i] = next
			next += below[i]
		} else {
			h.in[i], h.depth[i] = free[p], h.depth[p]+1
			free[p] += below[i]
			h.cumulated[i] = h.cumulated[i].Add(h.cumulated[p])
		}
		free[i], h.out[i] = h.in[i]+1, h.in[i]+below[i]
	}
	return h
}

// parent returns the entry before another in the history that the model saw.
func (h *history) parent(i int) int {
	if p := h.entries[i].Parent; p >= 0 && p < i {
		return p
	}
	return transcript.None
}

// before returns the size of what an entry was preceded by.
func (h *history) before(i int) transcript.Size {
	if p := h.parent(i); p != transcript.None {
		return h.cumulated[p]
	}
	return transcript.Size{}
}

// saw reports whether an entry has another in its history, or is it.
func (h *history) saw(i, ancestor int) bool {
	return h.in[ancestor] <= h.in[i] && h.in[i] < h.out[ancestor]
}
