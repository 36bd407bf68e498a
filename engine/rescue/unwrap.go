package rescue

import (
	"bytes"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// maxLayers is how many envelopes inside each other are opened.
const maxLayers = 4

// Unwrap returns the text inside an MCP envelope, and the kind of the envelope; a result
// without one itself, and "". The texts of several blocks are joined by a line break; a
// block that is no text is named in its place, such as "[image block, 5120 bytes]". The
// text never has more bytes than the result. Structured content is left out where there is
// a text, which by the protocol repeats it.
func Unwrap(result []byte) (text []byte, envelope string) {
	text = result
	inner, label := result, "" // inner is inside a result object, which is to be an envelope
	for range maxLayers {
		e, ok := scanEnvelope(newScanner(inner))
		if !ok {
			break
		}
		var joined []byte
		whole := true
		for i, p := range e.pieces {
			if i > 0 {
				joined = append(joined, '\n')
			}
			switch part := inner[p.from:p.to]; {
			case p.note != "":
				joined, whole = append(joined, p.note...), false
			case p.escaped:
				joined = append(joined, decodeString(part)...)
			default:
				joined = append(joined, part...)
			}
		}
		name := "result"
		switch {
		case e.bare:
			name = "content blocks"
		case e.content:
			name = "MCP content"
		}
		if e.failed {
			name += " of an error"
		}
		if !whole {
			name += ", without the tokens of what is not text" // an image costs by its pixels (help rescue), which no count of characters says
		}
		if label != "" {
			name = label + " > " + name
		}
		inner, label = joined, name
		if !e.object {
			text, envelope = inner, label
		}
		if len(e.pieces) != 1 || e.texts != 1 {
			break
		}
	}
	return text, envelope
}

// decodeString returns what the inside of a JSON string stands for. A lone surrogate
// becomes U+FFFD.
func decodeString(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(out, raw...)
		}
		out = append(out, raw[:i]...)
		r, size := jsontree.Unescape(raw[i:])
		out, raw = utf8.AppendRune(out, r), raw[i+size:]
	}
}
