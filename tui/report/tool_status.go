package report

import (
	"strconv"

	"caliper/engine"
	"caliper/model"
)

// ToolStatus returns the short text for the status of a tool in the session.
func ToolStatus(s *engine.Snapshot, t *model.Tool) string {
	switch s.Status(t) {
	case engine.Sent:
		switch {
		case s.Core(t):
			return "core"
		case engine.PreSelects(s.Assembly().Strategy):
			return "selected"
		}
		return "sent"
	case engine.Deferred:
		return strconv.Itoa(s.ToolTokens(t)) + " tok"
	case engine.Unreachable:
		return "unreachable"
	case engine.NotGranted:
		return "out of scope"
	case engine.Unavailable:
		return "unavailable"
	default:
		return "replaced"
	}
}
