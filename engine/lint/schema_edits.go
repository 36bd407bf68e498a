package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
)

// jsonTypes are the types that JSON Schema knows, and any, which many write.
var jsonTypes = set("array", "boolean", "integer", "null", "number", "object", "string", "any")

// mended plans to make the parameters of a tool a schema of an object: the
// type of the whole is object, types that nobody knows go, and what should be
// a schema and is none takes any value, or values of the type it names.
func (c *check) mended(t *model.Tool) Remedy {
	var parts []string
	note := func(part string) {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	w := schemaWalk{Skimmer: jsontree.Skimmer{Data: t.Parameters}, unfit: func(value []byte) []byte {
		if name := unquote(value); jsonTypes[name] {
			note("write a type as a schema")
			return []byte(`{"type":"` + name + `"}`)
		}
		note("let what is not a schema take any value")
		return []byte("{}")
	}}
	w.decide = func(keyword string, value []byte) ([]byte, bool) {
		if keyword != "type" {
			return nil, true
		}
		var one string
		var list []string
		switch {
		case json.Unmarshal(value, &one) == nil:
			if !jsonTypes[one] {
				note("drop the unknown type " + safetext.Line(one))
				return nil, false
			}
		case json.Unmarshal(value, &list) == nil:
			var known []string
			for _, name := range list {
				if jsonTypes[name] {
					known = append(known, name)
				} else {
					note("drop the unknown type " + safetext.Line(name))
				}
			}
			if len(known) == 0 {
				return nil, false
			}
			if len(known) < len(list) {
				instead, _ := json.Marshal(known)
				return instead, true
			}
		}
		return nil, true
	}
	clean := w.rewrite()
	if says, object := rootType(clean); !says {
		note(`add "type": "object" to the parameters`)
		rest := clean[bytes.IndexByte(clean, '{')+1:]
		clean = []byte(`{"type":"object"`)
		if bytes.TrimSpace(rest)[0] != '}' {
			clean = append(clean, ',')
		}
		clean = append(clean, rest...)
	} else if !object {
		note(`make the parameters of type object`)
		clean = rewriteRoot(clean, func(keyword string, value []byte) ([]byte, bool) {
			if keyword == "type" {
				return []byte(`"object"`), true
			}
			return value, true
		})
	}
	return c.about(Remedy{Change: strings.Join(parts, "; "), Edits: []whatif.Edit{{Tool: t, Parameters: clean}}}, t, NameQuery(t))
}

// rewriteRoot is rewriteSchema for the keywords of the whole schema alone.
func rewriteRoot(raw []byte, d decide) []byte {
	return rewriteSchema(raw, func(keyword string, value []byte) ([]byte, bool) {
		instead, keep := d(keyword, value)
		if keep && instead == nil {
			instead = value // the parts below are not looked at
		}
		return instead, keep
	})
}

// unrequired plans to demand no parameters that are not defined.
func (c *check) unrequired(t *model.Tool, undefined []string) Remedy {
	gone, defined := set(undefined...), t.PropertyNames()
	clean := rewriteRoot(t.Parameters, func(keyword string, value []byte) ([]byte, bool) {
		var list, kept []string
		if keyword != "required" || json.Unmarshal(value, &list) != nil {
			return nil, true
		}
		for _, name := range list {
			if slices.Contains(defined, name) || !gone[name] {
				kept = append(kept, name)
			}
		}
		if len(kept) == 0 {
			return nil, false
		}
		instead, _ := json.Marshal(kept)
		return instead, true
	})
	return c.about(Remedy{Change: "do not require " + string(jsontree.AppendQuoted(nil, undefined[0])) + andMore(undefined), Edits: []whatif.Edit{{Tool: t, Parameters: clean}}}, t, NameQuery(t))
}

// notObject reports a tool whose parameters are neither an object nor left
// out, which a Tool does not keep.
func (c *check) notObject(t *model.Tool) []draft {
	var value []byte
	jsontree.Members(t.Function, func(name string, v []byte) {
		if name == "parameters" {
			value = v
		}
	})
	if len(value) == 0 || value[0] == '{' || value[0] == 'n' {
		return nil
	}
	kind := "a number or a truth value"
	switch value[0] {
	case '[':
		kind = "a list"
	case '"':
		kind = "a text"
	}
	return []draft{found(BrokenSchema, Error, t, "the parameters are %s, and providers take objects only", kind).with(c.about(Remedy{
		Change: "write the parameters as an object without properties",
		Edits:  []whatif.Edit{{Tool: t, Parameters: []byte(`{"type":"object","properties":{}}`)}},
	}, t, NameQuery(t)))}
}

// withoutUnused returns a schema without the definitions that nothing
// refers to, directly or through others, and how many they are. Generators
// copy the definitions of a whole service into every tool. A text that is a pointer to
// a definition, or into one, counts as a reference wherever it stands. A schema that refers
// in other ways than by pointers from its root stays as it is.
func withoutUnused(raw []byte) (clean []byte, unused int) {
	defs := map[string][]byte{} // by reference
	rest := rewriteRoot(raw, func(keyword string, value []byte) ([]byte, bool) {
		var members map[string]json.RawMessage
		if keyword != "$defs" && keyword != "definitions" || json.Unmarshal(value, &members) != nil {
			return nil, keyword != "$id" // which changes no pointer from the root
		}
		for name, def := range members {
			defs["#/"+keyword+"/"+jsontree.EscapeToken(name)] = def
		}
		return nil, false // looked at when something refers to it
	})
	if len(defs) == 0 {
		return raw, 0
	}
	refs, sure := references(rest)
	used := map[string]bool{}
	for len(refs) > 0 {
		ref := refs[0]
		refs = refs[1:]
		if parts := strings.SplitN(ref, "/", 4); len(parts) == 4 && (parts[1] == "$defs" || parts[1] == "definitions") {
			ref = strings.Join(parts[:3], "/")
		}
		def, known := defs[ref]
		switch {
		case used[ref]:
		case strings.Contains(ref, "%"):
			sure = false
		case !known: // "#" and "#/properties/x" are of the rest, which stays
			sure = sure && (ref == "#" || strings.HasPrefix(ref, "#/")) && !strings.HasPrefix(ref, "#/$defs") && !strings.HasPrefix(ref, "#/definitions")
		default:
			used[ref] = true
			more, plain := references(def)
			refs, sure = append(refs, more...), sure && plain
		}
	}
	if unused = len(defs) - len(used); !sure || unused == 0 {
		return raw, 0
	}
	clean = rewriteRoot(raw, func(keyword string, value []byte) ([]byte, bool) {
		if keyword != "$defs" && keyword != "definitions" || value[0] != '{' {
			return nil, true
		}
		w := schemaWalk{Skimmer: jsontree.Skimmer{Data: value}}
		var members []span
		left := 0
		w.members(func(from int, name string) {
			w.Skip()
			keep := used["#/"+keyword+"/"+jsontree.EscapeToken(name)]
			if keep {
				left++
			}
			members = append(members, span{from, w.At, !keep})
		})
		w.drop(members)
		return jsontree.Spliced(w.Data, w.splices), left > 0
	})
	return clean, unused
}

// references returns the references of a schema, and whether they are all: anchors,
// identifiers and dynamic references may lead anywhere.
func references(raw []byte) (refs []string, sure bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	sure = true
	var look func(value any)
	look = func(value any) {
		switch v := value.(type) {
		case string:
			if strings.HasPrefix(v, "#/$defs/") || strings.HasPrefix(v, "#/definitions/") {
				refs = append(refs, v)
			}
		case []any:
			for _, item := range v {
				look(item)
			}
		case map[string]any:
			for name, member := range v {
				switch name {
				case "$ref":
					if ref, ok := member.(string); ok {
						refs = append(refs, ref)
					}
				case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor":
					sure = false
				}
				look(member)
			}
		}
	}
	look(value)
	return refs, sure
}
