package rescue

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// piece is a part of an unwrapped text: a part of the wrapped one, or a note
// of ours in the place of a block that is no text.
type piece struct {
	from, to int64
	escaped  bool   // the inside of a JSON string
	note     string // stands instead of the part
}

// maxPieces bounds the blocks of an envelope; with more it is text.
const maxPieces = 1 << 16

// envelope is the result of a scan for one.
type envelope struct {
	pieces     []piece
	structured piece // of structuredContent, empty when absent
	texts      int   // pieces that are text
	content    bool  // has the member content
	result     bool  // has the member result
	object     bool  // result is an object, which has to be an envelope itself
	failed     bool  // isError is true
	bare       bool  // the blocks alone, without an object around them
}

// scanEnvelope reads a whole text and reports whether it is an envelope: an
// object with the member content, a list of MCP content blocks, or with the
// member result, a string or a further envelope; and no member besides that
// is not of the protocol. The shapes are a tools/call result's in the
// Model Context Protocol (2025-06-18) and of agents that flatten it. A list alone is one
// where it has texts and encoded images, sounds or files, and not texts only: any other is data.
// OpenAI's Responses API (2026-11) takes such a list of input_text, input_image and input_file
// as the output of a call; clients of Chat Completions keep image_url, input_audio and file in one.
func scanEnvelope(s *jsontree.Scanner) (*envelope, bool) {
	e := &envelope{}
	if s.Peek() == '[' {
		e.content, e.bare = true, true
		return e, e.blocks(s) && s.AtEnd() && e.texts < len(e.pieces)
	}
	ok := s.Members(func(name string) bool { return e.member(s, name) && len(e.pieces) <= maxPieces })
	if !ok || !s.AtEnd() || e.content == e.result {
		return nil, false
	}
	// The protocol wants structured content repeated as text; without text it
	// is the result.
	if e.texts == 0 && e.structured.to > 0 && !e.result {
		at := len(e.pieces)
		for at > 0 && e.pieces[at-1].from > e.structured.from {
			at--
		}
		e.pieces = append(e.pieces, piece{})
		copy(e.pieces[at+1:], e.pieces[at:])
		e.pieces[at] = e.structured
		e.texts++
	}
	return e, true
}

// member takes the value of one member of the envelope.
func (e *envelope) member(s *jsontree.Scanner, name string) bool {
	switch name {
	case "content":
		e.content = true
		e.pieces, e.texts = nil, 0 // the last of equal names counts
		return e.blocks(s)
	case "result":
		e.result = true
		e.pieces, e.object = nil, false
		e.texts = 1
		switch s.Peek() {
		case '"':
			ok := s.String()
			from, to := s.TextAt()
			e.pieces = append(e.pieces, piece{from: from, to: to, escaped: true})
			return ok
		case '{':
			from, to, ok := s.Value()
			e.pieces = append(e.pieces, piece{from: from, to: to})
			e.object = true
			return ok
		}
		return false
	case "structuredContent":
		from, to, ok := s.Value()
		e.structured = piece{from: from, to: to}
		return ok
	case "isError":
		e.failed = s.Peek() == 't'
		_, _, ok := s.Value()
		return ok
	case "_meta", "jsonrpc", "id":
		_, _, ok := s.Value()
		return ok
	}
	return false
}

// blocks takes the list of content.
func (e *envelope) blocks(s *jsontree.Scanner) bool {
	if !s.Take('[') {
		return false
	}
	for some := false; s.Next(']', some); some = true {
		if !e.block(s) || len(e.pieces) > maxPieces {
			return false
		}
	}
	return s.Err() == nil
}

// block takes one content block: a text, a resource with a text, or another,
// which is named in the text.
func (e *envelope) block(s *jsontree.Scanner) bool {
	s.Peek()
	start := s.Offset()
	var kind string
	// data and mime are of an image or a sound of MCP, source of Anthropic's; inline is one of
	// OpenAI's that holds its bytes.
	var data, mime, source, inline bool
	texts := map[string]*piece{} // by the kind of block that they are the text of
	// textOf takes a value; the last of equal names counts.
	textOf := func(kind string) bool {
		delete(texts, kind)
		if s.Peek() != '"' {
			_, _, ok := s.Value()
			return ok
		}
		ok := s.String()
		from, to := s.TextAt()
		texts[kind] = &piece{from: from, to: to, escaped: true}
		return ok
	}
	// bytesOf takes the value of a member of OpenAI's blocks, or of the object in one.
	bytesOf := func(name string) bool {
		url := name == "url" || name == "image_url"
		if s.Peek() != '"' || !url && name != "data" && name != "file_data" {
			_, _, ok := s.Value()
			return ok
		}
		ok := s.String()
		inline = !url || strings.HasPrefix(captured(s), "data:")
		return ok
	}
	ok := s.Members(func(name string) bool {
		switch {
		case name == "type" && s.Peek() == '"':
			ok := s.String()
			kind = captured(s)
			return ok
		case name == "type":
			kind = ""
		case name == "data":
			data = s.Peek() == '"'
		case name == "mimeType" || name == "mime_type": // LangChain writes both
			mime = s.Peek() == '"'
		case name == "source":
			source = s.Peek() == '{'
		case name == "image_url" || name == "file_data" || name == "input_audio" || name == "file":
			if inline = false; s.Peek() == '{' {
				return s.Members(bytesOf)
			}
			return bytesOf(name)
		case name == "text":
			return textOf("text")
		case name == "resource":
			delete(texts, "resource")
			if s.Peek() == '{' {
				return s.Members(func(name string) bool {
					if name == "text" {
						return textOf("resource")
					}
					_, _, ok := s.Value()
					return ok
				})
			}
		}
		_, _, ok := s.Value()
		return ok
	})
	if kind == "input_text" {
		kind = "text"
	}
	text := texts[kind]
	encoded := inline
	switch kind {
	case "image", "audio":
		encoded = data && mime || source
	case "input_image", "input_file", "image_url", "input_audio", "file":
	default:
		encoded = false
	}
	if !ok || kind == "" || kind == "text" && text == nil || e.bare && kind != "text" && !encoded {
		return false
	}
	if text != nil {
		e.pieces = append(e.pieces, *text)
		e.texts++
		return true
	}
	e.pieces = append(e.pieces, piece{from: start, to: start, note: blockNote(kind, s.Offset()-start)})
	return true
}

// blockNote names a block of size bytes that is no text. It is never longer
// than the block.
func blockNote(kind string, size int64) string {
	for _, c := range []byte(kind) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			kind = "other"
		}
	}
	note := "[" + kind + " block]"
	if long := "[" + kind + " block, " + strconv.FormatInt(size, 10) + " bytes]"; int64(len(long)) <= size {
		note = long
	}
	return note[:min(int64(len(note)), size)]
}

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
