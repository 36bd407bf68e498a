package screen

import (
	"caliper/config"
	"caliper/model"
	"caliper/watch"
)

// The messages by which a screen asks the app for something, through Host.Send. Others
// are of the packages whose values they carry.
type (
	// Visit shows something in Explore: a query, with the tool that it is expected to
	// find, or else the dry run of a tool, with an empty query, or the edit of a
	// description. Esc leads back to the screen that asks.
	Visit struct {
		Query   string
		Tool    *model.Tool // nil for none
		Session string      // switches to it, as an agent of that session asked; empty: none
		Dry     bool        // the dry run of Tool
		Draft   *string     // the description of Tool that is edited; nil for no edit
	}

	// Show shows a view of a screen; with an empty view, the screen as it is.
	Show struct{ Screen, View string }

	// Label labels a query with a tool that answers it, and offers to create the file
	// for that.
	Label Question

	// Write shows the change of the config file that gives a setting a value, and
	// writes it when the user agrees.
	Write config.Change

	// Reread makes the watcher of a file read it and report at once.
	Reread File
)

// File identifies one of the watched inputs.
type File int

// The watched inputs.
const (
	RegistryFile File = iota
	ConfigFile
	QueriesFile
	ResultFile
	PricesFile
	LessonsFile   // labelled queries to learn from, which the configuration names
	OverridesFile // descriptions that are used in place of the registry's
	Files         // how many there are
)

// FilesMsg reports the new content of a watched file that is not loaded into
// the state.
type FilesMsg struct {
	File  File
	Files []watch.File
}

// RereadMsg reports that the user asked to read all inputs again.
type RereadMsg struct{}
