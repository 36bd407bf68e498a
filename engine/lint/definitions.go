package lint

import (
	"encoding/json"
	"fmt"
	"strings"
)

// withoutUnused returns a schema without those of its definitions that nothing
// refers to, directly or through others, and how many they are. Generators
// copy the definitions of a whole service into every tool. A schema that
// refers in other ways than #/$defs/name and #/definitions/name stays as it
// is.
func withoutUnused(raw []byte) (clean []byte, unused int) {
	defs := map[string][]byte{} // by reference
	sure := true
	var refs []string
	look := func(keyword string, value []byte) ([]byte, bool) {
		switch keyword {
		case "$ref":
			refs = append(refs, unquote(value))
		case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor":
			sure = false
		}
		return nil, true
	}
	rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		if keyword == "$defs" || keyword == "definitions" {
			var members map[string]json.RawMessage
			if json.Unmarshal(value, &members) == nil {
				for name, def := range members {
					defs["#/"+keyword+"/"+name] = def
				}
				return value, true // looked at when something refers to it
			}
		}
		return look(keyword, value)
	})
	used := map[string]bool{}
	for len(refs) > 0 {
		ref := refs[0]
		refs = refs[1:]
		def, known := defs[ref]
		switch {
		case used[ref]:
		case !known || strings.ContainsAny(ref, "~%"):
			sure = false
		default:
			used[ref] = true
			rewriteSchema(def, look)
		}
	}
	if unused = len(defs) - len(used); !sure || unused == 0 {
		return raw, 0
	}
	clean = rewriteRoot(raw, func(keyword string, value []byte) ([]byte, bool) {
		if keyword != "$defs" && keyword != "definitions" || value[0] != '{' {
			return nil, true
		}
		w := schemaWalk{data: value}
		var members []span
		left := 0
		w.members(func(from int, name string) {
			w.skip()
			keep := used["#/"+keyword+"/"+name]
			if keep {
				left++
			}
			members = append(members, span{from, w.at, !keep})
		})
		w.drop(members)
		return w.spliced(), left > 0
	})
	return clean, unused
}

// unusedWords says how many definitions go.
func unusedWords(n int) string {
	if n == 1 {
		return "1 definition that nothing refers to"
	}
	return fmt.Sprintf("%d definitions that nothing refers to", n)
}
