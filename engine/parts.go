package engine

import (
	"encoding/json"

	"caliper/engine/tokens"
	"caliper/model"
)

// Parts are the tokens of one definition by what they are for. They add up to
// the tokens of the definition: structure is what the others leave.
type Parts struct {
	Name         int
	Description  int
	Descriptions int // of parameters, at any depth
	Structure    int // names of parameters, types, brackets and the wrapper
}

// Parts returns what a tool's definition is made of, counted by Tokenizer.
// The texts are counted on their own, so that with an exact method a part may
// differ by a token or two from its share of the whole.
func (s *Snapshot) Parts(t *model.Tool) Parts {
	p := Parts{
		Name:        s.textTokens(t.Name),
		Description: s.textTokens(t.Description),
	}
	for _, text := range descriptionsIn(t.Parameters) {
		p.Descriptions += s.textUnits(text)
	}
	p.Descriptions = s.Tokenizer.Tokens(p.Descriptions)
	p.Structure = max(0, s.ToolTokens(t)-p.Name-p.Description-p.Descriptions)
	return p
}

// Add returns the sum of two definitions' parts.
func (p Parts) Add(q Parts) Parts {
	return Parts{p.Name + q.Name, p.Description + q.Description, p.Descriptions + q.Descriptions, p.Structure + q.Structure}
}

// textTokens returns the tokens of a text on its own.
func (s *Snapshot) textTokens(text string) int { return s.Tokenizer.Tokens(s.textUnits(text)) }

// textUnits returns the units of a text as it stands inside a definition,
// without its quotes.
func (s *Snapshot) textUnits(text string) int {
	quoted := encode(text)
	if s.Tokenizer == tokens.Chars4 {
		return s.Tokenizer.Units(quoted) - 2
	}
	return s.Tokenizer.Units(quoted)
}

// descriptionsIn returns the texts of every "description" keyword in a schema.
// A property that is called description holds a schema, not a text, and is
// walked like any other.
func descriptionsIn(schema json.RawMessage) []string {
	value, ok := decodeValue(schema)
	if !ok {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case object:
			for _, key := range v.keys {
				if text, isText := v.values[key].(string); isText && key == "description" {
					out = append(out, text)
					continue
				}
				walk(v.values[key])
			}
		}
	}
	walk(value)
	return out
}
