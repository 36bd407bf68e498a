package ui

import "strings"

// Wrap breaks s into lines of at most w cells: at newlines, else between
// words, else, if a word is longer than a line, between units. Spaces at a
// break are dropped, spaces at the beginning of a paragraph are kept. Lines
// are not filled, and hold nothing that Clean would replace; a unit wider than
// a whole line is drawn as …. The result is empty if s is empty or w is not
// positive.
func Wrap(s string, w int) []string {
	if s == "" || w <= 0 {
		return nil
	}
	lines := make([]string, 0, len(s)/w+1)
	for paragraph := range strings.SplitSeq(s, "\n") {
		paragraph = strings.TrimSuffix(paragraph, "\r")
		lines = wrapParagraph(lines, Clean(paragraph), w)
	}
	return lines
}

// wrapParagraph appends the lines of s, which is clean and has no newline.
func wrapParagraph(lines []string, s string, w int) []string {
	for {
		line, rest := breakLine(s, w)
		lines = append(lines, line)
		if rest == "" {
			return lines
		}
		s = rest
	}
}

// breakLine returns the first line of s, and the rest for the next ones.
func breakLine(s string, w int) (line, rest string) {
	at, i := 0, 0
	word, after := 0, 0 // where the last word ended that fits, and where the next one begins
	for i < len(s) {
		_, n, cw := next(s[i:])
		if at+cw > w {
			break
		}
		if s[i] == ' ' && i > 0 {
			if s[i-1] != ' ' {
				word = i
			}
			after = i + 1
		}
		at += cw
		i += n
	}
	switch {
	case i == len(s):
		return strings.TrimRight(s, " "), ""
	case s[i] == ' ' && i > 0 && s[i-1] != ' ':
		word, after = i, i
	}
	if word > 0 {
		return s[:word], strings.TrimLeft(s[after:], " ")
	}
	if i == 0 { // a unit wider than the line
		_, n, _ := next(s)
		return Truncate(s, w), s[n:]
	}
	return s[:i], s[i:]
}
