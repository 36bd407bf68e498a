package arguments

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"caliper/model"
)

// Limits of a check. A schema or a value beyond them is reported, not refused.
const (
	maxSchemaBytes    = 256 << 10
	maxSchemaValues   = 5_000 // values in the JSON of a schema
	maxSchemaDepth    = 128
	maxArgumentsBytes = 1 << 20
)

// Validator checks arguments against parameter schemas. It keeps compiled
// schemas, some 256 at most and those used last, because a dry run checks on
// every key press. A Validator is safe for concurrent use.
type Validator struct {
	mu         sync.Mutex
	young, old map[string]*compiled // by schema text
	youngBytes int
}

// NewValidator returns a Validator.
func NewValidator() *Validator {
	return &Validator{young: map[string]*compiled{}}
}

// Validate returns the faults of an arguments object, ordered by path and
// message; nothing when it fits. A schema that is absent, null or no object
// allows everything. Parts of a schema that cannot be checked, such as a
// pattern that Go's regular expressions do not know or a reference out of the
// schema, are reported as problems that are Uncheckable, whatever the
// arguments; the rest of the schema is checked.
//
// A schema that names no dialect is read as draft 2020-12. Formats are
// checked in all dialects, since servers commonly refuse what breaks them.
// Values that JSON does not have (NaN, Infinity) are Uncheckable.
func (v *Validator) Validate(schema, args []byte) []Problem {
	c := v.compiled(schema)
	if c == nil {
		return nil
	}
	found := append([]finding(nil), c.notes...)
	if c.schema != nil {
		found = append(found, c.check(args)...)
	}
	// In order, without repetitions, written for reading.
	model.Sort(found, func(a, b finding) int {
		switch {
		case a.Uncheckable && !b.Uncheckable:
			return 1
		case b.Uncheckable && !a.Uncheckable:
			return -1
		}
		return cmp.Or(
			slices.CompareFunc(a.at, b.at, func(a, b step) int { // items by index, members by name
				return cmp.Or(cmp.Compare(a.item, b.item), strings.Compare(a.name, b.name))
			}),
			strings.Compare(a.Path, b.Path),
			strings.Compare(a.Message, b.Message))
	})
	found = slices.CompactFunc(found, func(a, b finding) bool {
		return a.Uncheckable == b.Uncheckable && a.Message == b.Message && a.Path == b.Path && slices.Equal(a.at, b.at)
	})
	var out []Problem
	for i, f := range found {
		if i == maxProblems-1 && len(found) > maxProblems {
			return append(out, Problem{Message: fmt.Sprintf("and %d more", len(found)-i), Uncheckable: f.Uncheckable})
		}
		p := f.Problem
		if len(f.at) > 0 {
			// Writes a path as labels[0].name; names that are not plain words are quoted: ["a b"].
			const ends = 8
			path := ""
			for i, s := range f.at {
				switch {
				case len(f.at) > 3*ends && i == ends:
					path += "…"
				case len(f.at) > 3*ends && i > ends && i < len(f.at)-ends:
				case s.item >= 0:
					path += "[" + strconv.Itoa(s.item) + "]"
				default:
					path = into(path, s.name)
				}
			}
			p.Path = path
		}
		out = append(out, p)
	}
	return out
}

// compiled returns a schema made ready, from memory if it is known; nil when
// it allows everything.
func (v *Validator) compiled(schema []byte) *compiled {
	if len(schema) > maxSchemaBytes {
		return &compiled{notes: []finding{uncheckable("", fmt.Sprintf("the schema is larger than %d KiB; arguments are not checked", maxSchemaBytes>>10))}}
	}
	v.mu.Lock()
	c, ok := v.young[string(schema)]
	if !ok {
		if c, ok = v.old[string(schema)]; ok {
			v.keep(string(schema), c)
		}
	}
	v.mu.Unlock()
	if ok {
		return c
	}
	c = compile(schema)
	v.mu.Lock()
	v.keep(string(schema), c)
	v.mu.Unlock()
	return c
}

// keep remembers a compiled schema. When the young ones are many they become
// the old ones, and those that were old are forgotten.
func (v *Validator) keep(schema string, c *compiled) {
	const most, mostBytes = 128, 4 << 20
	if len(v.young) >= most || v.youngBytes+len(schema) > mostBytes {
		v.old, v.young, v.youngBytes = v.young, map[string]*compiled{}, 0
	}
	v.young[schema] = c
	v.youngBytes += len(schema)
}
