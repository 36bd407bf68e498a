package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model"
)

// parser reads the settings of one document. It checks what has to do with the
// structure of the file; what the values mean is for the rules.
type parser struct {
	doc      *document
	warnings []model.Diagnostic
	given    map[string]given
	scopes   []scope
	rules    []Rule
	policies Setting // the list of rules as a whole
	servers  []string
	hooks    []Hook

	environment *environment // nil: variables are not expanded
}

// value returns the value of a node with its variables expanded.
func (p *parser) value(n *yaml.Node) value {
	v, _ := resolveNode(n)
	return v.in(p.environment)
}

// given is what a file or a flag says about one setting.
type given struct {
	value     value
	origin    string // "file" or "flag"
	line, col int    // of the value in the file; 0 for a flag
	// known is the outcome when it is known without asking the rule, path the
	// dotted key that its warning is about.
	known *outcome
	path  string
}

func (p *parser) warn(at *yaml.Node, path, code, message string) {
	line, col := p.doc.position(at)
	p.warnings = append(p.warnings, model.Diagnostic{File: p.doc.file, Line: line, Col: col, Code: code, Path: cut(path, maxPath), Message: message})
}

// place returns the node that a warning about the value of e points at: the
// key when there is nothing after it.
func (e entry) place() *yaml.Node {
	if e.val.Kind == yaml.ScalarNode && e.val.Value == "" && e.val.Style == 0 {
		return e.key
	}
	return e.val
}

func (p *parser) document() {
	root, _ := resolveNode(p.doc.root)
	switch root.kind {
	case mapping:
		p.section("", "", root.node, false)
	case null:
	default:
		p.warn(root.node, "", "not_a_mapping", root.source()+" is not a mapping; every setting has its default")
	}
}

// section reads the entries of a mapping. Prefix is its dotted key in the
// table, path the one in the file, which is another for an alias.
func (p *parser) section(prefix, path string, n *yaml.Node, owned bool) {
	list := entries(n)
	for _, e := range list {
		key, at := join(prefix, e.name), join(path, e.name)
		if at == hooksKey && e.isText {
			p.agentHooks(e)
			continue
		}
		r, isRow := rowOf(key)
		s, isSection := sectionOf(key)
		if !e.isText || !isRow && !isSection {
			if key == serversKey {
				p.readServers(e)
			}
			if owned {
				p.unknown(e, path, keysOf(prefix))
			}
			continue
		}
		p.duplicate(e, at)
		switch {
		case isSection && s.alias != "" && p.spokenOf(s, e):
		case isSection:
			if key == modelKey {
				p.model(e)
			}
			p.enter(s, e)
		case key == sessionsKey:
			p.sessions(e)
		case key == policyKey:
			p.policy(e)
		case r.set != nil:
			v, _ := resolveNode(e.val)
			if prefix != rescueKey { // the plugin reads the file itself, and expands nothing
				v = v.in(p.environment)
			}
			p.give(key, at, v, e.place(), nil)
		}
	}
}

// spokenOf reports whether the file has the section itself that s is an alias
// of. It then counts alone, with a warning at the alias.
func (p *parser) spokenOf(s section, e entry) bool {
	line, ok := p.lineOf(s.alias)
	if ok {
		p.warn(e.key, s.key, "shadowed_section", s.alias+" in line "+strconv.Itoa(line)+" counts, and nothing in here does")
	}
	return ok
}

// lineOf returns the line of a key at the top level of the file.
func (p *parser) lineOf(name string) (line int, ok bool) {
	list := entries(p.doc.root)
	i := slices.IndexFunc(list, func(e entry) bool { return e.isText && e.name == name })
	if i < 0 {
		return 0, false
	}
	line, _ = p.doc.position(list[i].key)
	return line, true
}

// enter reads a section. Null is an empty one.
func (p *parser) enter(s section, e entry) {
	v, _ := resolveNode(e.val)
	switch {
	case v.kind == mapping:
		p.section(cmp.Or(s.alias, s.key), s.key, v.node, s.owned)
	case v.kind == null || !s.owned:
	case s.key == toolSearch:
		p.oddToolSearch(e, v)
	default:
		p.warn(e.place(), s.key, "not_a_mapping", v.source()+" is not a mapping; every setting in it has its default")
	}
}

// oddToolSearch reads a tools.tool_search that is not a mapping. A boolean is
// the old form of the section, in which true meant auto. Everything else,
// quoted words too, means the defaults.
func (p *parser) oddToolSearch(e entry, v value) {
	switch {
	case v.kind == boolean && !v.yes:
		p.give(enabledKey, toolSearch, v, e.place(), nil)
		return
	case v.kind == boolean:
		p.give(enabledKey, toolSearch, v, e.place(), &outcome{code: "legacy_boolean",
			note: v.source() + " in place of the section means auto, not on"})
		return
	}
	note := v.source() + " is not a mapping; every setting in it has its default"
	code := "not_a_mapping"
	word := strings.ToLower(strings.TrimFunc(v.text, isSpace))
	switch {
	case v.kind == text && modeWords[word] == Off:
		code = "quoted_off"
		note = v.source() + " in quotes is text, not the boolean: tool search is NOT off but auto; write off without quotes"
	case v.kind == text || v.kind == integer:
		note = v.source() + " is neither a mapping nor a boolean: it means auto"
	}
	p.give(enabledKey, toolSearch, v, e.place(), &outcome{fate: refused, code: code, note: note})
}

// give notes what the file says about a setting; path is the dotted key where
// it says so.
func (p *parser) give(key, path string, v value, at *yaml.Node, known *outcome) {
	line, col := p.doc.position(at)
	p.given[key] = given{value: v, origin: OriginFile, line: line, col: col, known: known, path: path}
}

func (p *parser) duplicate(e entry, path string) {
	if e.first == nil {
		return
	}
	line, _ := p.doc.position(e.first)
	p.warn(e.key, path, "duplicate_key", "given before, in line "+strconv.Itoa(line)+"; the last one counts")
}

// unknown warns about a key that is not among the known ones of its section,
// naming what may be meant: a near name, or the place where the name belongs.
func (p *parser) unknown(e entry, prefix string, known []string) {
	message := "unknown key"
	switch place := placeOf(e.name); {
	case slices.Contains(known, e.name): // and not text
		message += "; put it in quotes"
	case suggestion(e.name, known) != "":
		message += didYouMean(e.name, known)
	case place != "":
		message += "; did you mean " + place + "?"
	}
	p.warn(e.key, join(prefix, e.name), "unknown_key", message)
}
