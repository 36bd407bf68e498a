package shapes

import (
	"cmp"

	"caliper/model/jsontree"
)

// discoveryDocument is a description of an API of Google (developers.google.com/
// discovery/v1/reference/apis): {"kind":"discovery#restDescription","schemas",
// "resources":{NAME:{"methods":{NAME:{id,description,parameters,request}},
// "resources"}}}. Each method is a tool of the toolset that is its resource; its body
// is the property "body". References are bare names of schemas.
var discoveryDocument = shape{
	match: func(o *object) bool { return o.member("kind").Text() == "discovery#restDescription" },
	read: func(r *reader, o *object) error {
		return r.readAPI(o, discoveryMethod, []string{"schemas"}, "$defs", "", func(a *api) error { return a.readResource(o.path, "", a.root) })
	},
}

// discoveryMethod is the form of a method.
var discoveryMethod = &form{name: "discovery"}

// readResource reads the methods of a resource, whose name is "" for the API, and of those in it.
func (a *api) readResource(path, name string, n *jsontree.Node) error {
	for _, m := range n.Member("methods").Members() {
		where := jsontree.JoinName(jsontree.JoinName(path, "methods"), m.Name)
		s := &operationSchema{api: a, named: map[string]int{}}
		for _, p := range m.Member("parameters").Members() {
			schema := &jsontree.Node{Kind: jsontree.Object}
			for _, c := range p.Members() {
				if c.Name != "location" && c.Name != "required" && c.Name != "repeated" {
					schema.Children = append(schema.Children, c)
				}
			}
			// Give the default of a boolean or a number, which is a text in such documents, its type.
			kinds := map[string]jsontree.Kind{"boolean": jsontree.Boolean, "integer": jsontree.Number, "number": jsontree.Number}
			kind, known := kinds[textOf(schema.Member("type"))]
			typed, err := jsontree.Parse([]byte(textOf(schema.Member("default"))), jsontree.Strict)
			if known && err == nil && typed.Is(kind) {
				schema.Set("default", typed)
			}
			if isTrue(p.Member("repeated")) {
				list := typeNode("array")
				list.Set("items", schema)
				schema = list
			}
			s.add(p.Name, textOf(p.Member("location")), schema, "", isTrue(p.Member("required")))
		}
		if body := m.Member("request"); body.Member("$ref") != nil {
			s.add("body", "body", &jsontree.Node{Kind: jsontree.Object, Children: []jsontree.Child{{Name: "$ref", Node: body.Member("$ref")}}}, "", false)
		}
		schema, ok := s.write()
		if !ok {
			return errTooLarge
		}
		if a.measuring {
			continue
		}
		a.addOperation(restated{name: cmp.Or(textOf(m.Member("id")), m.Name), description: textOf(m.Member("description")), parameters: schema,
			path: where, at: a.at + m.At, nameAt: a.at + m.At}, cmp.Or(name, textOf(a.root.Member("name"))))
	}
	for _, inner := range n.Member("resources").Members() {
		whole := inner.Name
		if name != "" {
			whole = name + "." + inner.Name
		}
		if err := a.readResource(jsontree.JoinName(jsontree.JoinName(path, "resources"), inner.Name), whole, inner.Node); err != nil {
			return err
		}
	}
	return nil
}
