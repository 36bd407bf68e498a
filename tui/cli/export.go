package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/export"
	"caliper/model"
	"caliper/model/shapes"
	"caliper/tui/atomicfile"
	"caliper/tui/report"
)

// exporting is the flags of export.
type exporting struct {
	preselecting
	shape    export.Shape
	assembly bool
	file     string
}

// exportRow is `export`: tools as a provider takes them.
func (r *run) exportRow() row {
	e := &exporting{preselecting: preselecting{run: r}}
	names := array(export.Shapes(), func(s export.Shape) string { return string(s) })
	return row{
		flags: func(f flagSet) {
			f.choice("shape", "SHAPE", strings.Join(names, ", "), names, func(s string) (err error) {
				e.shape, err = export.ParseShape(s)
				return err
			})
			f.on(&e.assembly, "assembly", "what the session would be sent, instead of the whole registry")
			f.out(&e.file)
		},
		run: func(ctx context.Context, _ []string) (*outcome, error) {
			switch {
			case e.shape == "":
				return nil, usagef("needs --shape and one of %s", strings.Join(names, ", "))
			case r.flags.bench.Message != "" && !e.assembly:
				return nil, usagef("--message is for --assembly: what is sent with it")
			}
			return e.export(ctx)
		},
	}
}

// export writes the tools.
func (e *exporting) export(ctx context.Context) (*outcome, error) {
	tools, err := e.tools(ctx)
	if err != nil {
		return nil, err
	}
	r, registry := e.run, e.st.Snapshot.Registry
	data, lost, err := export.Write(e.shape, registry, export.Options{Tools: tools, Progress: r.tally("writing", "tool")})
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	if e.file != "" {
		if err := writeFile(e.file, data); err != nil {
			return nil, err
		}
	}
	if r.flags.json {
		return &outcome{value: object{{"shape", e.shape}, {"tools", json.RawMessage(data)}, {"lost", notNull(lost)}}}, nil
	}
	for _, line := range report.Losses(lost) {
		r.complain(line)
	}
	if e.file == "" {
		return nil, r.writeJSON(data)
	}
	written := len(tools)
	for _, l := range lost {
		if l.LeftOut {
			written--
		}
	}
	return &outcome{page: oneLine(report.Textf("%s is written: %s", report.Name(e.file), report.Count(written, "tool")))}, nil
}

// tools loads the data and returns the tools to write.
func (e *exporting) tools(ctx context.Context) ([]*model.Tool, error) {
	st, err := e.run.loadGood(ctx)
	if err != nil {
		return nil, err
	}
	e.st = st
	s := st.Snapshot
	switch {
	case e.assembly:
		return withBridge(ctx, s.Assembly())
	case e.run.flags.bench.Session != "":
		return slices.DeleteFunc(slices.Clone(s.Registry.Tools), func(t *model.Tool) bool { return !e.maySend(t) }), nil
	}
	return s.Registry.Tools, nil
}

// withBridge returns the tools of an assembly with its bridge's.
func withBridge(ctx context.Context, a engine.Assembly) ([]*model.Tool, error) {
	tools := append([]*model.Tool{}, a.Tools...)
	if !a.Bridge {
		return tools, nil
	}
	var lines [][]byte
	for _, d := range a.BridgeTools() {
		lines = append(lines, d)
	}
	bridge, err := shapes.Parse(ctx, model.Source{Data: bytes.Join(lines, []byte{'\n'})})
	if err != nil {
		return nil, fmt.Errorf("the bridge: %w", err)
	}
	return append(tools, bridge.Tools...), nil
}

// writeFile makes a file or replaces the content of one, in one step. A path that is
// no regular file, as a pipe or /dev/stdout, is written to.
func writeFile(name string, data []byte) error {
	if err := putFile(name, data); err != nil {
		return fileError(name, err)
	}
	return nil
}

// writeOwnFile is writeFile for what the user alone may read, also where others could
// read the file before.
func writeOwnFile(name string, data []byte) error {
	err := closeToOthers(name)
	if err == nil {
		if info, statErr := os.Stat(name); statErr == nil && !info.Mode().IsRegular() {
			err = os.WriteFile(name, data, 0)
		} else {
			_, _, err = atomicfile.Rewrite(name, 0o600, func([]byte) ([]byte, error) { return data, nil })
		}
	}
	if err != nil {
		return fileError(name, err)
	}
	return nil
}

// closeToOthers takes a regular file from all but its owner, before it is written: the new
// content has the mode of the old.
func closeToOthers(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return nil // a missing one is made so
	}
	return os.Chmod(name, info.Mode().Perm()&0o700)
}

func putFile(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, 0)
	}
	old, err := atomicfile.Read(name)
	if err != nil || old != nil && bytes.Equal(old, data) {
		return err
	}
	return atomicfile.Put(name, old, data)
}
