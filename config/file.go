package config

import (
	"cmp"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"caliper/model"
)

// File is a parsed config file: the effective configuration, what is to be
// said about it, and every effective setting with its origin. The zero File
// has none of them; Parse of no bytes gives the defaults.
type File struct {
	Config
	Warnings []model.Diagnostic // in the order of the file
	Sections []Section          // in the order of the file
	Settings []Setting          // in the order of the table of settings, sessions in the order of the file
	Servers  []string           // names of the agent's MCP servers, in the order of the file

	name       string
	doc        *document
	given      map[string]given
	structural []model.Diagnostic
	scopes     []scope
	rules      []Rule
	policies   Setting
	hooks      []Hook
}

// Parse reads a config file; file is its name as the user gave it, for
// diagnostics. The error is a model.Diagnostic with line and column: the bytes
// are not one YAML document that the reference's loader accepts. File then
// holds the defaults. Anything less is a warning, and the setting concerned
// has its default or the nearest value in range. Empty input is a file without
// settings. The bytes are kept and must not change afterwards.
func Parse(file string, data []byte, opts ...Option) (File, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	f := File{name: file, given: map[string]given{}}
	doc, err := load(file, data)
	if err == nil && doc.root != nil {
		p := parser{doc: doc, given: f.given, environment: o.environment}
		p.document()
		if doc.root.Kind == yaml.MappingNode {
			f.Sections = p.sectionsOf()
		}
		doc.root = nil // what is needed of the tree hangs on the given values
		f.Servers = p.servers
		f.doc, f.structural, f.scopes, f.rules, f.policies, f.hooks = doc, p.warnings, p.scopes, p.rules, p.policies, p.hooks
	}
	f.settle()
	for i, s := range f.Sections {
		if s.Key == contextKey && f.Model.ID != "" {
			f.Sections[i].Read = false // the model's id goes before it
		}
	}
	if o.environment != nil {
		o.environment.lookup = nil
	}
	return f, err
}

// Override sets one setting over what the file says, as a flag does, and works
// everything out anew. Key is dotted as in Setting.Key; value is a string,
// bool, int, int64, float64, []string or nil for unset. A value out of range
// is clamped with a warning that has no place. An unknown key or an unusable
// value is an error, a model.Diagnostic with Path, and changes nothing.
// Sessions and policy cannot be overridden.
func (f *File) Override(key string, val any) error {
	key = canonical(key)
	r, ok := rowOf(key)
	if !ok || r.set == nil {
		return model.Diagnostic{Code: "unknown_key", Path: printable(key), Message: "no such setting" + didYouMean(key, overridable())}
	}
	v, ok := flagValue(val)
	if !ok {
		return model.Diagnostic{Code: "unusable_value", Path: key, Message: "a value of this type cannot be set"}
	}
	trial := f.Config
	out := r.set(&trial, v)
	if i := slices.IndexFunc(out.items, func(o itemOutcome) bool { return o.code == unnamed }); i >= 0 {
		out = outcome{fate: refused, code: unnamed, note: out.items[i].note}
	}
	if out.fate != taken {
		return model.Diagnostic{Code: cmp.Or(out.code, "not_a_number"), Path: key, Message: out.note}
	}
	// A copy, since other copies of the File share the map.
	f.given = maps.Clone(f.given)
	if f.given == nil {
		f.given = map[string]given{}
	}
	f.given[key] = given{value: v, origin: OriginFlag}
	f.settle()
	return nil
}

// overridable returns the keys of the settings that are single values.
func overridable() []string {
	var keys []string
	for _, r := range table {
		if r.set != nil {
			keys = append(keys, r.key)
		}
	}
	return keys
}
