package shapes

import (
	"cmp"

	"caliper/model/jsontree"
)

// toolboxFile is a configuration of the MCP Toolbox for Databases
// (github.com/googleapis/genai-toolbox, tools.yaml): {"sources":{...},"tools":{name:{kind,
// source,description,parameters:[{name,type,description,items,required,default}]}},
// "toolsets":{name:[names]}}. A parameter is required unless it is marked otherwise, or
// has a default.
var toolboxFile = shape{
	match: func(o *object) bool {
		return everyMember(o.member("tools"), func(m jsontree.Member) bool {
			return m.IsObject() && m.Member("description").IsString() && (m.Member("kind").IsString() || m.Member("type").IsString())
		})
	},
	read: func(r *reader, o *object) error {
		r.arrays++
		path := jsontree.JoinName(o.path, "tools")
		_, err := jsontree.NewCursor(o.member("tools").Raw, o.member("tools").At).EachMember(func(name string, v jsontree.Value) error {
			r.addMade(toolboxEntry, made{name: name, description: v.Member("description").Text(), parameters: toolboxParameters(v.Member("parameters")),
				path: jsontree.JoinName(path, name), at: v.At, nameAt: v.At})
			return nil
		})
		if err != nil {
			return err
		}
		toolsets := jsontree.JoinName(o.path, "toolsets")
		o.member("toolsets").Each(func(m jsontree.Member) {
			err = cmp.Or(err, r.readToolset(m.Name, m.Value, jsontree.JoinName(toolsets, m.Name)))
		})
		return err
	},
}

// toolboxEntry is the form of a member of its tools.
var toolboxEntry = &form{name: "toolbox"}

// toolboxParameters returns the schema of a list of parameters.
func toolboxParameters(v jsontree.Value) []byte {
	return propertiesOf(v, func(c jsontree.Child) bool {
		if stated := c.Member("required"); stated != nil {
			return isTrue(stated)
		}
		return c.Member("default") == nil
	})
}
