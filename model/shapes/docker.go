package shapes

import (
	"io"
	"slices"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// dockerEntry is a tool of the MCP catalogue of Docker (github.com/docker/mcp-registry,
// servers/SERVER/tools.json): {"name","description","arguments":[{name,type,desc,
// optional}]}. It is a tool of the server that its folder is named after, as one of a
// tools/list result is of the server of its file. Servers that keep their tools in a file
// of their own call the list parameters.
var dockerEntry = &form{
	name: "docker",
	match: func(e *entry) bool {
		return e.member("name").IsString() && argumentList(e) != "" && !e.has("inputSchema", "input_schema", "plugin_name", "pluginName", "type")
	},
	read: func(r *reader, f *form, e *entry) error {
		list := argumentList(e)
		p := e.parts(list)
		p.parameters.Raw = r.dockerParameters(p.parameters)
		r.addMCP(f, e, p)
		return nil
	},
}

// argumentList returns the name of the member of an entry that lists its arguments, "" if
// none does. A list of parameters without names is a broken schema, and not one of them.
func argumentList(e *entry) string {
	switch {
	case e.has("parameters"):
		if firstElement(e.member("parameters")).Member("name").IsString() {
			return "parameters"
		}
	case e.member("arguments").IsArray():
		return "arguments"
	}
	return ""
}

// firstElement returns the first value of an array, and no value for anything else.
func firstElement(v jsontree.Value) (first jsontree.Value) {
	if !v.IsArray() {
		return first
	}
	c := jsontree.NewCursor(v.Raw, v.At)
	_, _ = c.Array(func(int) (err error) {
		if first, err = c.Value(); err == nil {
			err = io.EOF // the others do not matter
		}
		return err
	})
	return first
}

// dockerParameters returns the schema of a list of arguments. One that says whether it is
// optional, or required, is so. One that says neither is required if the
// source marks others as optional, as Docker's own program does. In a source that marks
// none nothing is required: most of those are written by hand, and have arguments with
// defaults in them, which a caller must not be told to send.
func (r *reader) dockerParameters(v jsontree.Value) []byte {
	stated := slices.ContainsFunc(v.Elements(), func(c jsontree.Value) bool { return c.Member("required").First() != 0 })
	return propertiesOf(v, func(c jsontree.Child) bool {
		required, optional := c.Member("required"), c.Member("optional")
		switch {
		case required != nil:
			return isTrue(required)
		case optional != nil:
			return !isTrue(optional)
		}
		return !stated && r.marksOptional()
	})
}

// optionalMember is a member that marks an argument as optional, or not. It is not found in
// the text of a string, where a quote has a backslash before it.
var optionalMember = words.LazyRegexp(`"optional"\s*:`)

// marksOptional reports whether any argument of the source is marked as optional.
func (r *reader) marksOptional() bool {
	if r.optional == nil {
		marks := optionalMember().Match(r.text.Data)
		r.optional = &marks
	}
	return *r.optional
}
