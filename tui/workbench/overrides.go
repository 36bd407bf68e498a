package workbench

import (
	"bytes"

	"caliper/config"
	"caliper/model"
)

// OverridesName is the name of the file where the user names none.
const OverridesName = "descriptions.yaml"

// OverridesChange is a change of an overrides file that is not written yet.
type OverridesChange struct {
	Path     string
	Old, New []byte // the content of the file; a nil Old stands for a missing file
}

// ProposeOverrides reads the file at path, which may be missing, and returns the change that gives
// tools of a registry other descriptions. The error is the file system's, or a
// model.Diagnostic that says where the file is in the way.
func ProposeOverrides(path string, r *model.Registry, edits []Edit) (OverridesChange, error) {
	data, err := ReadFile(path)
	if err != nil {
		return OverridesChange{}, err
	}
	c := OverridesChange{Path: path, Old: data, New: data}
	for _, e := range edits {
		list, _, err := config.ParseOverrides(path, c.New)
		if err != nil {
			return OverridesChange{}, err
		}
		if c.New, err = config.SetOverride(path, c.New, entryOf(list, r, e.Tool), e.Description); err != nil {
			return OverridesChange{}, err
		}
	}
	return c, nil
}

// entryOf returns the name of the entry that counts for a tool: the last entry's
// that means it, otherwise its qualified name.
func entryOf(list []config.Override, r *model.Registry, qualified string) string {
	name := qualified
	for _, d := range list {
		if found := r.Called(d.Tool); len(found) == 1 && found[0].Qualified == qualified {
			name = d.Tool
		}
	}
	return name
}

// Lines returns how the file changes, nil when it has the descriptions already.
func (c OverridesChange) Lines() []config.DiffLine { return config.Diff(c.Old, c.New) }

// Write replaces the file in one step, or creates it. A change that changes nothing
// writes nothing. The error is an *ChangedError when the file is not what it
// was when the change was proposed.
func (c OverridesChange) Write() error {
	if bytes.Equal(c.Old, c.New) {
		return nil
	}
	return PutFile(c.Path, c.Old, c.New)
}

// HoldsOverrides reports whether a file is there that can be parsed and has a description.
func HoldsOverrides(path string) bool {
	data, err := ReadFile(path)
	if err != nil {
		return false
	}
	list, _, err := config.ParseOverrides(path, data)
	return err == nil && len(list) > 0
}
