package kept

import (
	"encoding/binary"
	"strings"
	"time"

	"caliper/engine/transcript"
)

// Encoder writes values one after the other. The zero value is ready.
//
// Numbers are varints. A text is 0, its length and its bytes; or 1 and the 16
// bytes of a UUID; or, where the same text was written before, its number in the
// order of the first writing, from 2 on. Number 2 is the empty text. Texts longer
// than longText are not numbered.
type Encoder struct {
	Data    []byte
	numbers map[string]uint64
	next    uint64 // number of the next new text
	seconds int64  // of the last time

	definitions map[string]uint64 // their numbers, from 1
}

const (
	freshText = 0
	freshUUID = 1
	oldText   = 2 // and more

	longText = 128 // bytes
)

// mostNumbered is how many texts an encoder may have numbered that is used again: clearing
// a table takes as long as the most that was ever in it.
const mostNumbered = 1 << 12

// reset makes an encoder as new, with the memory that it has.
func (e *Encoder) reset() {
	if len(e.numbers) > mostNumbered {
		e.numbers = nil
	}
	if e.numbers == nil {
		e.numbers = map[string]uint64{}
	}
	clear(e.numbers)
	clear(e.definitions)
	e.numbers[""] = oldText
	e.Data, e.next, e.seconds = e.Data[:0], oldText+1, 0
}

// Uint writes a number.
func (e *Encoder) Uint(n uint64) { e.Data = binary.AppendUvarint(e.Data, n) }

// Int writes a number that may be negative.
func (e *Encoder) Int(n int) { e.Data = binary.AppendVarint(e.Data, int64(n)) }

// Text writes a text.
func (e *Encoder) Text(s string) {
	if len(s) > longText {
		e.literal(s)
		return
	}
	if e.numbers == nil {
		e.numbers, e.next = map[string]uint64{"": oldText}, oldText+1
	}
	if n, ok := e.numbers[s]; ok {
		e.Uint(n)
		return
	}
	e.numbers[s] = e.next
	e.next++
	if id, ok := UUID(s); ok {
		e.Uint(freshUUID)
		e.Data = append(e.Data, id[:]...)
		return
	}
	e.literal(s)
}

// literal writes a text as it is.
func (e *Encoder) literal(s string) {
	e.Uint(freshText)
	e.Uint(uint64(len(s)))
	e.Data = append(e.Data, s...)
}

// Texts writes a list of texts.
func (e *Encoder) Texts(list []string) {
	e.Uint(uint64(len(list)))
	for _, s := range list {
		e.Text(s)
	}
}

// Time writes a time, which is read in UTC: 0 for the zero time, an odd number for
// whole milliseconds or an even one for nanoseconds, then the seconds since the last
// time.
func (e *Encoder) Time(t time.Time) {
	const milli = uint64(time.Millisecond)
	if t.IsZero() {
		e.Uint(0)
		return
	}
	if nanos := uint64(t.Nanosecond()); nanos%milli == 0 {
		e.Uint(1 + 2*(nanos/milli))
	} else {
		e.Uint(2 + 2*nanos)
	}
	e.Data = binary.AppendVarint(e.Data, t.Unix()-e.seconds)
	e.seconds = t.Unix()
}

// Size writes a size: which of its numbers are not 0, and these.
func (e *Encoder) Size(s transcript.Size) {
	set := uint64(0)
	for i, n := range s.Chars {
		if n != 0 {
			set |= 1 << i
		}
	}
	if s.Tokens != 0 {
		set |= 1 << transcript.Classes
	}
	e.Uint(set)
	for _, n := range s.Chars {
		if n != 0 {
			e.Int(n)
		}
	}
	if s.Tokens != 0 {
		e.Int(s.Tokens)
	}
}

// Usage writes a usage.
func (e *Encoder) Usage(u transcript.Usage) {
	for _, n := range []int{u.Input, u.CacheRead, u.CacheWrite, u.Output} {
		e.Int(n)
	}
}

// Call writes a call as it was made: without its result.
func (e *Encoder) Call(c transcript.Call) {
	e.Uint(uint64(c.Kind))
	e.Text(c.ID)
	e.Text(c.Tool)
	if asked := c.Asked(); c.Kind != transcript.Use {
		e.Texts(asked.Queries)
		e.Texts(asked.Names)
	}
	e.Size(c.Size)
}

// UUID returns the bytes of a UUID in lower case; ok is false for any other text.
func UUID(s string) (id [16]byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return id, false
	}
	at, bad := 0, byte(0)
	for i := range id {
		if at == 8 || at == 13 || at == 18 || at == 23 {
			at++
		}
		high, low := digits[s[at]], digits[s[at+1]]
		bad |= high | low
		id[i] = high<<4 | low&15
		at += 2
	}
	return id, bad < 16
}

// digits are the values of hexadecimal digits in lower case, and 255 of all other bytes.
var digits = func() (values [256]byte) {
	for i := range values {
		values[i] = 255
		if at := strings.IndexByte("0123456789abcdef", byte(i)); at >= 0 {
			values[i] = byte(at)
		}
	}
	return values
}()
