package arguments

import (
	"bytes"
	"fmt"
)

// send is what to send instead of something that is no object.
const send = `send an object with the parameters by name, such as {"name": "value"}`

// badJSON returns the fault of a text that is not JSON: the raw arguments, or
// the text that they hold.
func badJSON(text []byte, err *syntaxError, inText bool) *Fault {
	f := &Fault{Code: CodeBadJSON, Offset: err.offset}
	f.Line, f.Col = position(text, err.offset)
	what := "arguments is not valid JSON"
	if inText {
		what = "arguments is a text that is not valid JSON"
	}
	reason, advice := diagnose(text, err)
	f.Message = fmt.Sprintf("%s, at %d:%d: %s", what, f.Line, f.Col, reason)
	if advice != "" {
		f.Message += "; " + advice
	}
	return f
}

// diagnose returns the reason and the advice for a text that is not JSON:
// those of the parser, but for texts that are wrong as a whole.
func diagnose(text []byte, err *syntaxError) (reason, advice string) {
	trimmed := bytes.TrimSpace(text)
	switch {
	case len(trimmed) == 0:
		return "there is nothing in it", "send {} when the tool needs no arguments"
	case bytes.HasPrefix(text, []byte("\uFEFF")):
		return "it begins with a byte order mark", "leave that out"
	case bytes.HasPrefix(trimmed, []byte("```")):
		return "it is in a Markdown code fence", "send the object alone, without ```"
	case trimmed[0] != '{' && trimmed[0] != '[' && trimmed[0] != '"':
		return err.reason, send
	}
	return err.reason, err.advice
}

// words are words of other languages for values of JSON.
var words = []struct{ word, json string }{
	{"True", "true"}, {"False", "false"}, {"None", "null"}, {"undefined", "null"}, {"nan", "null"}, {"nil", "null"},
}

// adviseValue returns what to do about what stands where a value must.
func (p *parser) adviseValue() string {
	rest := p.src[p.at:]
	if len(rest) == 0 {
		return "if the text was cut off, send it whole"
	}
	for _, w := range words {
		if bytes.HasPrefix(rest, []byte(w.word)) {
			return "write " + w.json + ", not " + w.word
		}
	}
	switch c := rest[0]; {
	case c == '\'' || bytes.HasPrefix(rest, []byte("\u2018")) || bytes.HasPrefix(rest, []byte("\u201c")):
		return "strings take plain double quotes"
	case c == '/' || c == '#':
		return "JSON has no comments"
	case c == '+' || c == '.':
		return "a number begins with a digit or a minus"
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return "strings take double quotes"
	}
	return ""
}

// adviseName returns what to do about what stands where a name must.
func (p *parser) adviseName() string {
	rest := p.src[p.at:]
	if len(rest) == 0 {
		return "if the text was cut off, send it whole"
	}
	if rest[0] == '/' || rest[0] == '#' {
		return "JSON has no comments"
	}
	return "names take plain double quotes"
}

// adviseEnd returns what to do about what stands where an element must end.
func (p *parser) adviseEnd() string {
	rest := p.src[p.at:]
	switch {
	case len(rest) == 0:
		return "if the text was cut off, send it whole"
	case rest[0] == '/' || rest[0] == '#':
		return "JSON has no comments"
	case rest[0] == '"':
		return "put a comma between elements"
	case p.src[p.at-1] == '"':
		return `write a double quote in a string as \"`
	}
	return ""
}

// notObject returns the fault of a value that is no object: that of the
// arguments, or of the text that they hold.
func notObject(v *value, inText bool) *Fault {
	f := &Fault{Code: CodeNotObject}
	switch {
	case inText && v.kind == null:
		f.Message = `arguments is the text "null"; leave arguments out, or send {}, when the tool needs none`
	case inText && v.kind == str && holdsObject(v.text):
		f.Message = "arguments was encoded as JSON twice; send the object itself"
	case inText:
		f.Message = fmt.Sprintf("arguments is a text that holds %s, not an object; %s", v.kind, send)
	default:
		f.Message = fmt.Sprintf("arguments is %s, not an object; %s", v.kind, send)
	}
	return f
}

// holdsObject reports whether a text is JSON of an object.
func holdsObject(text string) bool {
	v, err := parse([]byte(text))
	return err == nil && v.kind == object
}
