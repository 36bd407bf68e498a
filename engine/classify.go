package engine

import (
	"strings"

	"caliper/model"
)

// Class is how an assembly treats a tool definition.
type Class uint8

// The three classes. Only deferrable tools can end up behind the bridge.
const (
	Visible    Class = iota // always sent in full
	Deferrable              // hidden behind the bridge while it is active
	Dropped                 // has a bridge name; the bridge's own tool replaces it
)

// String returns the word used on screen and in vectors.
func (c Class) String() string {
	switch c {
	case Visible:
		return "visible"
	case Deferrable:
		return "deferrable"
	default:
		return "dropped"
	}
}

// The names of the three bridge tools.
const (
	ToolSearch   = "tool_search"
	ToolDescribe = "tool_describe"
	ToolCall     = "tool_call"
)

// IsBridge reports whether name is exactly one of the three bridge names.
func IsBridge(name string) bool {
	return name == ToolSearch || name == ToolDescribe || name == ToolCall
}

// Classify returns the class of a tool by the rules of the reference agent,
// first match wins: bridge names are dropped, core names and unregistered
// names are visible, everything else is deferrable. Core is decided by name,
// never by toolset.
func Classify(name string, core map[string]bool, registered bool) Class {
	switch {
	case IsBridge(name):
		return Dropped
	case core[name], !registered:
		return Visible
	default:
		return Deferrable
	}
}

// The sources of registered tools.
const (
	SourceMCP    = "mcp"    // of a toolset called mcp-something
	SourcePlugin = "plugin" // of any other
)

// SourceOf returns where a registered tool of this toolset comes from. A tool
// that is not in the registry has source "other"; no tool of a Registry has
// that.
func SourceOf(toolset string) string {
	if strings.HasPrefix(toolset, "mcp-") {
		return SourceMCP
	}
	return SourcePlugin
}

// coreSet returns the core list as a set.
func coreSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// classes returns the class of every tool of the registry, by Tool.Index.
func classes(r *model.Registry, core map[string]bool) []Class {
	out := make([]Class, len(r.Tools))
	for i, t := range r.Tools {
		out[i] = Classify(t.Name, core, true)
	}
	return out
}
