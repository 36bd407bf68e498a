package arguments

import "strings"

// Registered returns the parameters of a tool of an MCP server as the June
// 2026 agent registers them: references into definitions lead into $defs, a
// union of null and one other type becomes that type with nullable, and
// objects have a type, properties, and no required names besides these.
// Parameters that are registered already stay as they are. The result is one
// line of JSON.
func Registered(schema []byte) []byte {
	nothing := []byte(`{"type":"object","properties":{}}`)
	v, err := parse(schema)
	if len(schema) == 0 || err != nil || v.falsy() {
		return nothing
	}
	v = v.inDefs().withoutNull().shaped()
	if v.kind != object {
		return nothing
	}
	return v.append(nil)
}

// each returns a copy of v with f applied to all that stands directly in it.
func (v *value) each(f func(*value) *value) *value {
	if v.kind != array && v.kind != object {
		return v
	}
	out := &value{kind: v.kind}
	for _, item := range v.items {
		out.items = append(out.items, f(item))
	}
	for _, m := range v.members {
		out.put(m.name, f(m.value))
	}
	return out
}

// put sets a member.
func (v *value) put(name string, item *value) {
	for i := range v.members {
		if v.members[i].name == name {
			v.members[i].value = item
			return
		}
	}
	v.members = append(v.members, member{name, item})
}

// drop takes a member out.
func (v *value) drop(name string) {
	for i := range v.members {
		if v.members[i].name == name {
			v.members = append(v.members[:i:i], v.members[i+1:]...)
			return
		}
	}
}

// inDefs renames definitions to $defs, and the references into them. The
// agent renames every member of that name, parameters too.
func (v *value) inDefs() *value {
	const old, now = "#/definitions/", "#/$defs/"
	out := v.each((*value).inDefs)
	if out.kind != object || len(out.members) == 0 {
		return out
	}
	renamed := &value{kind: object}
	for _, m := range out.members {
		if m.name == "definitions" {
			m.name = "$defs"
		}
		renamed.put(m.name, m.value)
	}
	if ref := renamed.get("$ref"); ref != nil && ref.kind == str {
		if rest, ok := strings.CutPrefix(ref.text, old); ok {
			renamed.put("$ref", &value{kind: str, text: now + rest})
		}
	}
	return renamed
}

// withoutNull folds unions of null and one alternative into that alternative.
func (v *value) withoutNull() *value {
	out := v.each((*value).withoutNull)
	if out.kind != object {
		return out
	}
	for _, keyword := range unions {
		union := out.get(keyword)
		if union == nil || union.kind != array {
			continue
		}
		var others []*value
		for _, one := range union.items {
			if one.kind != object || !one.get("type").is("null") {
				others = append(others, one)
			}
		}
		if len(others) != 1 || len(others) == len(union.items) {
			continue
		}
		folded := &value{kind: object}
		if others[0].kind == object {
			folded.members = append(folded.members, others[0].members...)
		}
		if folded.get("nullable") == nil {
			folded.put("nullable", &value{kind: boolean, text: "true"})
		}
		for _, about := range []string{"title", "description", "default", "examples"} {
			if text := out.get(about); text != nil && folded.get(about) == nil {
				folded.put(about, text)
			}
		}
		return folded.withoutNull()
	}
	return out
}

// shaped gives objects what they lack.
func (v *value) shaped() *value {
	out := v.each((*value).shaped)
	if out.kind != object {
		return out
	}
	if out.get("type").falsy() && (out.get("properties") != nil || out.get("required") != nil) {
		out.put("type", &value{kind: str, text: "object"})
	}
	if !out.get("type").is("object") {
		return out
	}
	properties := out.get("properties")
	if properties == nil || properties.kind != object {
		properties = &value{kind: object}
		out.put("properties", properties)
	}
	if required := out.get("required"); required != nil && required.kind == array {
		named := &value{kind: array}
		for _, name := range required.items {
			if name.kind == str && properties.get(name.text) != nil {
				named.items = append(named.items, name)
			}
		}
		switch len(named.items) {
		case 0:
			out.drop("required")
		case len(required.items):
		default:
			out.put("required", named)
		}
	}
	return out
}
