package arguments

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"caliper/model/jsontree"
)

// unchecked marks schemas that something was taken out of.
const unchecked = "x-caliper-unchecked"

// repair makes a schema that the library compiles out of one that it may not.
// What cannot be checked is taken out and noted; nothing that is taken out can
// make the rest refuse what the whole would allow.
type repair struct {
	dropping  string // the reference that is being dropped; empty: none
	stripping bool   // what the dialect refuses is being taken out
	root      any
	engine    *patterns
	id        string              // of the root
	anchors   map[string][]string // pointers of named schemas; nil for names given twice
	starts    [][]string          // pointers of the root and of schemas that only references lead to
	targets   [][]string          // pointers that references lead to
	seen      map[string]bool     // pointers of schemas that are done
	notes     []finding
	noted     map[string]bool
	dirty     bool // something was taken out since soften looked
	stripped  bool // something was taken out
}

// dialects are the values of $schema that the library knows, without scheme and fragment.
var dialects = []string{
	"json-schema.org/schema", "json-schema.org/draft/2020-12/schema", "json-schema.org/draft/2019-09/schema",
	"json-schema.org/draft-07/schema", "json-schema.org/draft-06/schema", "json-schema.org/draft-04/schema",
}

// note notes once that something at a location is not checked.
func (r *repair) note(p location, keyword, message string) {
	key := p.path + "\x00" + message
	if r.noted[key] {
		return
	}
	r.noted[key] = true
	f := uncheckable(p.path, message)
	f.Keyword, f.Ref, f.Broken = keyword, r.dropping, r.stripping
	r.notes = append(r.notes, f)
}

// drop takes a keyword out of a schema.
func (r *repair) drop(p location, keyword, message string) {
	schema := p.value.(map[string]any)
	delete(schema, keyword)
	schema[unchecked] = true
	r.dirty, r.stripped = true, true
	r.note(p, keyword, message)
	// What these allow, others need not: "additional" is the rest.
	switch keyword {
	case "properties", "patternProperties":
		r.dropIfThere(p, "additionalProperties", keyword)
	case "items", "prefixItems":
		r.dropIfThere(p, "additionalItems", keyword)
		if keyword == "prefixItems" {
			r.dropIfThere(p, "items", keyword)
		}
	}
}

// dropIfThere takes a keyword out of a schema because of another.
func (r *repair) dropIfThere(p location, keyword, because string) {
	if _, ok := p.value.(map[string]any)[keyword]; ok {
		r.drop(p, keyword, fmt.Sprintf("%s is not checked, because %s is not", keyword, because))
	}
}

// collectAnchors finds the names that references may use.
func (r *repair) collectAnchors(p location) {
	if schema, ok := p.value.(map[string]any); ok {
		for _, keyword := range []string{"$anchor", "$dynamicAnchor", "$id", "id"} {
			name, ok := schema[keyword].(string)
			if strings.HasSuffix(keyword, "id") {
				name, ok = strings.CutPrefix(name, "#")
			}
			if !ok || name == "" {
				continue
			}
			if other, twice := r.anchors[name]; twice && jsontree.Pointer(other) != jsontree.Pointer(p.pointer) {
				r.anchors[name] = nil
			} else {
				r.anchors[name] = append([]string{}, p.pointer...)
			}
		}
	}
	for _, q := range p.inside() {
		r.collectAnchors(q)
	}
}

// clean takes out what the library would fail on, here and inside.
func (r *repair) clean(p location) {
	pointer := jsontree.Pointer(p.pointer)
	if r.seen[pointer] {
		return
	}
	r.seen[pointer] = true
	schema, ok := p.value.(map[string]any)
	if !ok {
		return
	}
	if id, ok := schema["$id"].(string); ok && pointer != "" && !strings.HasPrefix(id, "#") {
		p.inner = true
	}
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		r.cleanReference(p, schema, keyword)
	}
	if _, ok := schema["$ref"]; ok && r.isDraft("0") {
		// Up to draft 7 a reference stands alone. The library (6.0.3)
		// leaves its neighbours out, but for this one.
		delete(schema, "const")
	}
	for _, keyword := range []string{"$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"} {
		delete(schema, keyword)
	}
	if _, ok := schema["id"].(string); ok {
		delete(schema, "id") // the $id of draft 4; nothing to other dialects
	}
	if pointer != "" {
		delete(schema, "$schema")
	}
	// Regular expressions that cannot be compiled are taken out.
	if text, ok := schema["pattern"].(string); ok {
		if _, err := r.engine.compile(text); err != nil {
			r.drop(p, "pattern", fmt.Sprintf("pattern %s is not checked: %v", quote(text), err))
		}
	}
	byPattern, _ := schema["patternProperties"].(map[string]any)
	for _, text := range sortedNames(byPattern) {
		if _, err := r.engine.compile(text); err != nil {
			delete(byPattern, text)
			schema[unchecked], r.dirty, r.stripped = true, true, true
			r.note(p, "patternProperties", fmt.Sprintf("names like %s are not checked: %v", quote(text), err))
			r.dropIfThere(p, "additionalProperties", "patternProperties")
		}
	}
	for _, keyword := range withNumbers {
		if number, ok := unevaluableIn(schema[keyword]); ok {
			r.drop(p, keyword, fmt.Sprintf("%s %s is out of range; not checked", keyword, show(string(number))))
		}
	}
	for _, keyword := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"} {
		clampCount(schema, keyword)
	}
	for _, q := range p.inside() {
		r.clean(q)
	}
}

// cleanReference makes a reference one by JSON pointer from the root, or takes
// it out when it leads nowhere.
func (r *repair) cleanReference(p location, schema map[string]any, keyword string) {
	value, ok := schema[keyword]
	if !ok {
		return
	}
	ref, ok := value.(string)
	if !ok {
		return // the library says so
	}
	target, why := r.resolve(ref, p.inner)
	if _, other := schema["$ref"]; why == "" && other && keyword != "$ref" {
		why = "is not followed, beside $ref"
	}
	if why != "" {
		r.dropping = ref
		r.drop(p, keyword, fmt.Sprintf("%s %s %s", keyword, quote(ref), why))
		r.dropping = ""
		return
	}
	escaped := make([]string, len(target))
	for i, token := range target {
		escaped[i] = url.PathEscape(jsontree.EscapeToken(token))
	}
	delete(schema, keyword)
	schema["$ref"] = "#"
	if len(target) > 0 {
		schema["$ref"] = "#/" + strings.Join(escaped, "/")
	}
	r.targets = append(r.targets, target)
}

// resolve returns the pointer that a reference leads to, or why it is not
// followed.
func (r *repair) resolve(ref string, inner bool) (target []string, why string) {
	if inner {
		return nil, "is not followed, inside an embedded $id"
	}
	address, fragment, _ := strings.Cut(ref, "#")
	if address != "" && address != r.id {
		return nil, "leads out of the schema, and is not followed"
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, "leads nowhere"
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		pointer, ok := r.anchors[fragment]
		if !ok || pointer == nil {
			return nil, "leads nowhere"
		}
		return pointer, ""
	}
	target = jsontree.PointerTokens(fragment)
	if slices.Contains(target, "propertyNames") {
		return nil, "is not followed" // compileNames wants it elsewhere
	}
	if !isSchema(lookup(r.root, target)) {
		return nil, "leads nowhere"
	}
	return target, ""
}

// isSchema reports whether a value that was found may be a schema.
func isSchema(v any, found bool) bool {
	switch v.(type) {
	case map[string]any, bool:
		return found
	}
	return false
}

// withNumbers are the keywords whose values are compared with.
var withNumbers = []string{
	"const", "enum", "exclusiveMaximum", "exclusiveMinimum", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum",
	"minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
}

// clampCount makes a count that no value reaches one that the library can hold
// in an int.
func clampCount(schema map[string]any, keyword string) {
	n, ok := schema[keyword].(json.Number)
	if !ok {
		return
	}
	const most = 1_000_000_000_000
	if count, ok := new(big.Rat).SetString(string(n)); ok && count.IsInt() && count.Cmp(big.NewRat(most, 1)) > 0 {
		schema[keyword] = json.Number(fmt.Sprint(most))
	}
}
