package arguments

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// strip takes out what the dialect's own schema says is wrong. It reports
// whether there was anything to take out.
func (r *repair) strip(invalid *jsonschema.SchemaValidationError) bool {
	r.stripping = true
	defer func() { r.stripping = false }()
	_, fragment, _ := strings.Cut(invalid.URL, "#")
	fragment, _ = url.PathUnescape(fragment)
	start := jsontree.PointerTokens(fragment)
	var faults [][]string
	var gather func(e *jsonschema.ValidationError)
	gather = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			faults = append(faults, slices.Concat(start, e.InstanceLocation))
		}
		for _, cause := range e.Causes {
			gather(cause)
		}
	}
	if e, ok := invalid.Err.(*jsonschema.ValidationError); ok {
		gather(e)
	}
	done := false
	for _, at := range faults {
		done = r.stripAt(start, at) || done
	}
	return done
}

// stripAt takes out the keyword that a pointer leads into from a schema, or
// makes the value at the pointer one that allows everything, when a schema
// must stand there and does not.
func (r *repair) stripAt(start, at []string) bool {
	p := location{value: r.root}
	if p.walk(start); len(p.pointer) != len(start) {
		p = location{pointer: start, path: startPath(start)}
		p.value, _ = lookup(r.root, start)
	}
	p.walk(at)
	schema, ok := p.value.(map[string]any)
	if !ok {
		if _, isBool := p.value.(bool); isBool || len(p.pointer) == 0 {
			return false
		}
		message := fmt.Sprintf("%s is where a schema is expected; not checked", jsonText(p.value))
		if !r.put(p.pointer, map[string]any{unchecked: true}) {
			return false
		}
		r.dirty, r.stripped = true, true
		r.note(p, "", message)
		return true
	}
	if len(p.pointer) == len(at) {
		return false // a schema that should be something else, by one of several rules
	}
	keyword := at[len(p.pointer)]
	value, ok := schema[keyword]
	if !ok {
		return false
	}
	r.drop(p, keyword, fmt.Sprintf("%s cannot be %s; not checked", show(keyword), jsonText(value)))
	return true
}

// walk moves a location inwards along a pointer, as far as schemas go. It looks only at what
// the pointer leads into: a schema can have as many faults as members.
func (p *location) walk(at []string) {
	for len(p.pointer) < len(at) {
		schema, _ := p.value.(map[string]any)
		way := at[len(p.pointer):]
		value, ok := schema[way[0]]
		if !ok {
			return
		}
		keeps := model.SubschemasOf(way[0])
		if members, named := value.(map[string]any); named && len(way) > 1 && keeps.Has(model.NamedSchemas) && !keeps.Has(model.OneSchema) {
			member, ok := members[way[1]]
			if !ok {
				return
			}
			value = map[string]any{way[1]: member}
		}
		part := *p
		part.value = map[string]any{way[0]: value}
		inside := part.inside()
		i := slices.IndexFunc(inside, func(q location) bool {
			return len(q.pointer) <= len(at) && slices.Equal(q.pointer, at[:len(q.pointer)])
		})
		if i < 0 {
			return
		}
		*p = inside[i]
	}
}

// put replaces the value at a pointer.
func (r *repair) put(pointer []string, value any) bool {
	last := len(pointer) - 1
	holder, _ := lookup(r.root, pointer[:last])
	switch h := holder.(type) {
	case map[string]any:
		h[pointer[last]] = value
		return true
	case []any:
		for i := range h {
			if strconv.Itoa(i) == pointer[last] {
				h[i] = value
				return true
			}
		}
	}
	return false
}

// startPath returns the path of a schema that only references lead to.
func startPath(start []string) string {
	if len(start) == 0 {
		return ""
	}
	return "#" + show(jsontree.Pointer(start))
}

// softenAt softens the schemas inside a schema, and then the schema itself.
func (r *repair) softenAt(p location) {
	schema, ok := p.value.(map[string]any)
	if !ok {
		return
	}
	for _, q := range p.inside() {
		r.softenAt(q)
	}
	if ref, ok := schema["$ref"].(string); ok {
		pointer, _ := url.PathUnescape(strings.TrimPrefix(ref, "#"))
		if !isSchema(lookup(r.root, jsontree.PointerTokens(pointer))) {
			r.drop(p, "$ref", fmt.Sprintf("$ref %s leads to what is not checked", quote(ref)))
		}
	}
	if names, ok := schema["propertyNames"]; ok && !r.isDraft("04") {
		delete(schema, "propertyNames")
		schema[namesKeyword] = names
	}
	if !r.stripped {
		return
	}
	why := func(keyword string) string {
		return keyword + " is not checked, because it rests on something that is not"
	}
	for _, keyword := range []string{"unevaluatedProperties", "unevaluatedItems"} {
		if _, ok := schema[keyword]; ok {
			r.drop(p, keyword, why(keyword))
		}
	}
	if r.doubtful(schema["not"]) {
		r.drop(p, "not", why("not"))
	}
	if r.doubtful(schema["if"]) {
		r.drop(p, "if", why("if"))
	}
	if _, ok := schema["maxContains"]; ok && r.doubtful(schema["contains"]) {
		r.drop(p, "maxContains", why("maxContains"))
	}
	if branches, ok := schema["oneOf"]; ok && r.doubtful(branches) {
		_, both := schema["anyOf"]
		r.drop(p, "oneOf", "oneOf is checked as anyOf, because it rests on something that is not checked")
		if !both {
			schema["anyOf"] = branches
		}
	}
}

// isDraft reports whether the schema says it is of a draft whose number begins
// so: those up to draft 7 begin with "0".
func (r *repair) isDraft(number string) bool {
	top, _ := r.root.(map[string]any)
	dialect, _ := top["$schema"].(string)
	return strings.Contains(dialect, "/draft-"+number)
}

// doubtful reports whether a part of a schema allows, or may allow by a
// reference, more than it was written to.
func (r *repair) doubtful(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if v[unchecked] == true {
			return true
		}
		if _, ok := v["$ref"]; ok {
			return true
		}
		for _, item := range v {
			if r.doubtful(item) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if r.doubtful(item) {
				return true
			}
		}
	}
	return false
}

// jsonText writes a JSON value short, for a message.
func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "that"
	}
	return show(strings.TrimSuffix(b.String(), "\n"))
}
