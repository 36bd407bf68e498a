package words

import (
	"unicode"
	"unicode/utf8"
)

// Cutter cuts texts into words:
//
//   - A run of letters and digits of any script is a word. Marks continue it.
//   - In a script without spaces every two neighbours with their marks are a
//     word, and so is a letter that stands alone: 港口管理 is 港口, 口管 and 管理.
//     Such letters are never in one run with those of other scripts.
//   - A run with a capital is cut where capitals, digits and other letters meet.
//     The last of several capitals goes with the small letters behind it:
//     getHTTPFile2 is get, http, file and 2. Several capitals and the s of their
//     plural stay together, unless CutPlurals is set: listPDFs is list and pdfs.
//     A run without a capital stays whole.
//
// Words are in the form of Lower, and each is valid until the next. The memory
// of a Cutter is used again by the next text. Its zero value is ready.
//
// Identifier has another rule, which leaves digits with the letters before them:
// its words are shown to people, those of a Cutter are looked up.
type Cutter struct {
	CutPlurals bool // PDFs is pd and fs

	text []byte
	at   int
	end  int    // of the run with capitals that is being cut, in which at is
	low  []byte // memory of a word in lower case
	run  []byte // the run of which the last word is a piece, in lower case; empty when it is no piece

	runes  []rune // the run beyond ASCII that is being cut
	next   int    // its next word
	spaced bool   // its script has spaces
}

// Cut begins a text, which must not change before its last word.
func (c *Cutter) Cut(text []byte) {
	c.text, c.at, c.end, c.runes, c.next = text, 0, 0, c.runes[:0], 0
}

// Next returns the next word, or nil behind the last.
func (c *Cutter) Next() []byte {
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
			if r, size := utf8.DecodeRune(c.text[c.at:]); Begins(r) {
				c.readRun()
			} else {
				c.at += size
			}
			continue
		}
		if ascii[b] == Other {
			c.at++
			continue
		}
		from, capitals := c.at, false
		for c.at++; ; c.at++ {
			capitals = capitals || ascii[b] == Capital
			if c.at == len(c.text) {
				break
			}
			if b = c.text[c.at]; b >= utf8.RuneSelf || ascii[b] == Other {
				break
			}
		}
		if b >= utf8.RuneSelf {
			if r, _ := utf8.DecodeRune(c.text[c.at:]); unicode.IsMark(r) || Begins(r) && !Spaceless(r) {
				c.at = from
				c.readRun()
				continue
			}
		}
		if !capitals {
			return c.text[from:c.at]
		}
		c.at, c.end = from, c.at
		c.run = AppendLower(c.run, c.text[from:c.end])
	}
}

// Run returns the run of which the last word is a piece, in lower case; nothing
// when the word is a whole run.
func (c *Cutter) Run() []byte { return c.run }

// Last reports whether the last word is the last piece of its run.
func (c *Cutter) Last() bool { return c.at >= c.end && c.next >= len(c.runes) }

// piece returns the next word of an ASCII run with capitals.
func (c *Cutter) piece() []byte {
	from, to := c.at, c.end
	for i := from + 1; i < c.end; i++ {
		a, b := ascii[c.text[i-1]], ascii[c.text[i]]
		earlier := a == Capital && b == Small // the word ends before i-1, not before i
		if earlier && i-1 > from || !earlier && a != b {
			if !c.CutPlurals && i-from >= 2 && c.text[i] == 's' && earlier && (i+1 == c.end || ascii[c.text[i+1]] != Small) {
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
		if ascii[b] == Capital {
			b += 'a' - 'A'
		}
		c.low = append(c.low, b)
	}
	return c.low
}

// readRun reads the run of runes that begins here.
func (c *Cutter) readRun() {
	c.runes, c.next = c.runes[:0], 0
	capitals := false
	for {
		r, size := utf8.DecodeRune(c.text[c.at:]) // at the end no letter
		if len(c.runes) == 0 {
			c.spaced = !Spaceless(r)
		} else if !unicode.IsMark(r) && !(Begins(r) && Spaceless(r) != c.spaced) {
			break
		}
		capitals = capitals || IsCapital(r)
		c.runes = append(c.runes, r)
		c.at += size
	}
	if c.spaced && !capitals {
		c.next = len(c.runes) // what classes are cut at is not
		c.low = appendLowerRunes(c.low[:0], c.runes)
		c.runes = append(c.runes, wholeRun)
	} else if c.spaced {
		c.run = appendLowerRunes(c.run, c.runes)
	}
}

// wholeRun stands behind a run that is one word, which low has.
const wholeRun rune = -1

// runeWord returns the next word of a run of runes.
func (c *Cutter) runeWord() []byte {
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
		c.low = appendLowerRunes(c.low[:0], run[from:end])
		return c.low
	}
	c.next = len(run)
	before := ClassOf(run[from])
	for last, at, letters := from, letterEnd(run, from), 1; at < len(run); letters++ {
		class, end := ClassOf(run[at]), letterEnd(run, at)
		if before == Capital && class == Small {
			if !c.CutPlurals && letters >= 2 && run[at] == 's' && (end == len(run) || ClassOf(run[end]) != Small) {
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
	c.low = appendLowerRunes(c.low[:0], run[from:c.next])
	return c.low
}

// letterEnd returns where the letter ends that begins at a place of a run, with
// its marks; the end of the run when it begins none.
func letterEnd(run []rune, from int) int {
	for from++; from < len(run) && unicode.IsMark(run[from]); from++ {
	}
	return min(from, len(run))
}

// appendLowerRunes appends runes in lower case.
func appendLowerRunes(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = utf8.AppendRune(dst, Lower(r))
	}
	return dst
}

// AppendLower appends a text in the form of Lower. What is not UTF-8
// becomes U+FFFD.
func AppendLower[Text string | []byte](dst []byte, text Text) []byte {
	for at := 0; at < len(text); {
		b := text[at]
		if b >= utf8.RuneSelf {
			r, size := decode(text[at:])
			dst = utf8.AppendRune(dst, Lower(r))
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

// AppendLetters appends the letters and digits of a text.
func AppendLetters[Text string | []byte](dst []byte, text Text) []byte {
	for at := 0; at < len(text); {
		if b := text[at]; b < utf8.RuneSelf {
			if ascii[b] != Other {
				dst = append(dst, b)
			}
			at++
			continue
		}
		r, size := decode(text[at:])
		if Begins(r) {
			dst = utf8.AppendRune(dst, r)
		}
		at += size
	}
	return dst
}

// HasLetters reports whether the letters and digits of a text are these.
func HasLetters(text string, letters []byte) bool {
	for _, r := range text {
		if !Begins(r) {
			continue
		}
		l, size := utf8.DecodeRune(letters)
		if l != r || len(letters) == 0 {
			return false
		}
		letters = letters[size:]
	}
	return len(letters) == 0
}
