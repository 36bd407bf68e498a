package terminal

import (
	"strings"
)

// pen is the style with which a terminal draws: what the SGR sequences before a
// character add up to (ECMA-48, 8.3.117). The zero pen is the terminal's own.
type pen struct {
	fore, back string    // parameters that set the colour, such as "38;2;1;2;3"; empty for the terminal's own
	on         attribute // attributes that are on
}

// attribute is a set of SGR attributes: bit n stands for parameter n.
type attribute uint16

// The attributes that a pen knows, and what switches them off again.
const (
	known     attribute = 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<7 | 1<<9
	intensity attribute = 1<<1 | 1<<2
)

// after returns the pen after an SGR sequence with these parameters. ok is false
// when a parameter is unknown.
func (p pen) after(parameters string) (next pen, ok bool) {
	for parameters != "" || !ok {
		ok = true
		var one string
		one, parameters, _ = strings.Cut(parameters, ";")
		n, digits := small(one)
		switch {
		case !digits:
			return p, false
		case n == 0:
			p = pen{}
		case n < 10 && known&(1<<n) != 0:
			p.on |= 1 << n
		case n == 22:
			p.on &^= intensity
		case n >= 23 && n <= 29 && known&(1<<(n-20)) != 0:
			p.on &^= 1 << (n - 20)
		case n >= 30 && n <= 37, n >= 90 && n <= 97:
			p.fore = one
		case n >= 40 && n <= 47, n >= 100 && n <= 107:
			p.back = one
		case n == 39:
			p.fore = ""
		case n == 49:
			p.back = ""
		case n == 38 || n == 48:
			var colour string
			if colour, parameters, ok = indexed(one, parameters); !ok {
				return p, false
			}
			if n == 38 {
				p.fore = colour
			} else {
				p.back = colour
			}
		default:
			return p, false
		}
	}
	return p, true
}

// indexed returns the colour that begins with the parameter 38 or 48: with ;5;
// and an index, or with ;2; and three components. rest are the parameters after
// it.
func indexed(first, parameters string) (colour, rest string, ok bool) {
	count := 0
	switch {
	case strings.HasPrefix(parameters, "5;"):
		count = 2
	case strings.HasPrefix(parameters, "2;"):
		count = 4
	default:
		return "", "", false
	}
	rest = parameters
	for range count {
		one, after, _ := strings.Cut(rest, ";")
		if _, digits := small(one); !digits || one == "" {
			return "", "", false
		}
		rest = after
	}
	used := strings.TrimSuffix(parameters[:len(parameters)-len(rest)], ";")
	return first + ";" + used, rest, true
}

// small returns the number that a parameter is, 0 for an empty one. ok is false
// for anything but up to three digits.
func small(s string) (n int, ok bool) {
	if len(s) > 3 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// change appends the shortest sequence that turns this pen into another: the attributes
// added, or a reset and everything, when something has to go.
func (p pen) change(b []byte, to pen) []byte {
	if p == to {
		return b
	}
	b = append(b, "\x1b["...)
	start := len(b)
	add := func(s string) {
		if len(b) > start {
			b = append(b, ';')
		}
		b = append(b, s...)
	}
	if p.on&^to.on != 0 || p.fore != "" && to.fore == "" || p.back != "" && to.back == "" {
		if to == (pen{}) {
			return append(b, 'm')
		}
		add("0")
		p = pen{}
	}
	for n := range 10 {
		if to.on&^p.on&(1<<n) != 0 {
			add(string('0' + rune(n)))
		}
	}
	if to.fore != p.fore {
		add(to.fore)
	}
	if to.back != p.back {
		add(to.back)
	}
	return append(b, 'm')
}

// pens numbers the pens of the frames, so that cells hold and compare a number.
// Number 0 is the terminal's own.
type pens struct {
	all     []pen
	numbers map[pen]uint16
	steps   map[step]uint16 // memo of after, by the sequence
}

// step is an SGR sequence that comes after a pen.
type step struct {
	from     uint16
	sequence string
}

// mostPens is the number of pens, and of steps, that are kept. A theme has some
// dozens; a palette of computed colours must not grow for ever.
const mostPens = 4096

// newPens returns the numbering with only the terminal's own pen.
func newPens() *pens {
	return &pens{all: make([]pen, 1), numbers: map[pen]uint16{{}: 0}, steps: map[step]uint16{}}
}

// after returns the number of the pen after an SGR sequence, which begins with
// ESC [ and ends with m. ok is false when the sequence is unknown.
func (p *pens) after(from uint16, sequence string) (number uint16, ok bool) {
	if sequence == "\x1b[0m" {
		return 0, true // most are this one
	}
	if number, ok := p.steps[step{from, sequence}]; ok {
		return number, true
	}
	next, ok := p.all[from].after(sequence[2 : len(sequence)-1])
	if !ok || len(p.all) > 2*mostPens {
		return 0, false
	}
	// Neither a pen nor a step may keep a frame in memory.
	next.fore, next.back = strings.Clone(next.fore), strings.Clone(next.back)
	number, ok = p.numbers[next]
	if !ok {
		number = uint16(len(p.all))
		p.numbers[next] = number
		p.all = append(p.all, next)
	}
	p.steps[step{from, strings.Clone(sequence)}] = number
	return number, true
}
