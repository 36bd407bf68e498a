package arguments

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// send tells what to send instead of something that is no object.
const send = `send an object with the parameters by name, such as {"name": "value"}`

// badJSON returns the fault of a text that is not JSON: the raw arguments, or
// the text that they hold.
func badJSON(text []byte, err *jsontree.SyntaxError, inText bool) *Fault {
	m := newMistake(text, err)
	f := &Fault{Code: CodeBadJSON, Offset: m.at}
	f.Line, f.Col = jsontree.Position(text, m.at)
	what := "arguments is not valid JSON"
	if inText {
		what = "arguments is a text that is not valid JSON"
	}
	reason, advice := m.inWords()
	f.Message = fmt.Sprintf("%s, at %d:%d: %s", what, f.Line, f.Col, reason)
	if advice != "" {
		f.Message += "; " + advice
	}
	return f
}

// mistake is the fault of a text that is not JSON, and its offset.
type mistake struct {
	text []byte
	err  *jsontree.SyntaxError
	at   int
}

// newMistake returns the fault of a text. It is where the token begins, if
// that is no token.
func newMistake(text []byte, err *jsontree.SyntaxError) mistake {
	at := err.At
	switch {
	case err.Problem == jsontree.BadWord, err.Problem == jsontree.BadNumber, err.Problem == jsontree.BadHex,
		err.Problem == jsontree.BadEscape && !err.Ended:
		at = err.From
	}
	return mistake{text, err, int(at)}
}

// inWords returns the reason why the text is not JSON, and what to do about it.
func (m mistake) inWords() (reason, advice string) {
	trimmed := bytes.TrimSpace(m.text)
	switch {
	case len(trimmed) == 0:
		return "there is nothing in it", "send {} when the tool needs no arguments"
	case bytes.HasPrefix(m.text, []byte("\uFEFF")):
		return "it begins with a byte order mark", "leave that out"
	case bytes.HasPrefix(trimmed, []byte("```")):
		return "it is in a Markdown code fence", "send the object alone, without ```"
	case trimmed[0] != '{' && trimmed[0] != '[' && trimmed[0] != '"':
		return m.reason(), send
	}
	return m.reason(), m.advice()
}

// reason returns the fault in words.
func (m mistake) reason() string {
	brackets := map[jsontree.Kind]string{jsontree.Array: "]", jsontree.Object: "}"}
	switch e := m.err; e.Problem {
	case jsontree.NoName:
		return m.seen() + " where a name is expected"
	case jsontree.NoColon:
		return m.seen() + " where a colon is expected"
	case jsontree.NoComma:
		return m.seen() + " in " + e.In.String() + " where a comma or " + brackets[e.In] + " is expected"
	case jsontree.ExtraComma:
		return "a comma before " + brackets[e.In]
	case jsontree.MoreText:
		return m.seen() + " after the end of " + e.In.String()
	case jsontree.TooDeep:
		return fmt.Sprintf("nested more than %d deep", jsontree.PythonDepth)
	case jsontree.BadControl:
		return "a raw " + controls(m.text[m.at])[0] + " in a string"
	case jsontree.BadHex:
		return `\u without four hexadecimal digits`
	case jsontree.OpenString:
		return "the end of the text in a string"
	case jsontree.BadEscape:
		if e.Ended {
			return "the end of the text in a string"
		}
		return `\` + mistake{m.text, e, m.at + 1}.seen() + " in a string, which is not an escape"
	}
	if m.at < len(m.text) && m.text[m.at] == '-' {
		return "a minus without a number"
	}
	return m.seen() + " where a value is expected"
}

// advice returns what to do about it, and "" where that is plain.
func (m mistake) advice() string {
	const cutOff = "if the text was cut off, send it whole"
	rest := m.text[m.at:]
	isComment := len(rest) > 0 && (rest[0] == '/' || rest[0] == '#')
	switch e := m.err; e.Problem {
	case jsontree.NoName, jsontree.NoComma:
		switch {
		case len(rest) == 0:
			return cutOff
		case isComment:
			return "JSON has no comments"
		case e.Problem == jsontree.NoName:
			return "names take plain double quotes"
		case rest[0] == '"':
			return "put a comma between elements"
		case m.text[m.at-1] == '"':
			return `write a double quote in a string as \"`
		}
		return ""
	case jsontree.NoColon:
		return ""
	case jsontree.ExtraComma:
		return "remove that comma"
	case jsontree.MoreText:
		return "send one object and nothing after it"
	case jsontree.TooDeep:
		return "send fewer levels"
	case jsontree.BadControl:
		return "write it as " + controls(m.text[m.at])[1]
	case jsontree.BadHex:
		return `write a backslash as \\`
	case jsontree.OpenString:
		line, col := jsontree.Position(m.text, int(e.From))
		return fmt.Sprintf("the string that begins at %d:%d is not closed; %s", line, col, cutOff)
	case jsontree.BadEscape:
		if e.Ended {
			return "if it was cut off, send it whole"
		}
		return `write a backslash as \\`
	}
	if len(rest) == 0 {
		return cutOff
	}
	for _, w := range foreignLiterals {
		if bytes.HasPrefix(rest, []byte(w[0])) {
			return "write " + w[1] + ", not " + w[0]
		}
	}
	switch c := rest[0]; {
	case c == '\'' || bytes.HasPrefix(rest, []byte("\u2018")) || bytes.HasPrefix(rest, []byte("\u201c")):
		return "strings take plain double quotes"
	case isComment:
		return "JSON has no comments"
	case c == '+' || c == '.':
		return "a number begins with a digit or a minus"
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return "strings take double quotes"
	}
	return ""
}

// seen describes what stands at the mistake.
func (m mistake) seen() string {
	if m.at >= len(m.text) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRune(m.text[m.at:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte 0x%02x", m.text[m.at])
	}
	if r == '`' && bytes.HasPrefix(m.text[m.at:], []byte("```")) {
		return "```"
	}
	return safetext.Line(string(r))
}

// foreignLiterals are how other languages write values of JSON.
var foreignLiterals = [][2]string{
	{"True", "true"}, {"False", "false"}, {"None", "null"}, {"undefined", "null"}, {"nan", "null"}, {"nil", "null"},
}

// notObject returns the fault of a value that is no object: of the
// arguments, or of the text that they hold.
func notObject(v *jsontree.Node, inText bool) *Fault {
	f := &Fault{Code: CodeNotObject}
	inner, err := jsontree.Parse([]byte(v.Text), jsontree.Python) // what a text in the text holds
	switch {
	case inText && v.Kind == jsontree.Null:
		f.Message = `arguments is the text "null"; leave arguments out, or send {}, when the tool needs none`
	case inText && v.Kind == jsontree.String && err == nil && inner.Kind == jsontree.Object:
		f.Message = "arguments was encoded as JSON twice; send the object itself"
	case inText:
		f.Message = fmt.Sprintf("arguments is a text that holds %s, not an object; %s", v.Kind, send)
	default:
		f.Message = fmt.Sprintf("arguments is %s, not an object; %s", v.Kind, send)
	}
	return f
}

// controls returns the name of a control character, and its escape sequence.
func controls(c byte) [2]string {
	switch c {
	case '\n':
		return [2]string{"line break", `\n`}
	case '\r':
		return [2]string{"carriage return", `\r`}
	case '\t':
		return [2]string{"tab", `\t`}
	}
	return [2]string{fmt.Sprintf("control character 0x%02x", c), fmt.Sprintf(`\u%04x`, c)}
}
