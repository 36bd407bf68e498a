package model

import "slices"

// Envelope is what stands around the function object in a definition as the
// model is sent it.
type Envelope struct{ Before, After string }

// plainEnvelope is that of a definition with nothing but type and function.
var plainEnvelope = Envelope{`{"type":"function","function":`, `}`}

// Around returns the texts that stand before and behind Function in the
// definition that the model is sent, raw JSON.
func (t *Tool) Around() (before, after string) {
	if t.Envelope == nil {
		return plainEnvelope.Before, plainEnvelope.After
	}
	return t.Envelope.Before, t.Envelope.After
}

// unsent are the members beside "function" that only a dump has: where a tool
// comes from, and what an MCP server says of it that no model is sent.
var unsent = []string{
	"toolset", "source", "server", "original_name", "available", "defer_loading",
	"title", "annotations", "output_schema", "outputSchema", "icons", "execution", "_meta",
}

// envelope returns what stands around the function object of an entry, nil for
// the usual. What an agent puts beside it, as "strict", is sent with it and
// counts; not so what a dump adds, and nothing of an MCP server's tool, of which
// the agent writes type and function itself.
func (r *reader) envelope(e *entry) *Envelope {
	sent := func(m member) bool {
		return m.name != "type" && m.name != "function" && !slices.Contains(unsent, m.name)
	}
	if !slices.ContainsFunc(e.members, sent) || e.member("source").text() == "mcp" {
		return nil
	}
	var before, after []byte
	if e.member("type").kind() == 0 {
		before = append(before, `"type":"function",`...)
	}
	for _, m := range e.members {
		switch {
		case m.name == "type":
			m.raw = []byte(`"function"`)
		case !sent(m):
			continue
		}
		text := append(appendQuoted(nil, m.name), ':')
		text = append(text, m.raw...)
		if m.at < e.function.at {
			before = append(append(before, text...), ',')
		} else {
			after = append(append(after, ','), text...)
		}
	}
	whole := Envelope{"{" + string(before) + `"function":`, string(after) + "}"}
	if r.envelopes == nil {
		r.envelopes = map[Envelope]*Envelope{}
	}
	known, ok := r.envelopes[whole]
	if !ok {
		known = &whole
		r.envelopes[whole] = known
	}
	return known
}
