package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// Want is a setting and the value that it is to have, which its rule takes.
type Want struct {
	Key   string
	Value any // as Spec.In returns it

	file  string
	path  []string // the keys that lead to a list of toolsets; nil for a setting of the table
	row   row
	trial Config // the configuration with every wanted value in it
}

// Wants checks values that settings are to have, by key, and returns them in the order of the
// table, so that each is checked against those that it depends on. A value is read as Override
// reads it; one that would only be used after a correction is an error, a model.Diagnostic with
// Path.
func (f *File) Wants(values map[string]any) ([]Want, error) {
	given := map[string]any{}
	for key, val := range values {
		given[canonical(key)] = val
	}
	keys := make([]string, 0, len(given))
	for key := range given {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var scopes []Want
	for _, key := range keys {
		names, isList := given[key].([]string)
		if path := f.listPath(key); path != nil && isList {
			scopes = append(scopes, Want{Key: key, Value: append([]string{}, names...), file: f.name, path: path})
			continue
		}
		r, ok := rowOf(key)
		section, _, _ := strings.Cut(key, ".")
		d := model.Diagnostic{Code: "not_settable", Path: yamltext.Printable(key)}
		switch {
		case ok && r.at != nil:
			continue
		case section == sessionsKey, section == policyKey:
			d.Message = "scopes and rules are changed in the file"
		case ok:
			d.Message = "not read yet, so there is nothing to set"
		default:
			d.Code = "unknown_key"
			d.Message = "no such setting" + words.DidYouMean(cmp.Or(words.Nearest(key, Settable()), keyNamed(key)))
		}
		return nil, d
	}
	trial := f.Config
	var list []Want
	for _, r := range table {
		val, ok := given[r.Key]
		if !ok {
			continue
		}
		if err := r.try(&trial, val); err != nil {
			return nil, err
		}
		list = append(list, Want{Key: r.Key, file: f.name, row: r})
	}
	for i := range list {
		list[i].trial, list[i].Value = trial, list[i].row.read(&trial)
	}
	return append(list, scopes...), nil
}

// listPath returns the keys that lead to the list of toolsets of a session, a platform or the
// agent, by the key of its Setting; nil for another key.
func (f *File) listPath(key string) []string {
	row, _ := rowOf(sessionsKey)
	for _, s := range f.scopes {
		for i, setting := range s.settings {
			if setting.Key == key {
				return []string{sessionsKey, s.Name, row.members[i]}
			}
		}
	}
	for _, s := range f.platforms {
		if s.settings[0].Key == key {
			return []string{platformsKey, s.Name}
		}
	}
	if f.disabledAt.Key == key {
		return []string{agentKey, disabledKey}
	}
	return nil
}

// Path returns the keys that lead to the value in the file.
func (w Want) Path() []string {
	if w.path != nil {
		return w.path
	}
	return strings.Split(w.Key, ".")
}

// try puts a value into a configuration, or returns why it cannot.
func (r row) try(c *Config, val any) error {
	d := model.Diagnostic{Code: "unusable_value", Path: r.Key}
	v, ok := flagValue(val)
	switch {
	case !ok || v.Kind == yamltext.List && r.Kind != List:
		d.Message = "a value of this type cannot be set"
		return d
	case v.Kind == yamltext.Null && r.Default != nil:
		d.Message = "needs a value"
		return d
	}
	out := r.put(c, v)
	switch {
	case out.status != accepted || out.code != "":
		d.Code, d.Message = cmp.Or(out.code, "not_a_number"), out.problem+words.DidYouMean(out.meant)
	case len(out.items) > 0:
		first := out.items[0]
		d.Code, d.Path = first.code, fmt.Sprintf("%s[%d]", r.Key, first.index)
		d.Message = yamltext.Quote(first.at.Text) + " is not a name"
	default:
		return nil
	}
	return d
}

// HeldBy reports whether the setting is as wanted because a file says so without a remark. A file
// that is to say nothing may leave the value to another setting, as the context to the model.
func (w Want) HeldBy(f *File) bool {
	if w.path != nil {
		s := f.setting(w.Key)
		names, _ := s.Value.([]string)
		return s.Origin == OriginFile && s.Note == "" && slices.Equal(names, w.Value.([]string))
	}
	val := w.row.read(&f.Config)
	if w.Value == nil {
		g, given := f.given[w.Key]
		return val == nil || !given || g.value.Kind == yamltext.Null
	}
	s := f.setting(w.Key)
	return s.Origin == OriginFile && s.Note == "" && reflect.DeepEqual(val, w.Value)
}

// ReadFrom reports whether a node is read as the wanted value without a remark.
func (w Want) ReadFrom(n *yaml.Node) bool {
	if on, isBool := w.Value.(bool); isBool && w.path != nil {
		v := valueOf(n)
		return v.Kind == yamltext.Boolean && v.Yes == on
	}
	if w.path != nil {
		names, odd := valueOf(n).names()
		return len(odd) == 0 && reflect.DeepEqual(any(names), w.Value)
	}
	c := w.trial
	out := w.row.put(&c, valueOf(n))
	return out.code == "" && len(out.items) == 0 && reflect.DeepEqual(w.row.read(&c), w.Value)
}

// Unwritable returns the error that the value cannot be written to the file. It has no line.
func (w Want) Unwritable(message string) model.Diagnostic {
	return model.Diagnostic{File: w.file, Code: "unwritable", Path: w.Key, Message: message}
}

// Changed returns nil when another version of the file has the wanted values and
// every other setting as it is in f. The error is a model.Diagnostic.
func (f *File) Changed(after *File, wants []Want) error {
	wanted := map[string]Want{}
	for _, w := range wants {
		if wanted[w.Key] = w; !w.HeldBy(after) {
			return w.Unwritable("has no effect here: " + after.setting(w.Key).Note)
		}
	}
	ruin, _ := f.fatalSetting()
	_, mended := wanted[ruin]
	_, byModel := wanted[modelIDKey]
	_, byDefault := wanted[KeyModel]
	_, byGeneration := wanted[KeyGeneration]
	_, byHost := wanted[KeyHost]
	for _, old := range f.Settings {
		s := after.setting(old.Key)
		_, changed := wanted[old.Key]
		switch {
		case changed, sameValue(old.Value, s.Value):
		case mended && inToolSearch(old.Key): // it has an effect again
		case old.Key == KeyContext && (byModel || byDefault): // it follows the model
		case (byGeneration || byHost) && (old.Origin == OriginDefault || old.Key == KeyHost): // it follows the generation
		default:
			return wants[0].Unwritable(fmt.Sprintf("%s would change too, from %v to %v; change that first", old.Key, old.Value, s.Value))
		}
	}
	return nil
}

// setting returns a setting of the file. One of a later generation alone has a note in its place.
func (f *File) setting(key string) Setting {
	i := slices.IndexFunc(f.Settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		spec, _ := SpecOf(key)
		return Setting{Key: key, Note: "the agent of " + string(f.ToolSearch.Generation) + " does not read this; " + string(spec.Since) + " does"}
	}
	return f.Settings[i]
}

// sameValue reports whether two values of a setting are the same, wherever their rules stand.
func sameValue(a, b any) bool {
	was, rules := a.([]Rule)
	is, too := b.([]Rule)
	if !rules || !too {
		return reflect.DeepEqual(a, b)
	}
	return slices.EqualFunc(was, is, func(x, y Rule) bool {
		x.Line, y.Line = 0, 0
		return x == y
	})
}
