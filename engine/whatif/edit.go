package whatif

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/shapes"
)

// Edit is a change of one tool's definition that is tried in memory: a field that is
// nil stays as it is.
type Edit struct {
	Tool        *model.Tool // of the registry that is edited
	Name        *string
	Description *string
	Parameters  json.RawMessage // a JSON object
	Remove      bool            // the tool is left out, and the other fields do not count
	From        string          // where the description stands, which a registry's tool has as Override; empty: in no file
}

// Function returns the function object that the edit makes of the tool's, as
// JSON. Members that the edit does not name keep their bytes and their order;
// a member that is missing is put behind the name, or behind the description.
// It is an error when the tool's own function is not a JSON object with a name
// or when the new parameters are no JSON object.
func (e Edit) Function() (json.RawMessage, error) {
	function := bytes.TrimSpace(e.Tool.Function)
	var err error
	var whole json.RawMessage
	var members []jsontree.Member
	if err = json.Unmarshal(function, &whole); err == nil && function[0] != '{' {
		err = errors.New("want an object")
	}
	if err == nil {
		jsontree.Value{Raw: function}.Each(func(m jsontree.Member) {
			if slices.ContainsFunc(members, func(o jsontree.Member) bool { return o.Name == m.Name }) {
				err = errors.New("given twice")
			}
			members = append(members, m)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("function of %s: %w", safetext.Line(e.Tool.Name), err)
	}
	if p := bytes.TrimSpace(e.Parameters); e.Parameters != nil && (!json.Valid(p) || p[0] != '{') {
		return nil, fmt.Errorf("parameters of %s: not a JSON object", safetext.Line(e.Tool.Name))
	}
	var splices []jsontree.Splice
	lacks := "" // a member that cannot be added
	// set gives a member another value, or adds it behind the first of others that is there.
	set := func(name string, value []byte, others ...string) {
		for i, candidate := range append([]string{name}, others...) {
			at := slices.IndexFunc(members, func(m jsontree.Member) bool { return m.Name == candidate })
			if at < 0 {
				continue
			}
			switch end := members[at].At + len(members[at].Raw); i {
			case 0:
				splices = append(splices, jsontree.Splice{From: members[at].At, To: end, Text: value})
			default:
				splices = append(splices, jsontree.Splice{From: end, To: end, Text: append([]byte(`,"`+name+`":`), value...)})
			}
			return
		}
		lacks = name
	}
	if e.Name != nil {
		set("name", jsontree.Encode(*e.Name))
	}
	if e.Description != nil {
		set("description", jsontree.Encode(*e.Description), "name")
	}
	if e.Parameters != nil {
		set("parameters", bytes.TrimSpace(e.Parameters), "description", "name")
	}
	if lacks != "" {
		return nil, fmt.Errorf("function of %s: %s: missing", safetext.Line(e.Tool.Name), lacks)
	}
	return jsontree.Spliced(function, splices), nil
}

// edited returns the tool that an import would make of the edited function, in place of the
// edit's tool. Its names are the edit's, its Qualified is only right while nobody else bears them.
func (e Edit) edited(ctx context.Context) (*model.Tool, error) {
	function, err := e.Function()
	if err != nil {
		return nil, err
	}
	data := slices.Concat([]byte("["), tokens.Definition(&model.Tool{Function: function, Envelope: e.Tool.Envelope}), []byte("]"))
	r, err := shapes.Parse(ctx, model.Source{Name: "edited", Data: data})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case len(r.Tools) != 1:
		return nil, fmt.Errorf("name of %s: empty", safetext.Line(e.Tool.Name))
	}
	t := *r.Tools[0]
	t.Toolset, t.Texts = e.Tool.Toolset, e.Tool.Texts
	t.Server, t.OriginalName, t.Available = e.Tool.Server, e.Tool.OriginalName, e.Tool.Available
	t.Index, t.At = e.Tool.Index, e.Tool.At
	if t.Name == e.Tool.Name {
		t.Qualified, t.ShownName = e.Tool.Qualified, e.Tool.ShownName
	}
	return &t, nil
}

// Apply builds the snapshot that s would be if its registry were edited, as Registry
// does: names, scopes, costs, activation and ranks all follow. s is not changed. The error
// is ctx's, or says which edit makes no definition.
func Apply(ctx context.Context, b *engine.Builder, s *engine.Snapshot, edits ...Edit) (*engine.Snapshot, error) {
	in := s.Inputs()
	var err error
	if in.Registry, err = Registry(ctx, s.Registry, edits...); err != nil {
		return nil, err
	}
	return b.Build(ctx, in)
}

// Registry returns an edited copy of a registry. Tools keep their order and their positions
// in the sources and, where none is left out, their Index. Where toolsets list the name of
// a tool that is renamed, and nobody else bears it, they list the new one. The last edit
// of a tool counts. The given registry does not change. The error is ctx's, or says which
// edit makes no definition.
func Registry(ctx context.Context, r *model.Registry, edits ...Edit) (*model.Registry, error) {
	changed := make(map[*model.Tool]*model.Tool, len(edits)) // nil: left out
	renamed := map[string]string{}
	for _, e := range edits {
		if changed[e.Tool] = nil; e.Remove {
			continue
		}
		t, err := e.edited(ctx)
		if err != nil {
			return nil, err
		}
		t.Override = e.From
		if changed[e.Tool] = t; t.Name != e.Tool.Name && len(r.Lookup(e.Tool.Name)) == 1 {
			renamed[e.Tool.Name] = t.Name
		}
	}
	tools := make([]*model.Tool, 0, len(r.Tools))
	for _, t := range r.Tools {
		now, edited := changed[t]
		switch {
		case !edited:
			same := *t
			now = &same
		case now == nil:
			continue
		}
		tools = append(tools, now)
	}
	toolsets := slices.Clone(r.Toolsets)
	for i, ts := range toolsets {
		same := *ts
		same.Tools = slices.Clone(ts.Tools)
		for j, name := range same.Tools {
			if to, ok := renamed[name]; ok {
				same.Tools[j] = to
			}
		}
		toolsets[i] = &same
	}
	out := model.NewRegistry(tools, toolsets)
	out.Shape, out.Warnings, out.Sources, out.Core = r.Shape, r.Warnings, r.Sources, r.Core
	return out, ctx.Err()
}
