package rescue

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"caliper/model/words"
)

// leastItem is the room below which an item is not worth showing, in
// characters.
const leastItem = 120

// json returns the excerpt of an array or an object: its shape, its first and
// last items, each within its share of the room, and marks for the others.
func (x *excerpt) json(room int) ([]Line, []Gap, error) {
	p := page{room: room}
	shape, err := x.shape(room / 4)
	if err != nil {
		return nil, nil, err
	}
	if shape != "" {
		p.add(Line{shape, LineOurs})
	}
	chosen := x.chosen((p.room - markRoom) / leastItem)
	lines, inner, err := x.itemLines(chosen, p.room-2*markRoom)
	if err != nil {
		return nil, nil, err
	}
	var gaps []Gap
	next, end := 0, int64(0) // the first item not yet accounted for, and its place
	leave := func(upTo int, place int64) error {
		if upTo <= next {
			return nil
		}
		chars, err := x.charsBetween(end, place)
		gap := Gap{From: next, To: upTo - 1, Unit: UnitItems, Of: x.of, Chars: chars}
		if err == nil && p.add(Line{gap.mark(), LineLeftOut}) {
			gaps = append(gaps, gap)
		}
		return err
	}
	for i, it := range chosen {
		if lines[i] == nil {
			continue
		}
		if err := leave(it.index, it.from); err != nil {
			return nil, nil, err
		}
		if !p.add(lines[i]...) {
			break
		}
		gaps = append(gaps, inner[i]...)
		next, end = it.index+1, it.to
	}
	if err := leave(x.items.count, x.size); err != nil {
		return nil, nil, err
	}
	return p.lines, gaps, nil
}

// charsBetween counts the characters from one offset to another, neither of
// which is inside a character. Only a blob that has longer ones is read for it.
func (x *excerpt) charsBetween(from, to int64) (int64, error) {
	if int64(x.meta.Chars) == x.meta.Bytes {
		return to - from, nil
	}
	var c Counter
	part := make([]byte, min(window, max(0, to-from)))
	for from < to {
		if err := x.ctx.Err(); err != nil {
			return 0, err
		}
		part = part[:min(int64(len(part)), to-from)]
		if n, err := x.src.ReadAt(part, from); n < len(part) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		c.Write(part)
		from += int64(len(part))
	}
	return int64(c.Chars()), nil
}

// chosen returns up to n of the items at the ends, those at the beginning
// before those at the end.
func (x *excerpt) chosen(n int) []item {
	ends := x.items.ends
	if n >= len(ends) {
		return ends
	}
	n = max(n, 0)
	last := min(n/3, max(0, x.limits.JSONTailItems))
	return append(slices.Clone(ends[:n-last]), ends[len(ends)-last:]...)
}

// itemLines returns the lines for each item, of at most room characters in all.
// What small items do not need goes to the larger ones. A member that is most
// of an object is shown by its own items, and what those leave out is in gaps.
func (x *excerpt) itemLines(list []item, room int) (lines [][]Line, gaps [][]Gap, err error) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].size(), list[b].size()) })
	lines, gaps = make([][]Line, len(list)), make([][]Gap, len(list))
	for done, i := range order {
		share := room / (len(list) - done)
		if inner, err := x.inside(list[i], share); err != nil {
			return nil, nil, err
		} else if inner != nil {
			lines[i], gaps[i], err = inner.json(share)
			if err != nil {
				return nil, nil, err
			}
		} else if text, err := x.itemLine(list[i], share); err != nil {
			return nil, nil, err
		} else if text != "" {
			lines[i] = []Line{{text, LineContent}}
		}
		room -= charsOfLines(lines[i])
	}
	return lines, gaps, nil
}

// roomInside is the room that the items of a member need to be worth showing, in
// characters.
const roomInside = 1000

// inside returns the excerpt of a member that is a list or an object and more
// than half of the blob, or nil. It goes one level deep.
func (x *excerpt) inside(it item, room int) (*excerpt, error) {
	isPart := it.first == '[' || it.first == '{'
	if x.of != "" || !x.items.object || !isPart || it.size() <= x.size/2 || it.size() <= int64(room) || room < roomInside {
		return nil, nil
	}
	inner := *x
	inner.src, inner.size = io.NewSectionReader(x.src, it.from, it.size()), it.size()
	inner.within, inner.of = "/"+pointerToken(it.name), keyShown(it.name)
	var err error
	inner.items, err = scanItems(x.ctx, inner.src, inner.size, x.limits)
	if err != nil || inner.items == nil || inner.items.empty() {
		return nil, err
	}
	return &inner, nil
}

// itemLine returns an item in at most room characters, or "" when that is too
// few.
func (x *excerpt) itemLine(it item, room int) (string, error) {
	pointer := x.within + "/" + strconv.Itoa(it.index)
	if x.items.object {
		pointer = x.within + "/" + pointerToken(it.name)
	}
	// White space between tokens is dropped, so more than is shown is read.
	raw, err := readPart(x.src, it.from, min(it.to, it.from+8*int64(max(0, room))))
	if err != nil {
		return "", err
	}
	if int64(len(raw)) < it.size() {
		raw = WholeChars(raw)
	}
	text := compacted(raw)
	gutter := pointer + "| "
	if int64(len(raw)) < it.size() || CountChars(text)+charsOf(gutter)+1 > room {
		keep := min(CountChars(text), room-charsOf(pointer)-gutterRoom)
		if keep < 20 {
			return "", nil
		}
		text = firstCharsOf(text, keep)
		all, err := x.charsBetween(it.from, it.to)
		if err != nil {
			return "", err
		}
		gutter = fmt.Sprintf("%s, first %d of %d characters| ", pointer, keep, all)
	}
	return gutter + shownLine(text), nil
}

// shape returns a line with the keys and types, in at most room
// characters, or "".
func (x *excerpt) shape(room int) (string, error) {
	var list []string
	start := "[shape: "
	if x.of != "" {
		start = "[shape of " + x.of + ": "
	}
	if x.items.object {
		start += "object of " + words.Count(x.items.count-x.items.repeats, "member") + ": "
		for _, it := range x.items.ends {
			list = append(list, keyShown(it.name)+" "+it.kind())
		}
	} else {
		start += "array of " + words.Count(x.items.count, "item")
		var kinds []string
		seen := map[string]bool{}
		for _, it := range x.items.ends {
			if k := words.Count(2, it.kind())[2:]; !seen[k] {
				seen[k] = true
				kinds = append(kinds, k)
			}
			if it.first != '{' {
				continue
			}
			keys, err := x.keys(it)
			if err != nil {
				return "", err
			}
			for _, key := range keys {
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
			return line, nil
		}
	}
	return "", nil
}

// The bounds of a look at the members of one item.
const (
	maxKeys     = 50
	maxKeyBytes = 64 << 10
)

// keys returns the members of an item that is an object, as keys with types,
// as far as its first 64 KiB show.
func (x *excerpt) keys(it item) ([]string, error) {
	part := io.NewSectionReader(x.src, it.from, min(it.size(), maxKeyBytes))
	var out []string
	at := map[string]int{}
	s := newScanner(x.ctx, part)
	s.Members(func(name string) bool {
		key := keyShown(name) + " " + kindOf(s.Peek())
		if i, ok := at[plainText(name)]; ok { // the last of equal keys counts
			out[i] = key
		} else {
			at[plainText(name)] = len(out)
			out = append(out, key)
		}
		_, _, ok := s.Value()
		return ok && len(out) < maxKeys
	})
	return out, s.ReadErr()
}

// keyShown returns the raw name of a member as it stands in a line of ours.
func keyShown(raw string) string {
	return shownName(plainText(raw))
}
