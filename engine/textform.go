package engine

import (
	"bytes"
	"encoding/json"

	"caliper/engine/arguments"
)

// trim removes what Python's str.strip removes.
func trim(s string) string { return arguments.Trim(s) }

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
