package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/arguments"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/words"
)

// AnySchema is the schema of a tool that says nothing of its arguments.
const AnySchema = `{"type":"object","properties":{}}`

// object is the one type that clients take at the root of a schema.
const objectType = "object"

// outputSchema is the member of a tool that describes its results.
const outputSchema = "outputSchema"

// ListedInput returns the schema that is listed for the parameters of a tool, and the
// changes in it. A schema that clients take is returned as it is. raw is valid JSON, or
// empty for no parameters, which is no change.
func ListedInput(raw json.RawMessage) (json.RawMessage, []Change) {
	const member = "inputSchema"
	switch {
	case len(raw) == 0 || string(raw) == "{}":
		return json.RawMessage(AnySchema), nil
	}
	// Nearly every schema needs no change, which is seen without a tree of it, unless an escape may
	// hide the name of a header.
	taken, isObject := !bytes.Contains(raw, []byte(HeaderMark)) && !bytes.Contains(raw, []byte(`\u`)), false
	jsontree.Value{Raw: raw}.Each(func(m jsontree.Member) {
		switch m.Name {
		case "type":
			isObject = m.Text() == objectType
		case "properties":
			taken = taken && m.IsObject()
			m.Visit(func(_ []byte, property jsontree.Value) { taken = taken && property.IsObject() })
		case "required":
			taken = taken && m.IsArray()
			for name := range m.All() {
				taken = taken && name.IsString()
			}
		case "$schema":
			taken = taken && m.IsString()
		case "$ref":
			taken = false
		}
	})
	if taken && isObject {
		return raw, nil
	}
	n, err := jsontree.Parse(raw, jsontree.Strict)
	if err != nil || n.Kind != jsontree.Object {
		return json.RawMessage(AnySchema), []Change{{Kind: changeNoSchema, Member: member}}
	}
	changes := mend(n, member)
	if len(changes) == 0 { // such as a name that is written with an escape
		return raw, nil
	}
	return n.AppendTo(nil), changes
}

// listedOutput returns the schema that is listed for the results of a tool, and the
// changes in it; nil for none. The older revisions have results of objects alone, and
// TypeScript clients of 1.x compile the schema when they read the list: one that is of
// something else, that they cannot compile, or by which they refuse right results, is left out.
func listedOutput(raw json.RawMessage) (json.RawMessage, []Change) {
	const member = outputSchema
	n, err := jsontree.Parse(raw, jsontree.Strict)
	switch {
	case err != nil || n.Kind != jsontree.Object:
		return nil, []Change{{Kind: changeNoSchema, Member: member}}
	case !isText(n.Member("type"), objectType) && (n.Member("type") != nil || !n.Member("properties").Is(jsontree.Object)):
		return nil, []Change{{Kind: changeNotObject, Member: member}}
	}
	changes := mend(n, member)
	if len(changes) > 0 {
		raw = n.AppendTo(nil)
	}
	kind := ajv(n)
	if len(arguments.NewValidator().Uncheckable(raw)) > 0 {
		kind = changeNotCompiled
	}
	if kind != "" {
		return nil, []Change{{Kind: kind, Member: member}}
	}
	return raw, changes
}

// isText reports whether a value is a text, or one text.
func isText(n *jsontree.Node, want string) bool {
	return n.Is(jsontree.String) && n.Text == want
}

// isTexts reports whether a value is a list of texts.
func isTexts(n *jsontree.Node) bool {
	return n.Is(jsontree.Array) && !slices.ContainsFunc(n.Children, func(c jsontree.Child) bool { return c.Kind != jsontree.String })
}

// mend makes the root of a schema one that clients take, and returns what it changed.
func mend(n *jsontree.Node, member string) (changes []Change) {
	note := func(k ChangeKind, name string) { changes = append(changes, Change{k, member, name}) }
	if follow(n) {
		note(changeRootRef, "")
	}
	if !isText(n.Member("type"), objectType) {
		note(changeRootType, "")
		n.Set("type", &jsontree.Node{Kind: jsontree.String, Text: objectType})
	}
	if p := n.Member("properties"); p != nil && p.Kind != jsontree.Object {
		note(changeProperties, "")
		remove(n, "properties")
	}
	for _, c := range n.Member("properties").Members() {
		if c.Kind == jsontree.Object {
			continue
		}
		note(changeProperty, c.Name)
		never := c.Is(jsontree.Boolean) && c.Text == "false"
		*c.Node = jsontree.Node{Kind: jsontree.Object}
		if never {
			c.Set("not", &jsontree.Node{Kind: jsontree.Object})
		}
	}
	if r := n.Member("required"); r != nil && !isTexts(r) {
		note(changeRequired, "")
		names := slices.DeleteFunc(slices.Clone(r.Elements()), func(c jsontree.Child) bool { return c.Kind != jsontree.String })
		if remove(n, "required"); len(names) > 0 {
			n.Set("required", &jsontree.Node{Kind: jsontree.Array, Children: names})
		}
	}
	if s := n.Member("$schema"); s != nil && s.Kind != jsontree.String {
		note(changeDialect, "")
		remove(n, "$schema")
	}
	if member != outputSchema {
		mendHeaders(n, "", true, map[string]bool{}, func(property string) { note(changeHeader, property) })
	}
	return changes
}

// HeaderMark is the member of a property that names the header which repeats its argument
// (MCP 2026-07-28, transports, custom headers from tool parameters).
const HeaderMark = "x-mcp-header"

// mendHeaders takes out of a schema, which is called name, the names of headers that clients of
// MCP 2026-07-28 do not take, at which they leave out the tool: on what a chain of properties
// alone does not lead to, is no text, whole number or boolean, no token, or the name of another one,
// which seen has.
func mendHeaders(n *jsontree.Node, name string, chain bool, seen map[string]bool, note func(name string)) {
	if header := n.Member(HeaderMark); header != nil {
		kind, lower := n.Member("type"), strings.ToLower(header.Text)
		if !chain || name == "" || !isText(kind, "string") && !isText(kind, "integer") && !isText(kind, "boolean") || !header.Is(jsontree.String) || !IsToken(header.Text) || seen[lower] {
			note(name)
			remove(n, HeaderMark)
		}
		seen[lower] = true
	}
	for _, c := range n.Members() {
		holds, chain := model.SubschemasOf(c.Name), chain && c.Name == "properties"
		switch {
		case c.Kind == jsontree.Object && holds.Has(model.OneSchema):
			mendHeaders(c.Node, c.Name, chain, seen, note)
		case c.Kind == jsontree.Object && holds.Has(model.NamedSchemas), c.Kind == jsontree.Array && holds.Has(model.SchemaList):
			for _, inner := range c.Children {
				mendHeaders(inner.Node, cmp.Or(inner.Name, c.Name), chain, seen, note)
			}
		}
	}
}

// IsToken reports whether a text is a token of HTTP (RFC 9110, 5.6.2), as names of headers are.
func IsToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	})
}

// follow puts what a reference at the root leads to in its place, where that is an object
// within the schema, and says whether it did. Other members of the root hold before it. A
// circle of references leads to nothing, and neither does a chain of more than eight.
func follow(n *jsontree.Node) bool {
	followed := false
	for range 8 {
		ref := n.Member("$ref")
		if !ref.Is(jsontree.String) || !strings.HasPrefix(ref.Text, "#/") {
			return followed
		}
		target := n
		for _, token := range strings.Split(ref.Text[2:], "/") {
			target = target.Member(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		}
		if !target.Is(jsontree.Object) || target == n {
			return followed
		}
		remove(n, "$ref")
		for _, c := range target.Members() {
			if n.Member(c.Name) == nil {
				n.Set(c.Name, c.Node)
			}
		}
		followed = true
	}
	remove(n, "$ref")
	return followed
}

// remove takes a member out of an object.
func remove(n *jsontree.Node, name string) {
	n.Children = slices.DeleteFunc(n.Children, func(c jsontree.Child) bool { return c.Name == name })
}

// ajvTakes has the keywords that Ajv reads, and the kinds of their values. At another kind, as
// the exclusiveMinimum of draft 4 has, it compiles nothing. No kind is for a keyword that it
// refuses whatever stands there.
var ajvTakes = func() map[string][]jsontree.Kind {
	takes := map[string][]jsontree.Kind{}
	list := func(names string, kinds ...jsontree.Kind) {
		for _, name := range strings.Fields(names) {
			takes[name] = kinds
		}
	}
	list("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties", jsontree.Number)
	list("pattern format $id $ref formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum", jsontree.String)
	list("required enum allOf anyOf oneOf", jsontree.Array)
	list("uniqueItems nullable", jsontree.Boolean)
	list("properties patternProperties dependencies", jsontree.Object)
	list("additionalItems additionalProperties contains propertyNames not if then else", jsontree.Boolean, jsontree.Object)
	list("items", jsontree.Boolean, jsontree.Object, jsontree.Array)
	list("type", jsontree.String, jsontree.Array)
	list("id $async")
	return takes
}()

// anchor is the form of an anchor for Ajv.
var anchor = words.LazyRegexp(`(?i)^[a-z_][-a-z0-9._]*$`)

// ajv returns the fault that Ajv finds in a schema, or in a schema inside it, and other validators
// do not. Ajv does not compile a keyword with a value of another kind, an empty enum, nullable
// without a type, the bound of a format without the format, or a pattern that JavaScript does not
// know. It reads every schema by draft 7: items is then about each element, prefixItems or not, and
// a list that contains something has one of it (findings/typescript-results-by-draft-7.sh).
func ajv(n *jsontree.Node) ChangeKind {
	for _, c := range n.Members() {
		takes, read := ajvTakes[c.Name]
		if read && !slices.Contains(takes, c.Kind) {
			return changeNotCompiled
		}
		fits := true
		switch c.Name {
		case "enum":
			fits = len(c.Elements()) > 0
		case "nullable":
			kind := n.Member("type")
			fits = kind != nil && (c.Text == "true" || !strings.Contains(string(kind.Raw), "null"))
		case "formatMinimum", "formatMaximum", "formatExclusiveMinimum", "formatExclusiveMaximum":
			fits = n.Member("format") != nil
		case "$anchor", "$dynamicAnchor":
			fits = c.Kind != jsontree.String || anchor().MatchString(c.Text)
		case "pattern":
			fits = javaScript(c.Text)
		case "patternProperties":
			fits = !slices.ContainsFunc(c.Members(), func(p jsontree.Child) bool { return !javaScript(p.Name) })
		}
		if !fits {
			return changeNotCompiled
		}
		least, every := n.Member("minContains"), c.Text == "true" || c.Kind == jsontree.Object && len(c.Children) == 0
		if c.Name == "items" && !every && n.Member("prefixItems") != nil || c.Name == "contains" && least.Is(jsontree.Number) && least.Text == "0" {
			return changeMisread
		}
		ways := model.SubschemasOf(c.Name)
		if ways.Has(model.OneSchema) {
			if kind := ajv(c.Node); kind != "" {
				return kind
			}
		}
		keeps := c.Kind == jsontree.Object && ways.Has(model.NamedSchemas) || c.Kind == jsontree.Array && ways.Has(model.SchemaList)
		if !keeps {
			continue
		}
		for _, in := range c.Children {
			if kind := ajv(in.Node); kind != "" {
				return kind
			}
		}
	}
	return ""
}

// foreignSyntax matches what Go's regular expressions have and JavaScript's with the flag
// u do not: flags, names written (?P<, and escapes of letters and of characters that need
// none.
var foreignSyntax = words.LazyRegexp(`\(\?[^:=!<]|\[\[:|\\[^dDwWsSbBnrtfv0-9xupPck^$\\.*+?()\[\]{}|/-]`)

// quantifier is the meanings of braces.
var quantifier = regexp.MustCompile(`\{\d+(,\d*)?\}|\\[pPu]\{[^}]*\}|\\.`)

// javaScript reports whether a regular expression that Go knows is one of JavaScript, too.
func javaScript(pattern string) bool {
	if !utf8.ValidString(pattern) || foreignSyntax().MatchString(pattern) {
		return false
	}
	class := false // in a character class, braces are characters
	for _, r := range quantifier.ReplaceAllString(pattern, "") {
		switch {
		case class:
			class = r != ']'
		case r == '[':
			class = true
		case strings.ContainsRune("{}]", r):
			return false
		}
	}
	return true
}
