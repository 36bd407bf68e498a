package config

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// Lookup returns the value of a variable of the environment, false where it is not set.
type Lookup func(name string) (value string, ok bool)

// environment expands the variables of one file. It keeps each expanded text, so that reading goes
// on after Parse without the lookup.
type environment struct {
	lookup Lookup               // nil after Parse
	left   int                  // bytes that texts may still grow to
	done   map[string]expansion // by the text as written
}

// expansion is a text with its variables replaced.
type expansion struct {
	text  string
	unset []string // the variables that are not set, in order; their ${NAME} stays
}

var variable = words.LazyRegexp(`\$\{([^}]+)\}`)

// expand returns a text with every ${NAME} replaced once (_expand_env_vars of
// hermes_cli/config.py, 2026-06-05). One that would grow beyond the bytes that are left stays,
// with its variables unset.
func (e *environment) expand(s string) expansion {
	if e == nil || !strings.Contains(s, "${") {
		return expansion{text: s}
	}
	if x, ok := e.done[s]; ok || e.lookup == nil {
		if !ok {
			x.text = s
		}
		return x
	}
	var x expansion
	var all []string
	room := e.left
	x.text = variable().ReplaceAllStringFunc(s, func(reference string) string {
		name := reference[len("${") : len(reference)-len("}")]
		all = append(all, name)
		if val, ok := e.lookup(name); ok && len(val) <= room {
			room -= len(val)
			return strings.ToValidUTF8(val, "\ufffd")
		}
		x.unset = append(x.unset, name)
		return reference
	})
	if len(x.text) > e.left {
		x = expansion{text: s, unset: all}
	} else {
		e.left -= len(x.text)
	}
	e.done[s] = x
	return x
}

// in expands the variables of a text, which stays text. The agent resolves numbers before.
func (v value) in(e *environment) value {
	v.environment = e
	if v.Kind != yamltext.Text {
		return v
	}
	x := e.expand(v.Text)
	if x.text != v.Text {
		v.written, v.Text = v.Text, x.text
	}
	v.unset = x.unset
	return v
}

// resolve returns the value of a node inside of v, with its variables expanded.
func (v value) resolve(n *yaml.Node) value {
	inner := valueOf(n)
	return inner.in(v.environment)
}

// asWritten returns the text of a value as the file has it.
//
// SECURITY: messages show this text, because the value of a variable may be a
// secret, and the file only names it.
func (v value) asWritten() string {
	if v.written != "" {
		return v.written
	}
	return v.Text
}

// unsetNote names the variables that are not set, empty when all are.
func (v value) unsetNote() string {
	if len(v.unset) == 0 {
		return ""
	}
	names := make([]string, len(v.unset))
	for i, name := range v.unset {
		names[i] = yamltext.Printable("${" + name + "}")
	}
	verb := " is not set and stays as it is"
	if len(names) > 1 {
		verb = " are not set and stay as they are"
	}
	return yamltext.Cut(strings.Join(names, ", "), yamltext.MaxShown) + verb
}
