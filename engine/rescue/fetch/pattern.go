package fetch

import (
	"bytes"
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// patternFlags are package regexp's and that case does not count, which
// (?-i) in a pattern takes back.
const patternFlags = syntax.Perl | syntax.FoldCase

const (
	widestWindow    = 512 << 10
	narrowestWindow = 16 << 10
	// freeInstructions is the size of a program that the widest window is
	// meant for; larger ones, which take longer for each byte, have narrower
	// windows, so that the time limit is looked at as often.
	freeInstructions = 64
)

// compile returns a search by a pattern.
func compile(text string, l rescue.Limits) (*grepping, error) {
	if text == "" {
		return nil, rescue.Errorf(CodeNoPattern, "mode grep needs a pattern: a regular expression in RE2 syntax, such as error|warn")
	}
	if n := utf8.RuneCountInString(text); l.GrepMaxPatternLen > 0 && n > l.GrepMaxPatternLen {
		return nil, rescue.Errorf(CodePatternLong, "the pattern has %s and at most %d are taken: search for its rarest part", words.Count(n, "character"), l.GrepMaxPatternLen)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return nil, rescue.Errorf(CodeControl, `the pattern has a control character in it: write \t for a tab, \x1b for another; no match goes past a line's end`)
	}
	tree, err := syntax.Parse(text, patternFlags)
	if err != nil {
		return nil, patternFault(text, err)
	}
	g := &grepping{forErrors: len(l.ErrorLinePatterns) == 0 && rescue.AsksForErrors(text)}
	if g.whole, err = regexp.Compile("(?i)" + text); err != nil {
		return nil, patternFault(text, err)
	}
	tree = tree.Simplify()
	g.near.set = required(tree)
	g.near.next = make([]int, len(g.near.set))
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, patternFault(text, err)
	}
	g.window = widestWindow
	if n := len(program.Inst); n > freeInstructions {
		g.window = max(narrowestWindow, widestWindow*freeInstructions/n)
	}
	g.overlap = g.window / 8
	for i := range g.edge {
		tree, err := syntax.Parse(text, patternFlags)
		if err != nil {
			return nil, patternFault(text, err)
		}
		unanchor(tree, i&1 != 0, i&2 != 0)
		if g.edge[i], err = regexp.Compile(tree.String()); err != nil {
			return nil, patternFault(text, err)
		}
	}
	return g, nil
}

// unanchor makes the anchors to a missing edge match nothing.
func unanchor(re *syntax.Regexp, begins, ends bool) {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpBeginText:
		if !begins {
			*re = syntax.Regexp{Op: syntax.OpNoMatch}
		}
	case syntax.OpEndLine, syntax.OpEndText:
		if !ends {
			*re = syntax.Regexp{Op: syntax.OpNoMatch}
		}
	}
	for _, sub := range re.Sub {
		unanchor(sub, begins, ends)
	}
}

// patternFault tells which syntax RE2 lacks and the way around.
func patternFault(text string, err error) *rescue.Error {
	for _, lacks := range [][2]string{
		{"(?=", "lookahead (?=...) is not supported: match the text itself, as in foo.*bar, and read the line"},
		{"(?!", "negative lookahead (?!...) is not supported: search for what should be there and pass over the lines that are not wanted"},
		{"(?<=", "lookbehind (?<=...) is not supported: write the text before as part of the pattern"},
		{"(?<!", "negative lookbehind (?<!...) is not supported: write the characters that may come before, as in (^|[^a])b"},
		{"(?>", "atomic groups (?>...) are not supported and not needed, as the search takes linear time: write (?:...)"},
		{"(?(", "conditionals (?(...)...) are not supported: write the alternatives as (?:a|b)"},
		{"(?R)", "recursion is not supported: for nested values of JSON use a pointer or mode outline"},
		{"(?#", "comments (?#...) are not supported: leave them out"},
		{"(?P=", "backreferences are not supported: write the repeated text out, or search for its first part"},
		{`\k`, "backreferences are not supported: write the repeated text out, or search for its first part"},
		{`\G`, `\G is not supported: use start to say where to begin`},
		{`\Z`, `\Z is not supported: write $ for the end of a line`},
		{`\h`, `\h is not supported: write [ \t]`},
		{`\R`, `\R is not supported and not needed: every line is searched by itself`},
		{`\X`, `\X is not supported: write . for any character`},
	} {
		if holds(text, lacks[0]) {
			return rescue.Errorf(CodeUnsupported, "%s", lacks[1])
		}
	}
	for i := 1; i <= 9; i++ {
		if holds(text, `\`+string(rune('0'+i))) {
			return rescue.Errorf(CodeUnsupported, "backreferences such as \\%d are not supported: write the repeated text out, or search for its first part", i)
		}
	}
	for _, sign := range []string{"*+", "++", "?+", "}+"} {
		if strings.Contains(text, sign) {
			return rescue.Errorf(CodeUnsupported, "possessive quantifiers such as %s are not supported and not needed, as the search takes linear time: leave out the last +", sign)
		}
	}
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return rescue.Errorf(CodePattern, "the pattern is not an RE2 expression (%s at %q): write a backslash before ( ) [ ] { } . * + ? | that are meant as they are", fault.Code, words.Clip(fault.Expr, 40))
	}
	return rescue.Errorf(CodePattern, "the pattern is not an RE2 expression: %v", err)
}

// holds reports whether sign stands in text where no backslash takes its first
// character's meaning.
func holds(text, sign string) bool {
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], sign) {
			return true
		}
		if text[i] == '\\' {
			i++
		}
	}
	return false
}

// literals finds where a match can be: every match of a pattern holds one of a set of texts, in any
// case of ASCII letters. A line without any need not be matched, which takes longer.
type literals struct {
	set   [][]byte // in lower case; nil when none are known
	lower []byte   // the searched text, in lower case
	next  []int    // by literal: the first place that was not passed, len(lower) for none
}

// begin begins the search of another text.
func (s *literals) begin(b []byte) {
	if s.set == nil {
		return
	}
	s.lower = append(s.lower[:0], b...)
	for i, c := range s.lower {
		if 'A' <= c && c <= 'Z' {
			s.lower[i] = c | 0x20
		}
	}
	for i := range s.next {
		s.next[i] = -1
	}
}

// from returns the first place >= at of any literal, or -1. Calls for one text come with growing at.
func (s *literals) from(at int) int {
	best := -1
	for i, text := range s.set {
		if s.next[i] < at {
			s.next[i] = len(s.lower)
			if n := bytes.Index(s.lower[at:], text); n >= 0 {
				s.next[i] = at + n
			}
		}
		if n := s.next[i]; n < len(s.lower) && (best < 0 || n < best) {
			best = n
		}
	}
	return best
}

// required returns literals such that every match of re holds at least one, or nil when none are
// known. U+FFFD stands for many bytes, and letters outside ASCII, k (Kelvin sign) and s (long s)
// have cases of other lengths.
func required(re *syntax.Regexp) [][]byte {
	switch re.Op {
	case syntax.OpLiteral:
		best := ""
		for part := range strings.FieldsFuncSeq(string(re.Rune), func(c rune) bool { return c >= utf8.RuneSelf || strings.ContainsRune("kKsS", c) }) {
			if len(part) > len(best) {
				best = part
			}
		}
		if best != "" {
			return [][]byte{[]byte(strings.ToLower(best))}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best [][]byte
		most := 0 // the length of the shortest of best
		for _, sub := range re.Sub {
			set := required(sub)
			shortest := 0
			for _, text := range set {
				if shortest == 0 || len(text) < shortest {
					shortest = len(text)
				}
			}
			if shortest > most {
				best, most = set, shortest
			}
		}
		return best
	case syntax.OpAlternate:
		var all [][]byte
		for _, sub := range re.Sub {
			set := required(sub)
			if set == nil || len(all)+len(set) > 8 {
				return nil
			}
			all = append(all, set...)
		}
		return all
	}
	return nil
}
