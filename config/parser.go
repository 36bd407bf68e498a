package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// maxPath is the length in code points to which a path of keys is cut in a message.
const maxPath = 300

// parser collects the values of one document's settings and checks the structure around them.
type parser struct {
	doc      *yamltext.Document
	warnings []model.Diagnostic
	parsed
	agentHas bool            // the agent has settings of its own in the section sessions
	there    map[string]bool // the keys at the top level; nil until one is looked up

	environment *environment // nil: variables are not expanded
}

// parsed holds the values of a document, by setting and by section.
type parsed struct {
	given    map[string]given
	scopes   []scope
	rules    []Rule
	policies Setting // the list of rules as a whole
	hooks    []Hook

	// The agent's own sections about scopes.
	servers    []Server
	platforms  []scope
	known      map[string][]string // platform -> toolsets of plugins
	disabled   []string
	disabledAt Setting
}

// value returns the value of a node with its variables expanded.
func (p *parser) value(n *yaml.Node) value {
	v := valueOf(n)
	return v.in(p.environment)
}

// given is the value that a file or a flag gives to one setting.
type given struct {
	value     value
	origin    string // "file" or "flag"
	line, col int    // of the value in the file; 0 for a flag
	// known is the outcome when it follows from the structure of the file, without
	// the rule; path is the dotted key that its warning is about.
	known *outcome
	path  string
}

// warn adds a warning with the position of a node.
func (p *parser) warn(at *yaml.Node, path, code, text string) {
	line, col := p.doc.Position(at)
	p.warnings = append(p.warnings, model.Diagnostic{File: p.doc.File, Line: line, Col: col, Code: code, Path: yamltext.Cut(path, maxPath), Message: words.Message(text)})
}

// section reads a mapping, whose key is prefix in the table and path in the file.
func (p *parser) section(prefix, path string, n *yaml.Node, owned bool) {
	list := yamltext.Entries(n)
	for _, e := range list {
		key, at := yamltext.Join(prefix, e.Name), yamltext.Join(path, e.Name)
		if path == "" && e.IsText && p.agentSection(e) {
			continue
		}
		r, isRow := rowOf(key)
		s, isSection := sectionOf(key)
		if !e.IsText || !isRow && !isSection {
			switch {
			case owned:
				p.unknown(e, path, KeysIn(prefix))
			case path == "" && e.IsText && !strings.Contains(e.Name, "."):
				p.sectionNear(e)
			}
			continue
		}
		p.duplicate(e, at)
		switch {
		case isSection:
			if line, ok := p.lineOf(s.alias); ok && s.alias != "" {
				p.warn(e.Key, s.key, "shadowed_section", s.alias+" in line "+strconv.Itoa(line)+" counts, and nothing in here does")
				continue
			}
			switch v := valueOf(e.Val); {
			case v.Kind == yamltext.Mapping:
				p.section(cmp.Or(s.alias, s.key), s.key, v.Node, s.owned)
			case key == modelKey && v.Truthy():
				moved := func(o yamltext.Entry) bool {
					x := valueOf(o.Val)
					return o.IsText && slices.Contains(movesModel, o.Name) && x.Truthy()
				}
				if slices.ContainsFunc(yamltext.Entries(p.doc.Root), moved) { // before variables are expanded
					p.give(KeyModel, modelKey, v.in(p.environment), e.Place(), nil)
				} else {
					p.warn(e.Place(), modelKey, "model_not_read",
						v.source()+" in place of the section is not read by the agent; write model: {default: ...}")
				}
			case v.Kind == yamltext.Null || !s.owned: // an empty section
			case s.key == KeyToolSearch:
				p.toolSearchValue(e, v)
			default:
				p.warn(e.Place(), s.key, "not_a_mapping", v.source()+" is not a mapping; every setting in it has its default")
			}
		case key == sessionsKey:
			p.sessions(e)
		case key == policyKey:
			p.policy(e)
		case r.at != nil:
			v := valueOf(e.Val)
			if prefix != rescueKey { // the plugin reads the file itself, and expands nothing
				v = v.in(p.environment)
			}
			p.give(key, at, v, e.Place(), nil)
		}
	}
}

// lineOf returns the line of a key at the top level of the file.
func (p *parser) lineOf(name string) (line int, ok bool) {
	list := yamltext.Entries(p.doc.Root)
	i := slices.IndexFunc(list, func(e yamltext.Entry) bool { return e.IsText && e.Name == name })
	if i < 0 {
		return 0, false
	}
	line, _ = p.doc.Position(list[i].Key)
	return line, true
}

// toolSearchValue reads a tools.tool_search that is no mapping: a boolean is its old form, in
// which true means auto; everything else, even a quoted word, means the defaults.
func (p *parser) toolSearchValue(e yamltext.Entry, v value) {
	switch {
	case v.Kind == yamltext.Boolean && !v.Yes:
		p.give(KeyMode, KeyToolSearch, v, e.Place(), nil)
		return
	case v.Kind == yamltext.Boolean:
		p.give(KeyMode, KeyToolSearch, v, e.Place(), &outcome{code: "legacy_boolean",
			problem: v.source() + " in place of the section means auto, not on"})
		return
	}
	note := v.source() + " is not a mapping; every setting in it has its default"
	code := "not_a_mapping"
	word := strings.ToLower(words.Strip(v.Text))
	switch {
	case v.Kind == yamltext.Text && modes[word] == Off:
		code = "quoted_off"
		note = v.source() + " in quotes is text, not the boolean: tool search is NOT off but auto; write off without quotes"
	case v.Kind == yamltext.Text || v.Kind == yamltext.Integer:
		note = v.source() + " is neither a mapping nor a boolean: it means auto"
	}
	p.give(KeyMode, KeyToolSearch, v, e.Place(), &outcome{status: rejected, code: code, problem: note})
}

// give keeps the value that the file gives to a setting at the dotted key path.
func (p *parser) give(key, path string, v value, at *yaml.Node, known *outcome) {
	line, col := p.doc.Position(at)
	p.given[key] = given{value: v, origin: OriginFile, line: line, col: col, known: known, path: path}
}

// duplicate warns when an earlier key of the same mapping has the same name.
func (p *parser) duplicate(e yamltext.Entry, path string) {
	if e.First == nil {
		return
	}
	line, _ := p.doc.Position(e.First)
	p.warn(e.Key, path, "duplicate_key", "given before, in line "+strconv.Itoa(line)+"; the last one counts")
}

// sectionNear warns about a key at the top level that is near to a section which the file lacks.
// Other keys may be the agent's.
func (p *parser) sectionNear(e yamltext.Entry) {
	near := words.Nearest(e.Name, topLevel)
	if near == "" {
		return
	}
	if p.there == nil {
		p.there = map[string]bool{}
		for _, e := range yamltext.Entries(p.doc.Root) {
			p.there[e.Name] = true
		}
	}
	if !p.there[near] {
		p.warn(e.Key, e.Name, "unknown_key", "nothing reads this section"+words.DidYouMean(near))
	}
}

// topLevel are the keys at the top level that may be misspelt. A section agents is likely another
// program's.
var topLevel = append(slices.DeleteFunc(KeysIn(""), func(name string) bool { return name == agentKey }), hooksKey, serversKey, platformsKey, knownPluginsKey)

// unknown warns about an unknown key, and offers a near name or another section's setting.
func (p *parser) unknown(e yamltext.Entry, prefix string, known []string) {
	text := "unknown key"
	switch elsewhere := keyNamed(e.Name); {
	case slices.Contains(known, e.Name): // and not text
		text += "; put it in quotes"
	case words.Nearest(e.Name, known) != "":
		text += words.DidYouMean(words.Nearest(e.Name, known))
	case elsewhere != "":
		text += words.DidYouMean(elsewhere)
	}
	p.warn(e.Key, yamltext.Join(prefix, e.Name), "unknown_key", text)
}
