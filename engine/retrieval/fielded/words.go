package fielded

import (
	"unicode"
	"unicode/utf8"

	"caliper/engine/words"
)

// cutter cuts text into words:
//
//   - a word is a run of letters and digits of any script; marks continue it;
//   - of a script without spaces, each two neighbours with their marks are a word,
//     and one that stands alone; such a script does not share a run with others;
//   - a run with a capital is cut where capitals, digits and other letters
//     meet, the last of several capitals going with the small letters behind
//     it: getHTTPFile2 is get, http, file, 2. Several capitals and the s of their
//     plural stay together: listPDFs is list, pdfs. A run without a capital
//     stays whole.
//
// Words come in lower case, and in simplified characters, as words.Lower maps
// runes one by one. They are valid until the next.
type cutter struct {
	text []byte
	at   int
	end  int    // of a run with capitals that is being cut; at stands in it
	low  []byte // memory of a word in lower case
	run  []byte // in lower case, the run that the last word is a piece of; empty when it is no piece

	runes  []rune // a run beyond ASCII that is being cut
	next   int    // its next word
	spaced bool   // its script has spaces
}

// cut begins a text, which must not change before its last word.
func (c *cutter) cut(text []byte) {
	c.text, c.at, c.end, c.runes, c.next = text, 0, 0, c.runes[:0], 0
}

// word returns the next word, or nil behind the last.
func (c *cutter) word() []byte {
	for {
		switch {
		case c.next < len(c.runes):
			return c.runeWord()
		case c.at < c.end:
			return c.piece()
		}
		c.run = c.run[:0]
		if c.at >= len(c.text) {
			return nil
		}
		b := c.text[c.at]
		if b >= utf8.RuneSelf {
			if r, size := utf8.DecodeRune(c.text[c.at:]); words.Begins(r) {
				c.readRun()
			} else {
				c.at += size
			}
			continue
		}
		if ascii[b] == words.Other {
			c.at++
			continue
		}
		from, capitals := c.at, false
		for c.at++; ; c.at++ {
			capitals = capitals || ascii[b] == words.Capital
			if c.at == len(c.text) {
				break
			}
			if b = c.text[c.at]; b >= utf8.RuneSelf || ascii[b] == words.Other {
				break
			}
		}
		if c.at < len(c.text) && b >= utf8.RuneSelf {
			if r, _ := utf8.DecodeRune(c.text[c.at:]); unicode.IsMark(r) || words.Begins(r) && !words.Spaceless(r) {
				c.at = from
				c.readRun()
				continue
			}
		}
		if !capitals {
			return c.text[from:c.at]
		}
		c.at, c.end = from, c.at
		c.run = appendLower(c.run, c.text[from:c.end])
	}
}

// last tells whether the last word is the last piece of its run.
func (c *cutter) last() bool { return c.at >= c.end && c.next >= len(c.runes) }

// ascii has the classes of bytes.
var ascii = func() (table [utf8.RuneSelf]words.Class) {
	for b := range table {
		table[b] = words.ClassOf(rune(b))
	}
	return table
}()

// border tells whether a word that began at from ends before i or, when
// earlier is set, before i-1, where a and b are the classes at i-1 and i.
func border(from, i int, a, b words.Class) (ends, earlier bool) {
	if a == words.Capital && b == words.Small {
		return i-1 > from, true
	}
	return a != b, false
}

// piece returns the next word of an ASCII run with capitals.
func (c *cutter) piece() []byte {
	from, to := c.at, c.end
	for i := from + 1; i < c.end; i++ {
		if ends, earlier := border(from, i, ascii[c.text[i-1]], ascii[c.text[i]]); ends {
			if i-from >= 2 && c.text[i] == 's' && earlier && (i+1 == c.end || ascii[c.text[i+1]] != words.Small) {
				to = i + 1
				break
			}
			to = i
			if earlier {
				to--
			}
			break
		}
	}
	if to == c.end && to-from == len(c.run) {
		c.run = c.run[:0] // not cut
	}
	c.at, c.low = to, c.low[:0]
	for _, b := range c.text[from:to] {
		if ascii[b] == words.Capital {
			b += 'a' - 'A'
		}
		c.low = append(c.low, b)
	}
	return c.low
}

// readRun reads the run of runes that begins here.
func (c *cutter) readRun() {
	c.runes, c.next = c.runes[:0], 0
	capitals := false
	for c.at < len(c.text) {
		r, size := utf8.DecodeRune(c.text[c.at:])
		if len(c.runes) == 0 {
			c.spaced = !words.Spaceless(r)
		} else if !unicode.IsMark(r) && !(words.Begins(r) && words.Spaceless(r) != c.spaced) {
			break
		}
		capitals = capitals || words.IsCapital(r)
		c.runes = append(c.runes, r)
		c.at += size
	}
	if c.spaced && !capitals {
		c.next = len(c.runes) // what classes are cut at is not
		c.low = appendRunes(c.low[:0], c.runes)
		c.runes = append(c.runes, wholeRun)
	} else if c.spaced {
		c.run = appendRunes(c.run, c.runes)
	}
}

// wholeRun stands behind a run that is one word, which low has.
const wholeRun rune = -1

// runeWord returns the next word of a run of runes.
func (c *cutter) runeWord() []byte {
	run, from := c.runes, c.next
	switch {
	case run[from] == wholeRun:
		c.next++
		return c.low
	case !c.spaced:
		second := letterEnd(run, from)
		end := letterEnd(run, second)
		c.next = second
		if end == len(run) {
			c.next = end
		}
		c.low = appendRunes(c.low[:0], run[from:end])
		return c.low
	}
	c.next = len(run)
	before := words.ClassOf(run[from])
	for last, at, letters := from, letterEnd(run, from), 1; at < len(run); letters++ {
		class, end := words.ClassOf(run[at]), letterEnd(run, at)
		if before == words.Capital && class == words.Small {
			if letters >= 2 && run[at] == 's' && (end == len(run) || words.ClassOf(run[end]) != words.Small) {
				c.next = end
				break
			}
			if last > from {
				c.next = last
				break
			}
		} else if before != class {
			c.next = at
			break
		}
		before, last, at = class, at, end
	}
	if from == 0 && c.next == len(run) {
		c.run = c.run[:0] // not cut
	}
	c.low = appendRunes(c.low[:0], run[from:c.next])
	return c.low
}

// letterEnd returns where the letter ends that begins at a place of a run, with
// its marks; the end of the run when it begins none.
func letterEnd(run []rune, from int) int {
	for from++; from < len(run) && unicode.IsMark(run[from]); from++ {
	}
	return min(from, len(run))
}

// appendRunes appends runes in lower case.
func appendRunes(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = utf8.AppendRune(dst, words.Lower(r))
	}
	return dst
}

// appendLower appends text in lower case, rune by rune. What is not UTF-8
// becomes U+FFFD.
func appendLower[Text string | []byte](dst []byte, text Text) []byte {
	for at := 0; at < len(text); {
		b := text[at]
		if b >= utf8.RuneSelf {
			r, size := decode(text[at:])
			dst = utf8.AppendRune(dst, words.Lower(r))
			at += size
			continue
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
		at++
	}
	return dst
}

// decode reads the first rune of a text.
func decode[Text string | []byte](text Text) (rune, int) {
	var room [utf8.UTFMax]byte
	return utf8.DecodeRune(room[:copy(room[:], text)])
}
