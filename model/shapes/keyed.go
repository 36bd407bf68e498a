package shapes

import "caliper/model/jsontree"

// keyedListing is an object of definitions by their names: {name:{"description",
// "inputSchema"}}, alone or as the "tools" of an object.
var keyedListing = shape{
	match: func(o *object) bool { return keyed(o.Value) || keyed(o.member("tools")) },
	read: func(r *reader, o *object) error {
		v, path := o.Value, o.path
		if !keyed(v) {
			v, path = o.member("tools"), jsontree.JoinName(path, "tools")
		}
		r.arrays++
		_, err := jsontree.NewCursor(v.Raw, v.At).EachMember(func(name string, v jsontree.Value) error {
			at := jsontree.JoinName(path, name)
			e := &entry{prefix: &at, index: -1}
			e.object = *objectOf(v)
			named := jsontree.Value{Raw: jsontree.AppendQuoted(nil, name), At: v.At}
			e.object.members = append(e.object.members, jsontree.Member{Name: "name", Value: named}, jsontree.Member{Name: "key", Value: named}) // the text that is sent is built
			return r.define(e)
		})
		return err
	},
}

// keyed reports whether v is an object whose members are definitions without a name.
func keyed(v jsontree.Value) bool {
	return everyMember(v, func(m jsontree.Member) bool {
		has := func(name string) bool { return m.Member(name).IsObject() }
		return m.IsObject() && !m.Member("name").IsString() && (has("inputSchema") || has("input_schema") || has("parameters") && m.Member("description").IsString())
	})
}
