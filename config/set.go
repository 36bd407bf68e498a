package config

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"caliper/model"
)

// Change is one setting and the value that it is to have.
type Change struct {
	Key   string // dotted, as in Setting.Key
	Value any    // string, bool, int, int64, float64 or []string; nil for unset, where there is such a thing
}

const byteOrderMark = "\ufeff"

// Set returns the bytes of a config file in which the given settings have the
// given values; file is its name, for errors. Outside the changed scalars the
// bytes are those of data: comments, order, quotes, indentation, line endings
// and the byte order mark stay. A missing setting is added after the one that
// comes before it in config show, a missing section with it, indented as the
// file is. A value that an alias or a merge key brings in gets a key of its
// own; what the anchor stands at does not change. Of two keys of one name the
// last, which counts, is changed. When the file says all of it already, the
// result is data itself. Of two changes of one key the last counts.
//
// Every setting that is one value or a list of names can be changed; sessions
// and policy cannot. Of a list the items that stay are not touched; a comment
// behind an item goes with it. The value is read as Override reads it, but what
// would only be used after a correction, such as one out of its range, is an
// error here.
//
// The result is parsed again: each changed setting has its value, and every
// other value of the file, of sections that belong to others too, is what it
// was. Otherwise there is an error and no result. An error is a
// model.Diagnostic: that of Parse, or one with Path and without a line about
// a change that cannot be made to any file (unknown_key, not_settable,
// unusable_value or the code of Override's warning), or one with a line about
// what in the file is in the way (unwritable).
func Set(file string, data []byte, changes []Change) ([]byte, error) {
	before, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	wishes, err := before.wishes(changes)
	if err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(data, []byte(byteOrderMark))
	written := text
	for _, w := range wishes {
		if before.says(w) {
			continue
		}
		if written, err = w.write(written); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(written, text) {
		return data, nil
	}
	if marked {
		written = append([]byte(byteOrderMark), written...)
	}
	if err := before.check(written, wishes); err != nil {
		return nil, err
	}
	return written, nil
}

// wish is a change that has been found to be possible.
type wish struct {
	file   string
	row    row
	wanted any    // as row.read returns it
	trial  Config // the configuration with every change in it
}

// wishes checks changes and returns them in the order of the table, so that
// each is checked against those that it depends on.
func (f *File) wishes(changes []Change) ([]wish, error) {
	given := map[string]any{}
	for _, c := range changes {
		key := canonical(c.Key)
		if err := settable(key); err != nil {
			return nil, err
		}
		given[key] = c.Value
	}
	trial := f.Config
	var list []wish
	for _, r := range table {
		val, ok := given[r.key]
		if !ok {
			continue
		}
		if err := r.try(&trial, val); err != nil {
			return nil, err
		}
		list = append(list, wish{file: f.name, row: r})
	}
	for i := range list {
		list[i].trial, list[i].wanted = trial, list[i].row.read(&trial)
	}
	return list, nil
}

// settable returns why a key cannot be set, or nil.
func settable(key string) error {
	r, ok := rowOf(key)
	name, _, _ := strings.Cut(key, ".")
	d := model.Diagnostic{Code: "not_settable", Path: printable(key)}
	switch {
	case ok && r.set != nil:
		return nil
	case name == sessionsKey, name == policyKey:
		d.Message = "scopes and rules are changed in the file"
	case ok:
		d.Message = "not read yet, so there is nothing to set"
	default:
		d.Code, d.Message = "unknown_key", "no such setting"
		place := cmp.Or(suggestion(key, Settable()), placeOf(key))
		if place != "" {
			d.Message += "; did you mean " + place + "?"
		}
	}
	return d
}

// lists says whether a setting is a list of names.
func (r row) lists() bool {
	_, is := r.read(&Config{}).([]string)
	return is
}

// Settable returns the keys of the settings that Set can change, in the order
// of File.Settings.
func Settable() []string { return overridable() }

// try puts a value into a configuration, or says why it cannot be.
func (r row) try(c *Config, val any) error {
	d := model.Diagnostic{Code: "unusable_value", Path: r.key}
	v, ok := flagValue(val)
	unset := Default()
	switch {
	case !ok || v.kind == list && !r.lists():
		d.Message = "a value of this type cannot be set"
		return d
	case v.kind == null && r.read(&unset) != nil:
		d.Message = "needs a value"
		return d
	}
	out := r.set(c, v)
	switch {
	case out.fate != taken || out.code != "":
		d.Code, d.Message = cmp.Or(out.code, "not_a_number"), objection(out.note)
	case len(out.items) > 0:
		first := out.items[0]
		d.Code, d.Path = first.code, fmt.Sprintf("%s[%d]", r.key, first.index)
		d.Message = quoted(first.at.text) + " is no name"
	default:
		return nil
	}
	return d
}

// objection returns what a rule says is wrong with a value, without what it
// says would be used in its place.
func objection(note string) string {
	meant := ""
	if i := strings.Index(note, "; did you mean "); i >= 0 {
		note, meant = note[:i], note[i:]
	}
	note, _, _ = strings.Cut(note, "; ")
	note, _, _ = strings.Cut(note, ", so ")
	return note + meant
}

// says reports whether the file says already what is wished, without anything
// to be said about it.
func (f *File) says(w wish) bool {
	return w.heldBy(f)
}

// heldBy reports whether a setting is as wished because the file says so. What
// is unset is not spoken of; its value may follow from another setting, as the
// context from the model.
func (w wish) heldBy(f *File) bool {
	s, val := f.setting(w.row.key), w.row.read(&f.Config)
	if w.wanted == nil {
		g, spoken := f.given[w.row.key]
		return val == nil || !spoken || g.value.kind == null
	}
	return s.Origin == OriginFile && s.Note == "" && reflect.DeepEqual(val, w.wanted)
}

// setting returns the setting of a key that has one.
func (f *File) setting(key string) Setting {
	i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key })
	return f.Settings[i]
}

// literal returns a value of a setting as YAML, in double quotes if a string
// is wanted so or is not safe without.
func literal(val any, double bool) string {
	switch x := val.(type) {
	case nil:
		return "null"
	case int:
		return strconv.Itoa(x)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []string:
		return flowOfNames(x, double)
	}
	text := fmt.Sprint(val)
	if double || !plainSafe(text) {
		return doubleQuoted(text)
	}
	return text
}
