package live

import (
	"slices"
	"strings"
)

// kind is what a value of a configuration file is; 0 is no value.
type kind byte

const (
	nullKind kind = iota + 1
	boolKind
	textKind // also numbers, as written
	listKind
	objectKind
)

// maxDepth bounds the nesting of a configuration file.
const maxDepth = 200

// maxRepeated is how many repeated names are told.
const maxRepeated = 20

// value is a value of a configuration file, whatever its format.
type value struct {
	kind    kind
	text    string // of a bool "true" or "false"
	items   []value
	members []member // order of the file, each name once

	repeated []string // names that stand several times
}

// member is one member of an object.
type member struct {
	name string
	value
}

// member returns the value of a key, and no value if there is none.
func (v value) member(name string) value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return value{}
}

// strings returns the texts of a list.
func (v value) strings() []string {
	var out []string
	for _, item := range v.items {
		if item.kind == textKind || item.kind == boolKind {
			out = append(out, item.text)
		}
	}
	return out
}

// gatherer puts the members of an object together: the last value of a name
// holds, at the place of the first.
type gatherer struct {
	members  []member
	at       map[string]int
	repeated []string
}

// set adds or replaces a member.
func (g *gatherer) set(name string, v value) {
	if i, ok := g.at[name]; ok {
		g.members[i].value = v
		if len(g.repeated) < maxRepeated && !slices.Contains(g.repeated, name) {
			g.repeated = append(g.repeated, name)
		}
		return
	}
	if g.at == nil {
		g.at = map[string]int{}
	}
	g.at[name] = len(g.members)
	g.members = append(g.members, member{name, v})
}

// says reports whether a value is one of the words, whose case does not count.
func (v value) says(words ...string) bool {
	return (v.kind == boolKind || v.kind == textKind) && slices.Contains(words, strings.ToLower(v.text))
}
