package rescue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/words"
)

// leastItem is the room below which an item is not worth showing, in
// characters.
const leastItem = 120

// json returns the excerpt of an array or an object: its shape, its first and
// last items, each within its share of the room, and marks for the others.
func (x *excerpt) json(room int) ([]Line, []Gap) {
	p := page{room: room}
	if shape := x.shape(room / 4); shape != "" {
		p.add(Line{shape, LineOurs})
	}
	chosen := x.items.ends // as many as there is room for, those at the beginning before those at the end
	if n := max(0, (p.room-markRoom)/leastItem); n < len(chosen) {
		last := min(n/3, max(0, x.limits.JSONTailItems))
		chosen = slices.Concat(chosen[:n-last], chosen[len(chosen)-last:])
	}
	lines, inner := x.itemLines(chosen, p.room-2*markRoom)
	var gaps []Gap
	next, end := 0, int64(0) // the first item not yet accounted for, and its place
	leave := func(upTo int, place int64) {
		if upTo <= next {
			return
		}
		gap := Gap{From: next, To: upTo - 1, Unit: UnitItems, Of: x.of, Chars: int64(utf8.RuneCount(x.data[end:place]))}
		if p.add(Line{gap.mark(), LineLeftOut}) {
			gaps = append(gaps, gap)
		}
	}
	for i, it := range chosen {
		if lines[i] == nil {
			continue
		}
		leave(it.index, it.from)
		if !p.add(lines[i]...) {
			break
		}
		gaps = append(gaps, inner[i]...)
		next, end = it.index+1, it.to
	}
	leave(x.items.count, int64(len(x.data)))
	return p.lines, gaps
}

// itemLines returns the lines for each item, of at most room characters in all.
// What small items do not need goes to the larger ones. A member that is most
// of an object is shown by its own items, and what those leave out is in gaps.
func (x *excerpt) itemLines(list []item, room int) (lines [][]Line, gaps [][]Gap) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].size(), list[b].size()) })
	lines, gaps = make([][]Line, len(list)), make([][]Gap, len(list))
	for done, i := range order {
		share := room / (len(list) - done)
		if inner := x.inside(list[i], share); inner != nil {
			lines[i], gaps[i] = inner.json(share)
		} else if text := x.itemLine(list[i], share); text != "" {
			lines[i] = []Line{{text, LineContent}}
		}
		room -= charsOfLines(lines[i])
	}
	return lines, gaps
}

// roomInside is the room that the items of a member need to be worth showing, in
// characters.
const roomInside = 1000

// inside returns the excerpt of a member that is a list or an object and more
// than half of the blob, or nil. It goes one level deep.
func (x *excerpt) inside(it item, room int) *excerpt {
	isPart := it.first == '[' || it.first == '{'
	if x.of != "" || !x.items.object || !isPart || it.size() <= int64(len(x.data)/2) || it.size() <= int64(room) || room < roomInside {
		return nil
	}
	inner := *x
	inner.data = x.data[it.from:it.to]
	inner.within, inner.of = "/"+pointerToken(it.name), shownName(plainText(it.name))
	inner.items = scanItems(inner.data, x.limits)
	if inner.items == nil || inner.items.empty() {
		return nil
	}
	return &inner
}

// itemLine returns an item in at most room characters, or "" when that is too
// few.
func (x *excerpt) itemLine(it item, room int) string {
	pointer := x.within + "/" + strconv.Itoa(it.index)
	if x.items.object {
		pointer = x.within + "/" + pointerToken(it.name)
	}
	// White space between tokens is dropped, so more than is shown is read.
	raw := x.data[it.from:min(it.to, it.from+8*int64(max(0, room)))]
	if int64(len(raw)) < it.size() {
		raw = WholeChars(raw)
	}
	text := compacted(raw)
	gutter := pointer + "| "
	if int64(len(raw)) < it.size() || utf8.RuneCount(text)+charsOf(gutter)+1 > room {
		keep := min(utf8.RuneCount(text), room-charsOf(pointer)-gutterRoom)
		if keep < 20 {
			return ""
		}
		text = firstCharsOf(text, keep)
		gutter = fmt.Sprintf("%s, first %d of %d characters| ", pointer, keep, utf8.RuneCount(x.data[it.from:it.to]))
	}
	return gutter + shownLine(text)
}

// shape returns a line with the keys and types, in at most room
// characters, or "".
func (x *excerpt) shape(room int) string {
	var list []string
	start := "[shape: "
	if x.of != "" {
		start = "[shape of " + x.of + ": "
	}
	if x.items.object {
		start += "object of " + words.Count(x.items.count-x.items.repeats, "member") + ": "
		for _, it := range x.items.ends {
			list = append(list, shownName(plainText(it.name))+" "+TypeOf(it.first))
		}
	} else {
		start += "array of " + words.Count(x.items.count, "item")
		var kinds []string
		seen := map[string]bool{}
		for _, it := range x.items.ends {
			if k := words.Count(2, TypeOf(it.first))[2:]; !seen[k] {
				seen[k] = true
				kinds = append(kinds, k)
			}
			if it.first != '{' {
				continue
			}
			for _, key := range keysOf(x.data[it.from:min(it.to, it.from+maxKeyBytes)]) {
				if !seen[key] {
					seen[key] = true
					list = append(list, key)
				}
			}
		}
		start += "; those shown are " + strings.Join(kinds, ", ")
		if len(list) > 0 {
			start += " with "
		}
	}
	total := len(list)
	if x.items.object {
		total = x.items.count - x.items.repeats
	}
	for n := len(list); n >= 0; n-- {
		line := start + strings.Join(list[:n], ", ")
		if n < total {
			line += fmt.Sprintf(" and %d more", total-n)
		}
		if line += "]"; charsOf(line) < room {
			return line
		}
	}
	return ""
}

// The bounds of a look at the members of one item.
const (
	maxKeys     = 50
	maxKeyBytes = 64 << 10
)

// keysOf returns the members of an object, which may be cut, as keys with types.
func keysOf(object []byte) []string {
	var out []string
	at := map[string]int{}
	s := newScanner(object)
	s.Members(func(name string) bool {
		key := shownName(plainText(name)) + " " + TypeOf(s.Peek())
		if i, ok := at[plainText(name)]; ok { // the last of equal keys counts
			out[i] = key
		} else {
			at[plainText(name)] = len(out)
			out = append(out, key)
		}
		_, _, ok := s.Value()
		return ok && len(out) < maxKeys
	})
	return out
}
