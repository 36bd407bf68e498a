package engine

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
)

// Models put the wrong type where a name or a query belongs. The reference
// agent, written in Python, takes the text form of such a value, and treats
// values that are false in Python as missing. textForm does the same.

// textForm returns the text of a JSON value as Python's str would give it,
// trimmed as Python trims; empty for an absent, unreadable or false value.
func textForm(raw json.RawMessage) string {
	value, ok := decodeValue(raw)
	if !ok || pythonFalse(value) {
		return ""
	}
	if s, isText := value.(string); isText {
		return trim(s)
	}
	var b strings.Builder
	writeRepr(&b, value)
	return trim(b.String())
}

// trim removes what Python's str.strip removes: Unicode white space and the
// four information separators U+001C to U+001F.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
	})
}

// object is a JSON object with its keys in order.
type object struct {
	keys   []string
	values map[string]any
}

// decodeValue decodes one JSON value, keeping numbers as text and keys in
// order; a repeated key keeps its first place and its last value.
func decodeValue(raw json.RawMessage) (any, bool) {
	if len(raw) == 0 || !json.Valid(raw) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return nextValue(d), true
}

// nextValue reads one value of a document that is known to be valid.
func nextValue(d *json.Decoder) any {
	token, err := d.Token()
	if err != nil {
		return nil
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return token
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			list = append(list, nextValue(d))
		}
		d.Token()
		return list
	}
	o := object{values: map[string]any{}}
	for d.More() {
		key, _ := d.Token()
		k, _ := key.(string)
		if _, again := o.values[k]; !again {
			o.keys = append(o.keys, k)
		}
		o.values[k] = nextValue(d)
	}
	d.Token()
	return o
}

// pythonFalse reports whether Python would treat the value as false.
func pythonFalse(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case []any:
		return len(v) == 0
	case object:
		return len(v.keys) == 0
	}
	return false
}

// writeRepr writes a value as Python's repr shows it inside a container.
func writeRepr(b *strings.Builder, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		if v {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case json.Number:
		b.WriteString(v.String())
	case string:
		quote := "'"
		if strings.Contains(v, "'") && !strings.Contains(v, `"`) {
			quote = `"`
		}
		escaped := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, quote, `\`+quote)
		b.WriteString(quote + escaped.Replace(v) + quote)
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeRepr(b, item)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			writeRepr(b, key)
			b.WriteString(": ")
			writeRepr(b, v.values[key])
		}
		b.WriteByte('}')
	}
}
