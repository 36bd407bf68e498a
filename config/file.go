package config

import (
	"cmp"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// File is a parsed config file: the effective configuration, the warnings about
// it, and every effective setting with its origin. The zero File has none of
// them; Parse of no bytes returns the defaults.
type File struct {
	Config
	Warnings []model.Diagnostic // in the order of the file
	Sections []Section          // in the order of the file
	Settings []Setting          // in the order of the table of settings, sessions in the order of the file
	Servers  []string           // names of the agent's MCP servers, in the order of the file

	name       string
	doc        *yamltext.Document
	given      map[string]given
	structural []model.Diagnostic
	scopes     []scope
	rules      []Rule
	policies   Setting
	core       []string // see DefaultCore
	hooks      []Hook

	// The agent's own sections about scopes, as in parser.
	servers    []Server
	platforms  []scope
	known      map[string][]string
	disabled   []string
	disabledAt Setting
}

// Parse reads a config file; file is its name as the user gave it, for
// diagnostics. The error is a model.Diagnostic with line and column, for bytes
// that are not one YAML document that the reference's loader accepts; the File
// then has the defaults. Every other fault is a warning, and the setting has its
// default or the nearest value in range. Empty input is a file without
// settings. The bytes are kept and must not change afterwards.
func Parse(file string, data []byte, opts ...Option) (File, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	f := File{name: file, given: map[string]given{}}
	doc, err := load(file, data)
	if err == nil && doc.Root != nil {
		p := parser{doc: doc, given: f.given, environment: o.environment}
		p.document()
		if doc.Root.Kind == yaml.MappingNode {
			f.Sections = p.sectionsOf()
		}
		doc.Root = nil // the values keep the needed part of the tree
		for _, s := range p.servers {
			f.Servers = append(f.Servers, s.Name)
		}
		f.servers, f.platforms, f.known, f.disabled, f.disabledAt = p.servers, p.platforms, p.known, p.disabled, p.disabledAt
		f.doc, f.structural, f.scopes, f.rules, f.policies, f.hooks = doc, p.warnings, p.scopes, p.rules, p.policies, p.hooks
	}
	f.evaluate()
	if err == nil {
		err = f.hostFault()
	}
	f.unreadSections()
	if o.environment != nil {
		o.environment.lookup = nil
	}
	return f, err
}

// Override gives a setting a value that goes before the file's, as a flag
// does. Key is dotted as in Setting.Key; value is a string, bool, int, int64,
// float64, []string or nil for unset. A value out of range is clamped, with a
// warning that has no position. An unknown key or an unusable value is an error,
// a model.Diagnostic with Path, and changes nothing. Sessions and policy cannot
// be overridden.
func (f *File) Override(key string, val any) error {
	key = canonical(key)
	r, ok := rowOf(key)
	if !ok || r.at == nil {
		return model.Diagnostic{Code: "unknown_key", Path: yamltext.Printable(key), Message: "no such setting" + words.DidYouMean(words.Nearest(key, Settable()))}
	}
	v, ok := flagValue(val)
	if !ok {
		return model.Diagnostic{Code: "unusable_value", Path: key, Message: "a value of this type cannot be set"}
	}
	trial := f.Config
	out := r.put(&trial, v)
	if i := slices.IndexFunc(out.items, func(o itemOutcome) bool { return o.code == unnamed }); i >= 0 {
		out = outcome{status: rejected, code: unnamed, problem: out.items[i].note}
	}
	if out.status != accepted {
		return model.Diagnostic{Code: cmp.Or(out.code, "not_a_number"), Path: key, Message: out.note()}
	}
	// A copy, since other copies of the File share the map.
	f.given = maps.Clone(f.given)
	if f.given == nil {
		f.given = map[string]given{}
	}
	f.given[key] = given{value: v, origin: OriginFlag}
	f.evaluate()
	return nil
}

// DefaultCore sets the core tools that count where the file and the flags name none,
// in place of the built-in list: those that a dump of the agent says. Nil is that
// list.
func (f *File) DefaultCore(names []string) {
	if names == nil && f.core == nil {
		return
	}
	f.core = names
	f.evaluate()
}

// Settable returns the keys of the settings that are single values or lists of
// names, in the order of File.Settings.
func Settable() []string {
	var keys []string
	for _, r := range table {
		if r.at != nil {
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// Origins of a setting.
const (
	OriginDefault = "default"
	OriginFile    = "file"
	OriginFlag    = "flag"
)

// Setting is one effective setting and how it came to be.
type Setting struct {
	Key    string `json:"key"`    // dotted, as in the YAML; names with dots or spaces are quoted
	Value  any    `json:"value"`  // nil, string, int, float64, []string or, for policy, []Rule
	Origin string `json:"origin"` // of the value; a value that was not taken leaves the default
	File   string `json:"file"`   // that has the setting, even if its value was not taken; empty for none
	Line   int    `json:"line"`   // of the value in the file; 0 for none
	Given  string `json:"given"`  // the value as it is written, when there is a note about it
	Note   string `json:"note"`   // why the effective value is another one, or not what it seems
	Col    int    `json:"-"`      // of the value, in bytes from 1; at its tag or anchor when it has one
}
