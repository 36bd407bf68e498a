package config

import "strings"

// fnmatch reports whether a name fits a pattern as Python's fnmatchcase has it: * is
// any text, ? one character, [ab] and [a-z] one of a set and [!ab] one of the others;
// a bracket without its end is itself. It backtracks to the last asterisk alone, so
// that it costs at most the product of the two lengths.
func fnmatch(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, from := -1, 0 // the last asterisk, and where the text that it stands for ends
	i := 0
	for j := 0; j < len(n); {
		if i < len(p) && p[i] == '*' {
			star, from = i, j
			i++
			continue
		}
		if width, fits := oneOf(p[i:], n[j]); fits {
			i, j = i+width, j+1
			continue
		}
		if star < 0 {
			return false
		}
		from++
		i, j = star+1, from
	}
	return strings.Trim(string(p[i:]), "*") == ""
}

// oneOf reports whether a character fits what a pattern begins with, and how long
// that is.
func oneOf(p []rune, c rune) (width int, fits bool) {
	switch {
	case len(p) == 0:
		return 0, false
	case p[0] == '?':
		return 1, true
	case p[0] != '[':
		return 1, p[0] == c
	}
	first, not := 1, len(p) > 1 && p[1] == '!'
	if not {
		first++
	}
	end := first + 1 // a bracket that comes first is in the set
	for end < len(p) && p[end] != ']' {
		end++
	}
	if end >= len(p) {
		return 1, c == '['
	}
	in := false
	for i := first; i < end; i++ {
		if i+2 < end && p[i+1] == '-' {
			in = in || p[i] <= c && c <= p[i+2]
			i += 2
			continue
		}
		in = in || p[i] == c
	}
	return end + 1, in != not
}
