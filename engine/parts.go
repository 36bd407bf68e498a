package engine

import (
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
)

// Parts are the tokens of one definition by their purpose. They add up to
// the tokens of the definition: structure is the rest.
type Parts struct {
	Name         int
	Description  int
	Descriptions int // of parameters, at any depth
	Structure    int // names of parameters, types, brackets and the wrapper
}

// Parts returns what a tool's definition is made of, counted by Tokenizer.
// The texts are counted on their own, so that with an exact method a part may
// differ by a token or two from its share of the whole. It may be called from any
// goroutine.
func (s *Snapshot) Parts(t *model.Tool) Parts {
	p := Parts{
		Name:        s.textTokens(t.Name),
		Description: s.textTokens(t.Description),
	}
	eachDescription(t.Parameters, func(written []byte) { p.Descriptions += s.writtenUnits(written) })
	p.Descriptions = s.Tokenizer.Tokens(p.Descriptions)
	p.Structure = max(0, s.ToolTokens(t)-p.Name-p.Description-p.Descriptions)
	return p
}

// Add returns the sum of two definitions' parts.
func (p Parts) Add(q Parts) Parts {
	return Parts{p.Name + q.Name, p.Description + q.Description, p.Descriptions + q.Descriptions, p.Structure + q.Structure}
}

// textTokens returns the tokens of a text on its own.
func (s *Snapshot) textTokens(text string) int {
	return s.Tokenizer.Tokens(s.quotedUnits(jsontree.Encode(text)))
}

// quotedUnits returns the units of a text as it stands inside a definition, where it
// is encoded as jsontree.Encode does. Chars4 does not count its quotes.
func (s *Snapshot) quotedUnits(quoted []byte) int {
	units := s.Tokenizer.Units(quoted)
	if s.Tokenizer.Base() == tokens.Chars4 {
		units -= 2
	}
	return units
}

// writtenUnits returns quotedUnits of a text that a definition may have written in
// another way. Most are written as they would be encoded; the others are encoded.
func (s *Snapshot) writtenUnits(written []byte) int {
	for _, c := range written {
		if c < ' ' || c > '~' || c == '\\' {
			inner := written[1 : len(written)-1]
			written = jsontree.Encode(string(jsontree.AppendUnescaped(nil, inner)))
			break
		}
	}
	return s.quotedUnits(written)
}

// eachDescription calls f with the text of every "description" keyword in a schema,
// as it is written, with its quotes. A property that is called description holds a
// schema, not a text, and is walked like any other. The schema is a tool's:
// valid, and without repeated names.
func eachDescription(schema []byte, f func(written []byte)) {
	sk := jsontree.Skimmer{Data: schema}
	var walk func()
	member := func(name []byte) {
		if sk.Peek() == '"' && string(jsontree.Unquote(name)) == "description" {
			f(sk.String())
			return
		}
		walk()
	}
	walk = func() {
		switch sk.Peek() {
		case '{':
			sk.Members(member)
		case '[':
			sk.At++
			for c := sk.Peek(); c != ']' && c != 0; c = sk.Peek() {
				walk()
			}
			sk.At++
		default:
			sk.Skip()
		}
	}
	walk()
}
