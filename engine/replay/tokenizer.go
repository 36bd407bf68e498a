package replay

import (
	"cmp"
	"encoding/json"
	"unicode/utf8"

	"caliper/engine/tokens"
	"caliper/engine/transcript"
)

// Tokenizer weighs texts by their size alone. One that counts
// exactly needs sessions that were read with its counter
// (transcript.Options.Count); the others need characters alone.
type Tokenizer struct {
	// Name names a tokens.Method, or is "calibrated:" and a model.
	Name string
	// PerChar are tokens per code point of each class; nobody reads them when
	// Count is set.
	PerChar [transcript.Classes]float64
	// Count returns the exact tokens of a text; nil for an estimate.
	Count transcript.Counter
	// Definition returns the size of a tool's definition in the form of a provider: its
	// tokens where Count is set, and else its code points. Nil counts definitions as texts.
	Definition func(definition []byte) int

	checked bool // fitted, and tried on requests held out
}

// TokenizerOf returns the tokenizer of a method. For chars4 it weighs a
// quarter of a token for every code point of any class. A method of a provider's form
// weighs definitions in that form, and every other text by its base (tokens.Method.Base).
// What the provider puts around the definitions belongs to the residual.
func TokenizerOf(m tokens.Method) Tokenizer {
	t := Tokenizer{Name: string(m), Count: m.Text}
	if m.Base() == tokens.Chars4 {
		t = Tokenizer{Name: string(cmp.Or(m, tokens.Chars4)), PerChar: [transcript.Classes]float64{0.25, 0.25, 0.25}}
	}
	if m.Counting().Counted == tokens.CountedPrompt {
		t.Definition = m.Units
	}
	return t
}

// CalibratedAll asks for the fitted tokenizer of its own model for each session.
const CalibratedAll = "calibrated"

// CalibratedPrefix begins the name of every tokenizer that was fitted to a
// model.
const CalibratedPrefix = "calibrated:"

// Calibrated returns the tokenizer that was fitted to a model.
func Calibrated(model string, fit FittedTokenizer) Tokenizer {
	return Tokenizer{Name: CalibratedPrefix + model, PerChar: fit.PerChar, checked: fit.HeldOut > 0}
}

// of returns the tokens of a size. A simulation calls it most: a loop over the
// classes would take twice the time.
func (t *Tokenizer) of(s transcript.Size) float64 {
	if t.Count != nil {
		return float64(s.Tokens)
	}
	const schema, prose, output = transcript.Schema, transcript.Prose, transcript.Output
	return t.PerChar[schema]*float64(s.Chars[schema]) + t.PerChar[prose]*float64(s.Chars[prose]) + t.PerChar[output]*float64(s.Chars[output])
}

// This does not compile when there are more classes than of names.
const _ = uint(transcript.Output + 1 - transcript.Classes)

// measure returns the size of a text of ours.
func (t Tokenizer) measure(text []byte, c transcript.Class) transcript.Size {
	var s transcript.Size
	s.Chars[c] = utf8.RuneCount(text)
	if t.Count != nil {
		s.Tokens = t.Count(string(text))
	}
	return s
}

// definition returns the size of a definition, which is compact JSON.
func (t Tokenizer) definition(text []byte) transcript.Size {
	if t.Definition == nil {
		return t.measure(text, transcript.Schema)
	}
	n := t.Definition(text)
	var s transcript.Size
	if s.Chars[transcript.Schema] = n; t.Count != nil {
		s.Chars[transcript.Schema], s.Tokens = utf8.RuneCount(text), n
	}
	return s
}

// definitions returns the size of definitions, without the brackets and commas
// of their array, as package tokens counts them.
func (t Tokenizer) definitions(defs []json.RawMessage) transcript.Size {
	var sum transcript.Size
	for _, d := range defs {
		sum = sum.Add(t.definition(d))
	}
	return sum
}

// less returns a size without another.
func less(s, t transcript.Size) transcript.Size {
	for c := range s.Chars {
		s.Chars[c] -= t.Chars[c]
	}
	s.Tokens -= t.Tokens
	return s
}
