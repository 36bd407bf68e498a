package skills

import (
	"caliper/model"
	"caliper/model/jsontree"
)

// Toolset is the toolset of the tools of Registry.
const Toolset = "skills"

// Registry returns a registry with a tool for each skill, in their order, whose name and
// description are the skill's: for rankers, which rank tools. No such tool can be called.
func Registry(all []*Skill) *model.Registry {
	tools := make([]*model.Tool, len(all))
	for i, s := range all {
		text := s.Description
		if s.When != "" {
			text += " - " + s.When
		}
		function := append(append(append([]byte(`{"name":`), jsontree.Encode(s.Name)...), `,"description":`...), append(jsontree.Encode(text), '}')...)
		tools[i] = &model.Tool{Name: s.Name, Description: text, ShownName: s.ShownName(), Function: function, Toolset: Toolset, Available: true}
	}
	return model.NewRegistry(tools, []*model.Toolset{{Name: Toolset, ShownName: Toolset}})
}
