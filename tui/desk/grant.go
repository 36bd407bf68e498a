package desk

import (
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/reach"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/tui/screen"
)

// Granting returns the change of the configuration that grants a session a tool, as a message;
// or why there is none.
func Granting(s *engine.Snapshot, session string, t *model.Tool) (ask screen.Write, why string) {
	i := slices.IndexFunc(s.Config.Sessions, func(o config.Session) bool { return o.Name == session })
	if i < 0 || t == nil {
		return ask, "no tool is selected"
	}
	of := s.Config.Sessions[i]
	name := safetext.Line(session)
	if s.Grant(of)[t.Index] {
		return ask, name + " is granted " + t.ShownName + " already"
	}
	r, ok := reach.Grant(s, of, t, "")
	if !ok {
		return ask, "no list of " + name + " alone grants " + t.ShownName
	}
	return screen.Write{Key: r.Key, Value: r.Value}, ""
}
