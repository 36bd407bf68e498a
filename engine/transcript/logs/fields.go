package logs

import (
	"strconv"
	"strings"
	"sync"

	"caliper/model/jsontree"
)

// fields are the members of an object that count in a format, by their names, as they are written: the
// last where a name repeats.
type fields map[string]jsontree.Value

// namesIn returns the names in a text, made at first use, each by itself: a field of a line then takes no memory
// for its name.
func namesIn(text string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		names := map[string]string{}
		for name := range strings.FieldsSeq(text) {
			names[name] = name
		}
		return names
	})
}

// read sets the fields of an object that have one of some names.
func (f fields) read(w *jsontree.Walker, names func() map[string]string) bool {
	known := names()
	return w.Object(func(name []byte) bool {
		v, ok := w.Value()
		if key, counts := known[string(name)]; ok && counts {
			f[key] = v
		}
		return ok
	})
}

// codexFields are the members of a payload that count, of any kind. The last ones are codex exec --json's.
var codexFields = namesIn(`type role id call_id name namespace status content arguments input action tools
	output message model info usage thread_token_usage invocation result item replacement_history
	base_instructions instructions server tool error state effort summary personality service_tier full
	thread_id text command aggregated_output`)

// fieldsOf returns the fields of a payload; none of anything but an object.
func fieldsOf(v jsontree.Value) fields {
	f := fields{}
	if v.IsObject() {
		f.read(jsontree.Walk(v.Raw), codexFields)
	}
	return f
}

// number returns a whole number, 0 for anything else.
func number(v jsontree.Value) int {
	n, err := strconv.Atoi(string(v.Raw))
	if err != nil {
		return 0
	}
	return n
}
