package fetch

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/engine/rescue"
	"caliper/model/words"
)

// pattern is a compiled request of mode grep. Lines of at most window bytes
// are searched whole; longer ones in windows that overlap, so that every match
// of at most overlap bytes is found wherever it lies.
type pattern struct {
	whole *regexp.Regexp
	// edge[i] is for a window of a longer line: bit 0 set when the window
	// begins the line, bit 1 when it ends it. An anchor to an edge that the
	// window does not have never matches.
	edge    [4]*regexp.Regexp
	need    []*literal
	window  int
	overlap int
}

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

func compile(text string, l rescue.Limits) (*pattern, error) {
	if text == "" {
		return nil, faultf(CodeNoPattern, "mode grep needs a pattern: a regular expression in RE2 syntax, such as error|warn")
	}
	if n := utf8.RuneCountInString(text); l.GrepMaxPatternLen > 0 && n > l.GrepMaxPatternLen {
		return nil, faultf(CodePatternLong, "the pattern has %s and at most %d are taken: search for its rarest part", words.Count(n, "character"), l.GrepMaxPatternLen)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return nil, faultf(CodeControl, `the pattern has a control character in it: write \t for a tab, \x1b for another; no match goes past a line's end`)
	}
	tree, err := syntax.Parse(text, patternFlags)
	if err != nil {
		return nil, patternFault(text, err)
	}
	p := &pattern{}
	if p.whole, err = regexp.Compile("(?i)" + text); err != nil {
		return nil, patternFault(text, err)
	}
	tree = tree.Simplify()
	p.need = required(tree)
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, patternFault(text, err)
	}
	p.window = widestWindow
	if n := len(program.Inst); n > freeInstructions {
		p.window = max(narrowestWindow, widestWindow*freeInstructions/n)
	}
	p.overlap = p.window / 8
	for i := range p.edge {
		tree, err := syntax.Parse(text, patternFlags)
		if err != nil {
			return nil, patternFault(text, err)
		}
		unanchor(tree, i&1 != 0, i&2 != 0)
		if p.edge[i], err = regexp.Compile(tree.String()); err != nil {
			return nil, patternFault(text, err)
		}
	}
	return p, nil
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
func patternFault(text string, err error) *Error {
	for _, lacks := range []struct{ sign, say string }{
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
		if holds(text, lacks.sign) {
			return faultf(CodeUnsupported, "%s", lacks.say)
		}
	}
	for i := 1; i <= 9; i++ {
		if holds(text, `\`+string(rune('0'+i))) {
			return faultf(CodeUnsupported, "backreferences such as \\%d are not supported: write the repeated text out, or search for its first part", i)
		}
	}
	for _, sign := range []string{"*+", "++", "?+", "}+"} {
		if strings.Contains(text, sign) {
			return faultf(CodeUnsupported, "possessive quantifiers such as %s are not supported and not needed, as the search takes linear time: leave out the last +", sign)
		}
	}
	var fault *syntax.Error
	if errors.As(err, &fault) {
		return faultf(CodePattern, "the pattern is not an RE2 expression (%s at %q): write a backslash before ( ) [ ] { } . * + ? | that are meant as they are", fault.Code, words.Clip(fault.Expr, 40))
	}
	return faultf(CodePattern, "the pattern is not an RE2 expression: %v", err)
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
