package transcript

import (
	"unicode/utf8"

	"caliper/model/jsontree"
)

// Class is a class of text. Tokenizers make more tokens of a character of one
// class than of another, so sizes are kept apart by it.
type Class int

const (
	// Schema is JSON of definitions, of names and of arguments.
	Schema Class = iota
	// Prose is the words of people and models, and system prompts.
	Prose
	// Output is the results of tools.
	Output
	// Classes is the number of classes.
	Classes
)

// This does not compile when there are more classes than Size.Add names.
const _ = uint(Output + 1 - Classes)

// Size is how long a text is: its code points by class and, where the reader
// was given a Counter, its tokens by that tokenizer.
type Size struct {
	Chars  [Classes]int
	Tokens int
}

// Add returns the sum of both sizes. It is written out because a loop over the classes would
// take twice the time, and replay adds sizes for each request under each strategy.
func (s Size) Add(t Size) Size {
	s.Chars[Schema] += t.Chars[Schema]
	s.Chars[Prose] += t.Chars[Prose]
	s.Chars[Output] += t.Chars[Output]
	s.Tokens += t.Tokens
	return s
}

// AllChars returns the code points of all classes together.
func (s Size) AllChars() int {
	n := 0
	for _, c := range s.Chars {
		n += c
	}
	return n
}

// A Counter returns the tokens of a text. It is nil where characters are all
// that is wanted, as the default tokenizer needs.
type Counter func(text string) int

// Measure returns the size of a text of one class. Bytes that are no UTF-8
// count one code point each, as they would be replaced one by one.
func Measure(text string, c Class, count Counter) Size {
	var s Size
	s.Chars[c] = utf8.RuneCountInString(text)
	if count != nil {
		s.Tokens = count(text)
	}
	return s
}

const (
	mostNames = 4096 // texts that are kept
	longName  = 128  // bytes of the longest
)

// Names keeps one copy of texts that many lines of many logs have, such as the names of
// models and tools. The zero value is ready; it is for one goroutine.
//
// SECURITY: what a log has of other texts is copied as it comes, so that no log fills it.
type Names map[string]string

// Of returns the text of a string, and "" for any other value.
func (n *Names) Of(v jsontree.Value) string {
	shared := v.Shared()
	if name, ok := (*n)[shared]; ok {
		return name
	}
	if *n == nil {
		*n = Names{}
	}
	text := v.Text()
	if len(text) <= longName && len(*n) < mostNames {
		(*n)[text] = text
	}
	return text
}
