package fielded

import (
	"unicode"
	"unicode/utf8"
)

// cutter cuts text into words:
//
//   - a word is a run of letters and digits of any script; marks continue it;
//   - of a script without spaces, each two neighbours are a word, and one that
//     stands alone; such a script does not share a run with others;
//   - a run with a capital is cut where capitals, digits and other letters
//     meet, the last of several capitals going with the small letters behind
//     it: getHTTPFile2 is get, http, file, 2. Several capitals and the s of their
//     plural stay together: listPDFs is list, pdfs. A run without a capital
//     stays whole.
//
// Words come in lower case, as runes are mapped one by one. They are valid
// until the next.
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
			if r, size := utf8.DecodeRune(c.text[c.at:]); letterOrDigit(r) {
				c.readRun()
			} else {
				c.at += size
			}
			continue
		}
		if ascii[b] == other {
			c.at++
			continue
		}
		from, capitals := c.at, false
		for c.at++; ; c.at++ {
			capitals = capitals || ascii[b] == capital
			if c.at == len(c.text) {
				break
			}
			if b = c.text[c.at]; b >= utf8.RuneSelf || ascii[b] == other {
				break
			}
		}
		if c.at < len(c.text) && b >= utf8.RuneSelf {
			if r, _ := utf8.DecodeRune(c.text[c.at:]); unicode.IsMark(r) || letterOrDigit(r) && !spaceless(r) {
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

// class says where a run with capitals is cut.
type class uint8

const (
	other class = iota // no part of a word
	small
	capital
	digit
)

// ascii has the classes of bytes.
var ascii = func() (table [utf8.RuneSelf]class) {
	for b := range table {
		switch {
		case 'a' <= b && b <= 'z':
			table[b] = small
		case 'A' <= b && b <= 'Z':
			table[b] = capital
		case '0' <= b && b <= '9':
			table[b] = digit
		}
	}
	return table
}()

// classOf returns the class of a rune of a word.
func classOf(r rune) class {
	switch {
	case unicode.IsUpper(r):
		return capital
	case unicode.IsDigit(r):
		return digit
	}
	return small
}

// border tells whether a word that began at from ends before i or, when
// earlier is set, before i-1, where a and b are the classes at i-1 and i.
func border(from, i int, a, b class) (ends, earlier bool) {
	if a == capital && b == small {
		return i-1 > from, true
	}
	return a != b, false
}

// piece returns the next word of an ASCII run with capitals.
func (c *cutter) piece() []byte {
	from, to := c.at, c.end
	for i := from + 1; i < c.end; i++ {
		if ends, earlier := border(from, i, ascii[c.text[i-1]], ascii[c.text[i]]); ends {
			if i-from >= 2 && c.text[i] == 's' && earlier && (i+1 == c.end || ascii[c.text[i+1]] != small) {
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
		if ascii[b] == capital {
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
			c.spaced = !spaceless(r)
		} else if !unicode.IsMark(r) && !(letterOrDigit(r) && spaceless(r) != c.spaced) {
			break
		}
		capitals = capitals || unicode.IsUpper(r)
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
		c.next++
		if len(run) > 1 && c.next == len(run)-1 {
			c.next++
		}
		c.low = appendRunes(c.low[:0], run[from:min(from+2, len(run))])
		return c.low
	}
	c.next = len(run)
	for i := from + 1; i < len(run); i++ {
		if ends, earlier := border(from, i, classOf(run[i-1]), classOf(run[i])); ends {
			if i-from >= 2 && run[i] == 's' && earlier && (i+1 == len(run) || classOf(run[i+1]) != small) {
				c.next = i + 1
				break
			}
			c.next = i
			if earlier {
				c.next--
			}
			break
		}
	}
	if from == 0 && c.next == len(run) {
		c.run = c.run[:0] // not cut
	}
	c.low = appendRunes(c.low[:0], run[from:c.next])
	return c.low
}

// appendRunes appends runes in lower case.
func appendRunes(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
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
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
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

// letterOrDigit tells whether a rune can begin a word.
func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// spaceless tells whether a letter is of a script that writes no spaces
// between words.
func spaceless(r rune) bool {
	return r >= firstSpaceless && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

const firstSpaceless = 0x0e00 // Thai comes first
