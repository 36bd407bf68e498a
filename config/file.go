package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// File is a parsed config file. The zero File has no settings; Parse of no bytes returns the
// defaults.
type File struct {
	Config
	Warnings []model.Diagnostic // in the order of the file
	Sections []Section          // in the order of the file
	Settings []Setting          // in the order of the table of settings, sessions in the order of the file
	Servers  []string           // names of the agent's MCP servers, in the order of the file

	name       string
	doc        *yamltext.Document
	structural []model.Diagnostic
	core       []string // see DefaultCore
	parsed
}

// Parse reads a config file; file is its name, for diagnostics. The error is a model.Diagnostic
// with line and column, for bytes that are not one YAML document that the reference's loader
// accepts; the File then has the defaults. Every other fault is a warning, and the setting has its
// default or the nearest value in range. The bytes are kept and must not change afterwards.
//
// A lookup expands variables in the values: ${NAME} becomes the value of NAME, and stays as it is
// where NAME is not set. The lookup is not called after Parse has returned.
func Parse(file string, data []byte, lookup ...Lookup) (File, error) {
	var env *environment // nil: variables are not expanded
	if len(lookup) > 0 && lookup[0] != nil {
		env = &environment{lookup: lookup[0], left: yamltext.MaxSize, done: map[string]expansion{}}
		defer func() { env.lookup = nil }()
	}
	f := File{name: file, parsed: parsed{given: map[string]given{}}}
	doc, err := load(file, data)
	if err == nil && doc.Root != nil {
		p := parser{doc: doc, parsed: f.parsed, environment: env}
		root := valueOf(p.doc.Root)
		switch root.Kind {
		case yamltext.Mapping:
			p.section("", "", root.Node, false)
		case yamltext.Null:
		default:
			p.warn(root.Node, "", "not_a_mapping", root.source()+" is not a mapping; every setting has its default")
		}
		if doc.Root.Kind == yaml.MappingNode {
			for _, e := range yamltext.Entries(p.doc.Root) {
				key := yamltext.Join("", e.Name)
				read := e.IsText && p.reads(key)
				switch v := p.value(e.Val); {
				case key == modelKey && v.Kind != yamltext.Mapping:
					_, read = p.given[KeyModel]
				case key == agentKey:
					read = slices.ContainsFunc(memberEntries(v), func(e yamltext.Entry) bool { return e.Name == disabledKey || e.Name == hostKey })
				case key == sessionsKey:
					p.agentHas = slices.ContainsFunc(memberEntries(v), p.agentsOwn)
					read = read && !p.agentHas || len(p.scopes) > 0
				}
				f.Sections = p.appendSections(f.Sections, []string{key}, e, read)
			}
		}
		doc.Root = nil // the values keep the needed part of the tree
		for _, s := range p.servers {
			f.Servers = append(f.Servers, s.Name)
		}
		f.doc, f.structural, f.parsed = doc, p.warnings, p.parsed
	}
	f.evaluate()
	if i := slices.IndexFunc(f.Warnings, func(d model.Diagnostic) bool { return d.Code == unknownHost }); err == nil && i >= 0 {
		fault := f.Warnings[i] // an error: another agent would give wrong answers
		f.Warnings = slices.Delete(f.Warnings, i, i+1)
		fault.Message, _, _ = strings.Cut(fault.Message, "; ")
		err = fault
	}
	// Correct which sections are read, where that depends on the values of others.
	for i, s := range f.Sections {
		r, isRow := rowOf(s.Key)
		beside := s.Key == KeyContext && f.Model.ID != "" // the model's id goes before it
		if beside || isRow && !r.Reads(f.ToolSearch.Generation) {
			f.Sections[i].Read = false
		}
	}
	return f, err
}

// Override gives a setting a value that goes before the file's, as a flag does: a string, bool,
// int, int64, float64, []string or nil for unset. A value out of range is clamped, with a warning.
// An unknown key, a session's, the policy's or an unusable value is an error, a model.Diagnostic
// with Path, and changes nothing.
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

// DefaultCore sets the core tools for a file and flags that name none: those that a dump says; nil
// is the built-in list.
func (f *File) DefaultCore(names []string) {
	if names == nil && f.core == nil {
		return
	}
	f.core = names
	f.evaluate()
}

// Settable returns the keys of all single values and lists of names, as in File.Settings.
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
