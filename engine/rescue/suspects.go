package rescue

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSuspects is how many lines that look like errors an excerpt shows.
const maxSuspects = 10

// maxSuspectLine is how much of such a line it shows, in characters, and
// suspectLead how much before the word that makes it one, in bytes.
const (
	maxSuspectLine = 180
	suspectLead    = 60
)

// suspect is a line that looks like an error.
type suspect struct {
	number    int
	text      []byte
	fromStart bool   // text begins with the line
	toEnd     bool   // text ends with the line
	signature string // the text without its digits
	outer     bool   // among the lines that an excerpt most likely shows
}

// suspects are the lines of a text that look like errors.
type suspects struct {
	lines []suspect // by number
	total int       // of the whole text
	word  string    // which made the first line one; empty without any
	token string    // the letters and digits in and around it
}

// errorWords make a line look like an error, in lower case. At most 32. One that
// begins another comes after it.
var errorWords = []string{
	"error", "exception", "fatal", "panic", "traceback", "failed", "failure", "critical",
	"segmentation fault", "timed out", "denied", "refused", "aborted", "out of memory", "unhandled", "unreachable", "fail", "err",
}

// wordsAt has, for each of the first three places of a word, the words that a
// byte could stand in, as bits.
var wordsAt = func() (t [3][256]uint32) {
	for w, word := range errorWords {
		for i := range t {
			t[i][word[i]] |= 1 << w
			t[i][word[i]-'a'+'A'] |= 1 << w
		}
	}
	return t
}()

// longestWord is how far before a word and afterWord how far behind it a denial is looked
// for.
const longestWord, afterWord = 60, 40

// findErrors returns the lines of a text with one of the patterns, which are
// plain text, or without any with one of errorWords. It keeps up to ten different lines from those
// after the line head and before or at the line tail, and up to ten from the
// rest, which an excerpt most likely shows anyhow. Lines that differ in their
// digits alone are kept once.
func findErrors(b []byte, head, tail int, patterns []string) *suspects {
	s, next := &suspects{}, NextError(patterns)
	line, counted := 1, 0
	var inner, outer int // how many are kept of each
	for i := 0; i < len(b); {
		var word string
		if i, word = next(b, i, len(b)); i < 0 {
			break
		}
		if s.word == "" {
			s.word, s.token = word, tokenAround(b, i, i+len(word))
		}
		line += CountBreaks(b[counted:i])
		counted = i
		end, _ := NextBreak(b[i:])
		end += i
		s.total++
		kept, isOuter := &inner, line <= head || line > tail
		if isOuter {
			kept = &outer
		}
		if *kept < maxSuspects {
			found := suspectOf(b, line, LineStart(b, 0, i), i, end)
			if found.outer = isOuter; !slices.ContainsFunc(s.lines, func(o suspect) bool { return o.outer == isOuter && o.signature == found.signature }) {
				s.lines = append(s.lines, found)
				*kept++
			}
		}
		i = end
	}
	return s
}

// NextError returns what finds the next place that makes a line look like an error:
// one of the patterns, which are plain text in any case of letters, or without any one of
// errorWords. It looks from i and before upTo, and returns where the place begins and the word,
// in lower case, or the text of a pattern as it stands there; -1 without any.
func NextError(patterns []string) func(b []byte, i, upTo int) (at int, word string) {
	patterns = slices.DeleteFunc(slices.Clone(patterns), func(text string) bool { return text == "" || CountBreaks([]byte(text)) > 0 })
	if len(patterns) == 0 {
		return nextWord
	}
	var first [256]bool // the bytes that one of them can begin with
	for _, text := range patterns {
		begin, _ := utf8.DecodeRuneInString(text)
		for c, more := begin, true; more; more = c != begin {
			first[utf8.AppendRune(nil, c)[0]] = true
			c = unicode.SimpleFold(c)
		}
	}
	return func(b []byte, i, upTo int) (int, string) {
		for ; i < upTo; i++ {
			if !first[b[i]] {
				continue
			}
			for _, text := range patterns {
				if n := foldedPrefix(b[i:], text); n > 0 {
					return i, string(b[i : i+n])
				}
			}
		}
		return -1, ""
	}
}

// foldedPrefix returns how many bytes at the beginning of b are the text in any
// case of letters, 0 when it is not there.
func foldedPrefix(b []byte, text string) int {
	at := 0
	for _, want := range text {
		c, size := utf8.DecodeRune(b[at:])
		if size == 0 || c == utf8.RuneError && size == 1 || !strings.EqualFold(string(c), string(want)) {
			return 0
		}
		at += size
	}
	return at
}

// AsksForErrors reports whether a pattern holds one of errorWords, in any case.
func AsksForErrors(pattern string) bool {
	pattern = strings.ToLower(pattern)
	return slices.ContainsFunc(errorWords, func(word string) bool { return strings.Contains(pattern, word) })
}

// suspectOf returns the line of b from start to end, which a word makes look like an error.
func suspectOf(b []byte, line, start, word, end int) suspect {
	s := suspect{number: line, fromStart: true, toEnd: true}
	if word-start > suspectLead && end-start > 4*maxSuspectLine/3 {
		start, s.fromStart = word-suspectLead, false
		for start < word && b[start]&0xC0 == 0x80 {
			start++
		}
	}
	if most := start + 4*maxSuspectLine; end > most {
		end, s.toEnd = most, false
	}
	s.text = firstCharsOf(TrimEnding(b[start:end]), maxSuspectLine)
	s.toEnd = s.toEnd && start+len(s.text) >= end
	s.signature = strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, string(s.text))
	return s
}

// nextWord returns where the next error word begins, from i and before upTo,
// and the word in lower case; -1 without any.
func nextWord(b []byte, i, upTo int) (int, string) {
	last := min(upTo, len(b)-2)
	for ; i < last; i++ {
		words := wordsAt[0][b[i]]
		if words == 0 {
			continue
		}
		words &= wordsAt[1][b[i+1]] & wordsAt[2][b[i+2]]
		if words == 0 {
			continue
		}
		for w, word := range errorWords {
			if words&(1<<w) != 0 && isErrorWord(b, i, word) {
				return i, word
			}
		}
	}
	return -1, ""
}

// isErrorWord reports whether the word stands at i, begins there, as it does
// in "TypeError" and "IOError" but not in "terror", and is not denied, as in
// "0 errors" or "error=null".
func isErrorWord(b []byte, i int, word string) bool {
	if len(b)-i < len(word) || !bytes.EqualFold(b[i:i+len(word)], []byte(word)) {
		return false
	}
	before, after := b[LineStart(b, max(0, i-longestWord), i):i], b[i+len(word):min(len(b), i+len(word)+afterWord)]
	if n := len(before); n > 0 {
		isUpper, begins := isCapital(before[n-1]), isCapital(b[i])
		isLower := 'a' <= before[n-1] && before[n-1] <= 'z'
		if isLower && !begins || isUpper && !(begins && !isCapital(b[i+1])) {
			return false
		}
	}
	if word == "err" && b[i] != 'E' {
		return false // a name of programs
	}
	rest := after
	if len(rest) > 0 && rest[0]|0x20 == 's' {
		rest = rest[1:]
	}
	if len(rest) > 0 && ('a' <= rest[0] && rest[0] <= 'z' || isCapital(rest[0]) && isCapital(b[i+len(word)-1])) {
		return false // a longer word
	}
	isPlural := len(rest) < len(after) || len(after) > 2 && bytes.EqualFold(after[:3], []byte("(s)"))
	return !deniedBefore(before, isPlural) && !deniedAfter(rest)
}

// isCapital reports whether a byte is a capital letter of ASCII.
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// deniedBefore reports whether the text of a line before a word denies it, as in
// "no error". A 0 counts things that are in the plural, and others where it begins
// the line or follows a sign or "and" or "with"; after another word it is its
// number, as in "worker 0 ERROR".
func deniedBefore(before []byte, isPlural bool) bool {
	rest := bytes.TrimRight(before, " \t")
	if len(rest) == len(before) {
		return false
	}
	rest, last := cutWord(rest)
	none := bytes.TrimLeft(last, `"'([{|,;:=`)
	switch {
	case bytes.EqualFold(none, []byte("no")), bytes.EqualFold(none, []byte("without")):
		return true
	case string(none) != "0":
		return false
	case isPlural || len(none) < len(last) || len(rest) == 0:
		return true
	}
	_, word := cutWord(rest)
	return bytes.EqualFold(word, []byte("and")) || bytes.EqualFold(word, []byte("with")) ||
		bytes.IndexByte([]byte(`,;:=|([{-`), word[len(word)-1]) >= 0
}

// cutWord returns what stands before the last word of b, without the blanks
// between, and the word. b does not end with a blank.
func cutWord(b []byte) (rest, word []byte) {
	i := bytes.LastIndexAny(b, " \t") + 1
	return bytes.TrimRight(b[:i], " \t"), b[i:]
}

// deniedAfter reports whether the text after a word denies that there was any, also as the
// figure of a name that the word begins: "error_count": 0.
func deniedAfter(after []byte) bool {
	for _, name := range []string{"count", "code", "total", "found"} {
		if rest := bytes.TrimLeft(after, "_- "); len(rest) >= len(name) && bytes.EqualFold(rest[:len(name)], []byte(name)) {
			after = rest[len(name):]
			break
		}
	}
	after = bytes.TrimLeft(after, `"' `)
	if len(after) == 0 || after[0] != ':' && after[0] != '=' {
		return false
	}
	after = bytes.TrimLeft(after[1:], ` "'`)
	for _, none := range []string{"0", "null", "none", "false", "nil", "[]"} {
		if len(after) >= len(none) && bytes.EqualFold(after[:len(none)], []byte(none)) {
			return endsValue(after[len(none):])
		}
	}
	return false
}

// endsValue reports whether a value ends before a text: at a sign, or before the next name with
// a value. So "errors: 0 warnings: 2" and "error=null" have none, and "error: 0 bytes read" and
// "panic: nil map" are sentences.
func endsValue(rest []byte) bool {
	if len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r' {
		return true
	}
	if rest[0] != ' ' && rest[0] != '\t' {
		return !('0' <= rest[0] && rest[0] <= '9' || 'a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z' || rest[0] == '.')
	}
	next := bytes.TrimLeft(rest, " \t")
	word := bytes.IndexFunc(next, func(c rune) bool { return c != '_' && c != '-' && !('a' <= c|0x20 && c|0x20 <= 'z') })
	return word <= 0 && (len(next) == 0 || word == 0) || word > 0 && (next[word] == ':' || next[word] == '=')
}

// show adds the lines to a page that it does not show already, as
// many as fit, up to ten.
func (s *suspects) show(p *page, already []shown) {
	whole, start := map[int]bool{}, map[int]bool{}
	for _, line := range already {
		whole[line.number] = whole[line.number] || line.whole
		start[line.number] = start[line.number] || line.start
	}
	var lines []Line
	for _, line := range s.lines {
		if !whole[line.number] && !(start[line.number] && line.fromStart) && len(lines) < maxSuspects {
			part := ""
			switch {
			case !line.fromStart:
				part = ", part"
			case !line.toEnd:
				part = ", beginning"
			}
			lines = append(lines, Line{fmt.Sprintf("%d%s| %s", line.number, part, shownLine(line.text)), LineContent})
		}
	}
	for n := len(lines); n > 0; n-- {
		heading := fmt.Sprintf("[lines that look like errors: %d in all, %d more of them here]", s.total, n)
		if p.add(slices.Concat([]Line{{heading, LineOurs}}, lines[:n])...) {
			return
		}
	}
}
