package report

import (
	"caliper/engine"
	"caliper/model"
)

// DenialReason returns why a call of a tool is refused, without the names of gate and
// tool. The tool is nil when the registry does not have it.
func DenialReason(d engine.Denial, t *model.Tool) Text {
	switch d.Code {
	case engine.CodeOutOfScope:
		switch {
		case t != nil && !t.Available:
			return TextOf("its availability check failed")
		case t == nil || t.Toolset == "" || t.Toolset == model.NoToolset:
			return TextOf("the session is not granted it")
		}
		return Textf("the session is not granted toolset %s", Name(t.Toolset))
	case engine.CodeDenied:
		return TextOf("a rule of the policy denies it")
	case engine.CodeNeedsApproval:
		return TextOf("a rule of the policy asks for approval first")
	case engine.CodeAmbiguousName:
		return TextOf("several tools of the session have its name")
	case engine.CodeMissingName:
		return TextOf("it has no name")
	case engine.CodeUnknownTool:
		if t != nil && engine.IsBridge(t.Name) {
			return TextOf("a tool of the bridge has its name")
		}
		return TextOf("it is not selected for this message, and nothing leads to it")
	}
	return TextOf(d.Code)
}
