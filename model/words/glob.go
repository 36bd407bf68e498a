package words

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Glob is a compiled glob. The zero value matches nothing.
type Glob struct{ expression *regexp.Regexp }

// Match reports whether the glob matches all of name, in time that is linear in both.
func (g *Glob) Match(name string) bool {
	if !utf8.ValidString(name) {
		var valid strings.Builder
		for c, size := rune(0), 0; name != ""; name = name[size:] {
			c, size = character(name)
			valid.WriteRune(c)
		}
		name = valid.String()
	}
	return g.expression != nil && g.expression.MatchString(name)
}

// invalid is added to a byte that is not UTF-8, so that it is no character that a text has: the
// last ones of private use.
const invalid = utf8.MaxRune - 0xff

// character returns the first character of text and its length in bytes.
func character(text string) (c rune, size int) {
	c, size = utf8.DecodeRuneInString(text)
	if c == utf8.RuneError && size == 1 {
		c = invalid + rune(text[0])
	}
	return c, size
}

// Bounds of a glob. What goes beyond them is refused, so that a policy cannot
// take time or memory that somebody notices.
const (
	longest = 4096 // bytes
	deepest = 32   // braces within braces
)

// What can be wrong with a glob.
var (
	errTooLong    = fmt.Errorf("longer than %d bytes", longest)
	errTooDeep    = fmt.Errorf("more than %d braces within each other", deepest)
	errBrackets   = errors.New("[ without its ]")
	errBraces     = errors.New("{ without its }")
	errNoBraces   = errors.New("} without its {")
	errBackslash  = errors.New(`\ with nothing after it`)
	errClass      = errors.New("[: :], [. .] and [= =] have no meaning here; ranges have, as [0-9]")
	errSequence   = errors.New("{a..b} has no meaning here; {a,b} and [a-b] have")
	errEmptyRange = errors.New("a range that ends before it begins")
)

// CompileGlob returns the glob of a text, or an error that says in what it is
// malformed, without repeating it.
func CompileGlob(text string) (*Glob, error) {
	if len(text) > longest {
		return nil, errTooLong
	}
	c := globCompiler{text: text}
	c.out.WriteString(`(?s)\A`)
	if err := c.sequence(0); err != nil {
		return nil, err
	}
	c.out.WriteString(`\z`)
	return &Glob{regexp.MustCompile(c.out.String())}, nil
}

// globCompiler writes the rest of a text as a regular expression.
type globCompiler struct {
	text string
	out  strings.Builder
}

// take reads one character.
func (c *globCompiler) take() rune {
	char, size := character(c.text)
	c.text = c.text[size:]
	return char
}

// escaped reads the character behind a backslash.
func (c *globCompiler) escaped() (rune, error) {
	if c.text == "" {
		return 0, errBackslash
	}
	return c.take(), nil
}

// sequence reads up to the end of the text or, within braces, up to a comma or
// a closing brace, which it leaves.
func (c *globCompiler) sequence(depth int) (err error) {
	for c.text != "" && (depth == 0 || c.text[0] != ',' && c.text[0] != '}') && err == nil {
		switch char := c.take(); char {
		case '*':
			c.out.WriteString(".*")
		case '?':
			c.out.WriteString(".")
		case '[':
			err = c.brackets()
		case '{':
			err = c.braces(depth + 1)
		case '}':
			err = errNoBraces
		case '\\':
			if char, err = c.escaped(); err == nil {
				c.out.WriteString(regexp.QuoteMeta(string(char)))
			}
		default:
			c.out.WriteString(regexp.QuoteMeta(string(char)))
		}
	}
	return err
}

// brackets reads what stands behind an opening bracket.
func (c *globCompiler) brackets() error {
	c.out.WriteString("[")
	if c.text != "" && (c.text[0] == '!' || c.text[0] == '^') {
		c.out.WriteString("^")
		c.text = c.text[1:]
	}
	for n := 0; ; n++ {
		switch {
		case c.text == "":
			return errBrackets
		case c.text[0] == ']' && n > 0:
			c.text = c.text[1:]
			c.out.WriteString("]")
			return nil
		case len(c.text) > 1 && c.text[0] == '[' && (c.text[1] == ':' || c.text[1] == '.' || c.text[1] == '='):
			return errClass
		}
		first, err := c.member()
		if err != nil {
			return err
		}
		last := first
		if len(c.text) > 1 && c.text[0] == '-' && c.text[1] != ']' {
			c.text = c.text[1:]
			if last, err = c.member(); err != nil {
				return err
			}
		}
		if last < first {
			return errEmptyRange
		}
		fmt.Fprintf(&c.out, `\x{%x}-\x{%x}`, first, last)
	}
}

// member reads one character within brackets.
func (c *globCompiler) member() (rune, error) {
	if char := c.take(); char != '\\' {
		return char, nil
	}
	return c.escaped()
}

// braces reads what stands behind an opening brace, with alternatives that are
// depth braces deep.
func (c *globCompiler) braces(depth int) error {
	if depth > deepest {
		return errTooDeep
	}
	for between := "(?:"; ; between = "|" {
		c.out.WriteString(between)
		before := c.text
		switch err := c.sequence(depth); {
		case err != nil:
			return err
		case c.text == "":
			return errBraces
		case between != "|" && c.text[0] == '}' && strings.Contains(before[:len(before)-len(c.text)], ".."):
			return errSequence
		}
		closed := c.text[0] == '}'
		if c.text = c.text[1:]; closed {
			c.out.WriteString(")")
			return nil
		}
	}
}
