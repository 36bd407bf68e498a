package arguments

import (
	"errors"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxInstructions is how large the regular expressions of a schema may be
// together. Real schemas have some hundred.
const maxInstructions = 100_000

// pattern is a compiled regular expression that knows its size.
type pattern struct {
	*regexp.Regexp
	size int // instructions; matching takes at most so many steps per byte
}

// patterns compiles the regular expressions of one schema, each once.
type patterns struct {
	known map[string]pattern
	size  int
}

// The reasons why a pattern is not checked.
var (
	errSyntax   = errors.New("it has syntax that Go's regular expressions lack")
	errTooLarge = errors.New("the patterns of the schema are too large")
)

// compile compiles a regular expression. Go's engine, which runs in linear
// time, lacks look-around and back-references; patterns with those are errors.
func (p *patterns) compile(text string) (jsonschema.Regexp, error) {
	if known, ok := p.known[text]; ok {
		return known, nil
	}
	if p.size+len(text) > maxInstructions {
		return nil, errTooLarge
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, errSyntax
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, errSyntax
	}
	if p.size += len(program.Inst); p.size > maxInstructions {
		return nil, errTooLarge
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, errSyntax
	}
	p.known[text] = pattern{re, len(program.Inst)}
	return p.known[text], nil
}
