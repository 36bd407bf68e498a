package codex

import (
	"math"

	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
)

// encode writes a line: what it means, twice, and one more if it failed; its time; and
// what a line of this meaning has.
func encode(e *kept.Encoder, l *line) {
	first := uint64(l.what) << 1
	if l.failed {
		first |= 1
	}
	e.Uint(first)
	e.Time(l.time)
	e.Uint(uint64(max(0, l.number)))
	switch l.what {
	case leftOut, defers, model:
		e.Text(l.name)
	case head:
		e.Text(l.name)
		e.Text(l.origin.forked)
		e.Text(l.origin.spawner)
		e.Int(l.origin.until)
		e.Int(l.origin.start)
		e.Uint(kept.Bits(l.origin.defers))
		sizes(e, l.sizes)
	case answers, instructs:
		e.Size(l.says.size)
	case asks:
		e.Size(l.says.size)
		e.Text(l.says.digest)
	case userSays:
		e.Size(l.says.size)
		e.Text(l.says.digest)
		e.Text(l.says.words)
	case calls:
		e.Call(l.call)
		e.Uint(kept.Bits(l.searches))
	case returns:
		e.Text(l.name)
		e.Size(l.says.size)
		e.Uint(kept.Bits(l.hits != nil))
		e.Texts(l.hits)
		e.Definitions(l.definitions)
	case pays:
		e.Usage(l.usage)
		e.Int(l.sum[0])
		e.Int(l.sum[1])
	case mirrors, ends:
		e.Call(l.call)
		e.Size(l.says.size)
	case compacts:
		sizes(e, l.sizes)
	}
}

// sizes writes a list of sizes.
func sizes(e *kept.Encoder, list []transcript.Size) {
	e.Uint(uint64(len(list)))
	for _, s := range list {
		e.Size(s)
	}
}

// decode reads a line.
func decode(d *kept.Decoder) (l line) {
	first := d.Uint()
	if first>>1 >= uint64(whatCount) {
		return line{} // of no program; it means nothing
	}
	l.what, l.failed = what(first>>1), first&1 != 0
	l.time = d.Time()
	l.number = int(min(d.Uint(), math.MaxInt32))
	switch l.what {
	case leftOut, defers, model:
		l.name = d.Text()
	case head:
		l.name, l.origin = d.Text(), origin{forked: d.Text(), spawner: d.Text(), until: d.Int(), start: d.Int(), defers: d.Uint() == 1}
		l.sizes = readSizes(d)
	case answers, instructs:
		l.says.size = d.Size()
	case asks:
		l.says.size, l.says.digest = d.Size(), d.Text()
	case userSays:
		l.says.size, l.says.digest, l.says.words = d.Size(), d.Text(), d.Text()
	case calls:
		l.call = d.Call()
		l.searches = d.Uint() == 1
	case returns:
		l.name, l.says.size = d.Text(), d.Size()
		if known := d.Uint() == 1; known {
			l.hits = []string{}
		}
		l.hits = append(l.hits, d.Texts()...)
		l.definitions = d.Definitions()
	case pays:
		l.usage, l.sum = d.Usage(), [2]int{d.Int(), d.Int()}
	case mirrors, ends:
		l.call, l.says.size = d.Call(), d.Size()
	case compacts:
		l.sizes = readSizes(d)
	}
	return l
}

// readSizes reads a list of sizes.
func readSizes(d *kept.Decoder) (list []transcript.Size) {
	for n := d.Len(); n > 0 && d.Err() == nil; n-- {
		list = append(list, d.Size())
	}
	return list
}
