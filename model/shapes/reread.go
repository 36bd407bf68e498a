package shapes

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// reread reads a source that the last registry was read from too: it takes over
// what is unchanged, and reads the rest. It returns nil when the source must be
// read whole: when it is another one, when anything outside of its array of tools
// changed or most of what is in it, and for shapes that are rare.
//
// What changed is what lies between the longest common beginning and the
// longest common end. To put one valid list of values in the place of another
// changes nothing else in a JSON text, so it is enough to read that list.
func reread(ctx context.Context, last *model.Registry, sources []model.Source, index int, f *finisher) *reader {
	earlier, _ := last.Reading.(*reading)
	if index >= len(last.Sources) || earlier == nil || last.Sources[index].Name != sources[index].Name ||
		last.Sources[index].Naming != sources[index].Naming {
		return nil
	}
	s := splice{was: last.Sources[index].Data, now: sources[index].Data, old: earlier.readers[index], suspects: earlier.suspects}
	s.new = newReader(ctx, sources[index], index, jsontree.NewText(s.now), f)
	if !s.locate() || !s.read() {
		return nil
	}
	return s.join()
}

// splice makes the reader of a source from that of its earlier content.
type splice struct {
	was, now []byte
	old, new *reader
	suspects map[*model.Tool]string // among the tools of old

	head, tail int // tools of old up to which, and from which on, nothing changed
	from       int // where the change begins
	to         int // where it ends, in the earlier content
	middle     []found
}

// moved is how far what stands behind the change has moved.
func (s *splice) moved() int { return len(s.now) - len(s.was) }

// locate finds what changed. It returns false when that is not a part of a
// plain list of tools.
func (s *splice) locate() bool {
	if s.old.dataSet || len(s.old.queries) > 0 {
		return false // what is left out of it depends on the other sources
	}
	found, list := s.old.found, s.old.last
	begin := commonBegin(s.was, s.now)
	if begin == len(s.was) && begin == len(s.now) {
		s.head, s.tail, s.from, s.to = len(found), len(found), begin, begin
		return true
	}
	end := len(s.was) - commonEnd(s.was[begin:], s.now[begin:])
	if !s.old.plain || begin < list.from || end > list.to {
		return false
	}
	s.head = sort.Search(len(found), func(i int) bool { return found[i].end() > begin })
	s.tail = sort.Search(len(found), func(i int) bool { return found[i].start() >= end })
	s.from, s.to = list.from, list.to
	if s.head > 0 {
		s.from = found[s.head-1].end()
	}
	if s.tail < len(found) {
		s.to = found[s.tail].start()
	}
	return s.to+s.moved()-s.from <= len(s.now)/2
}

// read reads what changed: a part of a list, with the commas to what stands
// around it. For that it puts null, so that the strict reader can read a whole
// list: nothing can stand beside a null and be read as one with it. It returns
// false when the list holds anything but definitions.
func (s *splice) read() bool {
	if s.from == len(s.was) {
		return true // nothing changed
	}
	const null = "null"
	list := s.old.last
	before, after := strings.Repeat("[", list.depth), strings.Repeat("]", list.depth)
	nulls := 0
	if s.head > 0 {
		before += null
		nulls++
	}
	if s.tail < len(s.old.found) {
		after = null + after
		nulls++
	}
	data := slices.Concat([]byte(before), s.now[s.from:s.to+s.moved()], []byte(after))
	// Nothing finishes these tools in the background: place still writes to them.
	r := newReader(s.new.ctx, s.new.source, s.new.index, jsontree.Shifted(data, len(before), s.from), nil)
	r.isDump, r.core = s.old.isDump, s.old.core

	c := jsontree.NewCursor(data, 0)
	for range list.depth - 1 {
		_, _ = c.Bracket()
	}
	whole, err := c.Array(func(i int) error {
		if c.Next() != 'n' {
			return r.readEntry(c, &list.path, s.head+len(r.found))
		}
		nulls--
		_, err := c.Value()
		return err
	})
	r.refuseBlanks()
	s.middle = r.found
	for i := range r.found {
		s.place(&r.found[i], len(before))
	}
	return err == nil && whole.At+len(whole.Raw) == len(data)-list.depth+1 && nulls == 0 &&
		r.foreign+len(r.listed)+r.listings+r.hosted.count+r.skipped+r.arrays+len(r.toolsets)+len(r.findings)+len(r.queries) == 0 && !r.dataSet && !slices.ContainsFunc(r.found, isMCP) &&
		s.head+len(s.old.found)-s.tail+len(r.found) > 0
}

// isMCP reports whether a tool is built from parts of its entry.
func isMCP(f found) bool { return f.raw != nil }

// place makes the function of a tool that read has read a part of the source.
func (s *splice) place(f *found, before int) {
	if f.function >= 0 {
		f.function += s.from - before
		f.point(s.now)
	}
}

// point makes the function of a tool, if it is a part of the source, that part
// of data.
func (f *found) point(data []byte) {
	if f.function < 0 {
		return
	}
	t := f.tool
	end := f.function + len(t.Function)
	t.Function = data[f.function:end:end]
	if t.Parameters != nil {
		end = f.parameters + len(t.Parameters)
		t.Parameters = t.Function[f.parameters:end:end]
	}
}

// join returns the reader of the source.
func (s *splice) join() *reader {
	old, r := s.old, s.new
	r.core = old.core
	r.isDump, r.findings, r.plain, r.last = old.isDump, old.findings, old.plain, old.last
	r.last.to += s.moved()
	r.toolsets = slices.Clone(old.toolsets)
	for i := range r.toolsets {
		if t := &r.toolsets[i]; t.at >= s.to {
			t.at += s.moved()
		}
	}
	r.found = make([]found, 0, s.head+len(s.middle)+len(old.found)-s.tail)
	for i := range old.found[:s.head] {
		s.keep(&old.found[i], 0)
	}
	r.found = append(r.found, s.middle...)
	for i := range old.found[s.tail:] {
		s.keep(&old.found[s.tail+i], s.moved())
	}
	return r
}

// keep takes over a tool that has moved.
func (s *splice) keep(old *found, moved int) {
	f := *old
	f.tool = s.new.newTool()
	*f.tool = *old.tool
	f.tool.At.Byte += int64(moved)
	f.name += moved
	f.description += moved
	if s.old.plain {
		f.index = len(s.new.found)
	}
	if f.function >= 0 {
		f.function += moved
		f.point(s.now)
	}
	if f.placed {
		f.placed, f.tool.Toolset = false, ""
	}
	if f.inferred {
		f.inferred, f.tool.Server, f.tool.OriginalName = false, "", ""
	}
	if len(s.suspects) > 0 {
		if message, ok := s.suspects[old.tool]; ok {
			s.new.finisher.suspect(f.tool, message)
		}
	}
	s.new.found = append(s.new.found, f)
}

// start and end return the offsets of an entry in the source.
func (f *found) start() int { return int(f.tool.At.Byte) }
func (f *found) end() int   { return f.start() + f.size }

// compared is how many bytes are compared at once.
const compared = 4 << 10

// commonBegin returns how many bytes a and b begin with alike.
func commonBegin(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && bytes.Equal(a[n:n+compared], b[n:n+compared]) {
		n += compared
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonEnd returns how many bytes a and b end with alike.
func commonEnd(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && bytes.Equal(a[len(a)-n-compared:len(a)-n], b[len(b)-n-compared:len(b)-n]) {
		n += compared
	}
	for n < most && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
