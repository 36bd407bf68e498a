package claude

import (
	"caliper/engine/transcript"
	"caliper/engine/transcript/kept"
)

// What a line has, as bits.
const (
	isSidechain = 1 << iota
	isMeta
	isSummary
	isFault
	isDeferred
	hasPreserved
	hasMessage // of the model
	hasUsage
	hasCalls
	hasResults
	hasText // of the user's role
	isCopied
	isStreamed
	hasOffers
)

// bits returns what a line has.
func (l *line) bits() (bits uint64) {
	for _, b := range []struct {
		set bool
		bit uint64
	}{
		{l.sidechain, isSidechain}, {l.meta, isMeta}, {l.summarises, isSummary}, {l.fault, isFault}, {l.deferred, isDeferred},
		{len(l.preserved) > 0, hasPreserved}, {l.model != "" || l.id != "" || l.size != transcript.Size{} && !l.said, hasMessage},
		{l.usage != nil, hasUsage}, {len(l.calls) > 0, hasCalls}, {len(l.results) > 0, hasResults}, {l.said, hasText}, {l.copied, isCopied}, {l.streamed, isStreamed}, {l.offers.some(), hasOffers},
	} {
		if b.set {
			bits |= b.bit
		}
	}
	return bits
}

// encode writes a line.
func encode(e *kept.Encoder, l *line) {
	bits := l.bits()
	e.Uint(bits)
	for _, s := range []string{l.kind, l.subtype, l.uuid, l.parent, l.session, l.agent} {
		e.Text(s)
	}
	e.Time(l.time)
	if bits&hasPreserved != 0 {
		e.Texts(l.preserved)
	}
	if bits&hasMessage != 0 {
		e.Text(l.model)
		e.Text(l.id)
		e.Size(l.size)
	}
	if bits&hasUsage != 0 {
		e.Usage(*l.usage)
	}
	if bits&hasCalls != 0 {
		e.Uint(uint64(len(l.calls)))
		for _, c := range l.calls {
			e.Call(c)
		}
	}
	if bits&hasResults != 0 {
		e.Uint(uint64(len(l.results)))
		for _, r := range l.results {
			e.Text(r.call)
			failed := uint64(0)
			if r.failed {
				failed = 1
			}
			e.Uint(failed)
			e.Size(r.size)
			e.Texts(r.references)
		}
	}
	if bits&hasText != 0 {
		e.Size(l.size)
		e.Text(l.words)
	}
	if bits&hasOffers != 0 {
		o := &l.offers
		e.Texts(o.names)
		e.Definitions(o.definitions)
		e.Texts(o.loaded)
		e.Text(o.shape)
		e.Text(o.request)
	}
}

// decode reads a line.
func decode(d *kept.Decoder) (l line) {
	bits := d.Uint()
	for _, s := range []*string{&l.kind, &l.subtype, &l.uuid, &l.parent, &l.session, &l.agent} {
		*s = d.Text()
	}
	l.time = d.Time()
	l.sidechain, l.meta, l.summarises = bits&isSidechain != 0, bits&isMeta != 0, bits&isSummary != 0
	l.fault, l.deferred, l.said = bits&isFault != 0, bits&isDeferred != 0, bits&hasText != 0
	l.copied, l.streamed = bits&isCopied != 0, bits&isStreamed != 0
	if bits&hasPreserved != 0 {
		l.preserved = d.Texts()
	}
	if bits&hasMessage != 0 {
		l.model, l.id, l.size = d.Text(), d.Text(), d.Size()
	}
	if bits&hasUsage != 0 {
		u := d.Usage()
		l.usage = &u
	}
	if bits&hasCalls != 0 {
		for n := d.Len(); n > 0 && d.Err() == nil; n-- {
			l.calls = append(l.calls, d.Call())
		}
	}
	if bits&hasResults != 0 {
		for n := d.Len(); n > 0 && d.Err() == nil; n-- {
			l.results = append(l.results, result{d.Text(), d.Uint() == 1, d.Size(), d.Texts()})
		}
	}
	if bits&hasText != 0 {
		l.size, l.words = d.Size(), d.Text()
	}
	if bits&hasOffers != 0 {
		l.offers = offers{d.Texts(), d.Definitions(), d.Texts(), d.Text(), d.Text()}
	}
	return l
}
