package workbench

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"caliper/config"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/watch"
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
		name := e.Tool // or of the last entry that means the tool, which is the one that counts
		for _, d := range list {
			if found := r.Called(d.Tool); len(found) == 1 && found[0].Qualified == e.Tool {
				name = d.Tool
			}
		}
		if c.New, err = config.SetOverride(path, c.New, name, e.Description); err != nil {
			return OverridesChange{}, err
		}
	}
	return c, nil
}

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

// overridden is a registry with the descriptions of a file in place of its own.
type overridden struct {
	path     string
	data     []byte
	list     []config.Override // of the last good content
	faults   []model.Diagnostic
	of       *model.Registry // the registry without them
	registry *model.Registry
	unknown  []model.Diagnostic // names that mean no tool, or several
}

// override returns the registry with the descriptions of the file that the flags name,
// which is the registry itself without one. It is the last one made while the file and
// the registry are the same. The diagnostic is about a file that cannot be read or
// parsed; the descriptions then come from its last good content.
func (w *Workbench) override(ctx context.Context, r *model.Registry, path string) (*model.Registry, []model.Diagnostic, *model.Diagnostic, error) {
	if path == "" {
		w.overriding = overridden{}
		return r, nil, nil, nil
	}
	o := &w.overriding
	if o.path != path {
		*o = overridden{path: path}
	}
	var broken *model.Diagnostic
	data, err := w.ReadFile(path)
	if err != nil {
		broken = unreadable(watch.File{Name: path, Err: err})
	} else if o.data == nil || !bytes.Equal(data, o.data) {
		list, faults, err := config.ParseOverrides(path, data)
		if err != nil {
			broken = diagnostic(err, path)
		} else {
			o.data, o.list, o.faults, o.of = bytes.Clone(append([]byte{}, data...)), list, faults, nil
		}
	}
	if o.of == r {
		return o.registry, slices.Concat(o.faults, o.unknown), broken, nil
	}
	var edits []whatif.Edit
	var unknown []model.Diagnostic
	warn := func(d config.Override, code, message string) {
		unknown = append(unknown, model.Diagnostic{File: safetext.Line(o.path), Line: d.Line, Col: d.Col, Code: code, Message: message})
	}
	for _, d := range o.list { // names mean tools as they do in labels
		name := safetext.Line(d.Tool)
		switch found := r.Called(d.Tool); {
		case len(found) == 0:
			warn(d, "unknown_tool", "the registry has no tool "+name+words.DidYouMean(words.Nearest(d.Tool, meantNames(r))))
		case len(found) > 1:
			warn(d, "ambiguous_tool", fmt.Sprintf("%d tools are called %s: name one with its toolset, as in %s", len(found), name, found[0].ShownName))
		default:
			text := d.Text
			edits = append(edits, whatif.Edit{Tool: found[0], Description: &text, From: fmt.Sprintf("%s:%d:%d", safetext.Line(o.path), d.Line, d.Col)})
		}
	}
	registry, err := r, error(nil)
	if len(edits) > 0 {
		registry, err = whatif.Registry(ctx, r, edits...)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	o.of, o.registry, o.unknown = r, registry, unknown
	return registry, slices.Concat(o.faults, unknown), broken, nil
}
