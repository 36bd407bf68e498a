package engine

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/hosts"
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

// Classifier decides the class of a tool by the rules of a generation of the agent.
type Classifier struct {
	generation     config.Generation
	core, deferred map[string]bool // by name
	all            bool            // of a host that is no generation: every other tool is deferrable
}

// NewClassifier returns the classifier of a configuration.
func NewClassifier(c config.Config) Classifier {
	c = as(c)
	k := Classifier{generation: c.ToolSearch.Generation, core: nameSet(c.Core), all: hosts.Configured(&c).Generation == ""}
	if k.generation == config.September2026 || k.all {
		k.deferred = nameSet(c.Defer)
	}
	return k
}

// directToolsets are the toolsets of the agent's own surface, whose tools
// september-2026 sends unless tools.tool_search.defer lists them.
var directToolsets = []string{"desktop_ui", "project", "setup"}

// Class returns the class of a tool. The first rule that matches wins: bridge names
// are dropped; in september-2026 the names of tools.tool_search.defer are
// deferrable, core and unregistered ones too; core names and unregistered tools are
// visible; in september-2026 so are the tools of directToolsets; everything else is
// deferrable. Core is decided by name, never by toolset.
func (k Classifier) Class(name, toolset string, registered bool) Class {
	switch {
	case IsBridge(name):
		return Dropped
	case k.deferred[name]:
		return Deferrable
	case k.core[name], !registered:
		return Visible
	case k.generation == config.September2026 && !k.all && slices.Contains(directToolsets, toolset):
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

// nameSet returns a list of names as a set.
func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
