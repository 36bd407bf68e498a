package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s as one line that is safe to draw in a terminal, s itself when nothing has to
// change.
//
//   - A line break (LF or CR LF) becomes ⏎, a tab a space, any other C0 control and DEL its control
//     picture (ESC is ␛, CR is ␍).
//   - Every other character that draws nothing of its own or rules how others are drawn becomes �:
//     C1 controls, format characters, line and paragraph separators, fillers, variation selectors,
//     noncharacters, private use, and code points that Unicode 15 leaves unassigned. So does every
//     byte that is not UTF-8.
//   - Kept whole are emoji: joined by ZWJ (up to four), with a skin tone, with VS15 or VS16 after a
//     pictograph, keycaps, flags of two letters, but not flags of tags, which hide text. A joiner
//     between letters of a script that needs it, such as Arabic or Devanagari, is kept too.
//   - Combining marks stay, up to four on one character; � stands for the rest, and for a mark at
//     the start of a line, which would join what was drawn before it.
func Line(s string) string { return clean(s, false) }

// Lines is Line for text of several lines: it keeps LF, and makes CR LF one.
func Lines(s string) string { return clean(s, true) }

// The limits of what joins to one character on the screen.
const (
	maxMarks    = 4 // combining marks on one character
	maxPictures = 4 // pictographs joined by ZWJ; a family has four
	maxLinks    = 4 // letters of an Indic conjunct joined to the first
)

const (
	zwnj = '\u200C'
	zwj  = '\u200D'
)

// marker stands for characters that are not drawn.
const marker = string(utf8.RuneError)

// clean is Line, or Lines if it keeps line breaks.
//
// SECURITY: everything that is drawn and comes from outside must have passed
// through here: an escape sequence in a description could otherwise write to
// the clipboard or redraw the screen.
func clean(s string, keepLines bool) string {
	start := asciiPrefix(s, keepLines)
	if start == len(s) {
		return s
	}
	c := cleaner{keepLines: keepLines}
	if start > 0 && s[start-1] != '\n' {
		c.prev = rune(s[start-1])
	}
	var out strings.Builder
	copied := 0 // s up to here is in out
	for i := start; i < len(s); {
		size, instead, keep := c.next(s[i:])
		if !keep {
			if copied == 0 && out.Len() == 0 {
				out.Grow(len(s) + len(s)/8)
			}
			out.WriteString(s[copied:i])
			out.WriteString(instead)
			copied = i + size
		}
		i += size
	}
	if copied == 0 {
		return s
	}
	out.WriteString(s[copied:])
	return out.String()
}

// asciiPrefix returns the length of the part of s that is plain ASCII and stays as it is.
func asciiPrefix[Text string | []byte](s Text, keepLines bool) int {
	for i := range len(s) {
		if b := s[i]; b < ' ' && (b != '\n' || !keepLines) || b > '~' {
			return i
		}
	}
	return len(s)
}

// cleaner decides about one character after the other, and what the next one could join to.
type cleaner struct {
	keepLines bool
	prev      rune // last character written; 0 at the start of a line
	marks     int  // marks on the last base character
	links     int  // letters joined in the current conjunct
	linked    bool // a linker was written last: the next letter joins
	pictures  int  // pictographs in the current emoji
	full      bool // marks are being dropped
}

// next returns the size of the first character of s and whether to keep it, or else its
// replacement.
func (c *cleaner) next(s string) (size int, instead string, keep bool) {
	b := s[0]
	if b < utf8.RuneSelf {
		return c.ascii(s)
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return 1, c.mark(), false
	case isPlain(r):
		c.base(r)
		return size, "", true
	case isPictograph(r):
		pictures := 1
		if c.prev == zwj {
			pictures = c.pictures + 1
		}
		c.base(r)
		c.pictures = pictures
		return size, "", true
	case r == zwj || r == zwnj:
		if !c.joins(r, s[size:]) {
			return size, c.mark(), false
		}
		c.prev = r
		return size, "", true
	case r == '\uFE0E' || r == '\uFE0F':
		isKey := '0' <= c.prev && c.prev <= '9' || c.prev == '#' || c.prev == '*'
		if !isPictograph(c.prev) && !(isKey && strings.HasPrefix(s[size:], "\u20E3")) { // a keycap
			return size, c.mark(), false
		}
		c.prev = r
		return size, "", true
	case isSkinTone(r):
		if c.prev >= utf8.RuneSelf && !isPictograph(c.prev) && (c.prev != '\uFE0F' || c.pictures == 0) {
			return size, c.mark(), false
		}
		c.prev = r
		return size, "", true
	case isInvisible(r) || !unicode.IsGraphic(r):
		return size, c.mark(), false
	case unicode.Is(unicode.M, r) || unicode.Is(extenders, r) ||
		isLeadingJamo(r) && isLeadingJamo(c.prev) || isPrepended(r) && isPrepended(c.prev):
		instead, keep = c.extend(r)
		return size, instead, keep
	}
	c.base(r)
	return size, "", true
}

// ascii is next for a character of ASCII.
func (c *cleaner) ascii(s string) (size int, instead string, keep bool) {
	b := s[0]
	switch {
	case ' ' <= b && b <= '~':
		c.base(rune(b))
		return 1, "", true
	case b == '\t':
		c.base(' ')
		return 1, " ", false
	case b == '\r' && len(s) > 1 && s[1] == '\n':
		size, instead = 2, "\n"
	case b == '\n':
		size, instead = 1, "\n"
	case b == 0x7F:
		c.base('␡')
		return 1, "␡", false
	default:
		c.base('␀' + rune(b))
		return 1, string('␀' + rune(b)), false
	}
	if !c.keepLines {
		c.base('⏎')
		return size, "⏎", false
	}
	c.base(0)
	return size, instead, size == 1
}

// base notes a written character that joins nothing before it but a linker.
func (c *cleaner) base(r rune) {
	if !c.linked {
		c.links = 0
	}
	c.prev, c.marks, c.pictures, c.linked, c.full = r, 0, 0, false, false
}

// mark notes that a marker is written, and returns it.
func (c *cleaner) mark() string {
	c.linked = false
	c.base(utf8.RuneError)
	return marker
}

// joins reports whether a joiner has a purpose before the text rest.
func (c *cleaner) joins(joiner rune, rest string) bool {
	after, _ := utf8.DecodeRuneInString(rest)
	if joiner == zwj && c.pictures > 0 && c.prev != zwj {
		return c.pictures < maxPictures && isPictograph(after)
	}
	return unicode.In(c.prev, joiningScripts...) && unicode.IsLetter(after) && !isPrepended(after) &&
		unicode.In(after, joiningScripts...)
}

// extend decides about a character that joins the one before it.
func (c *cleaner) extend(r rune) (instead string, keep bool) {
	linker := unicode.Is(linkers, r)
	switch {
	case c.full:
		return "", false
	case c.prev == 0 && unicode.Is(unicode.M, r):
		return c.mark(), false
	case c.marks >= maxMarks || linker && c.links >= maxLinks:
		instead = c.mark()
		c.full = true
		return instead, false
	}
	if linker {
		c.links++
	}
	c.marks++
	c.linked = linker
	c.prev = r
	return "", true
}
