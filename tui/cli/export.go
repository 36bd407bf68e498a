package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"caliper/engine/export"
	"caliper/model"
	"caliper/model/shapes"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// exporting is the flags of export.
type exporting struct {
	runner.Preselecting
	shape    export.Shape
	assembly bool
	file     string
}

// exportRow is `export`: tools as a provider takes them.
func (r *run) exportRow() runner.Row {
	e := &exporting{Preselecting: runner.Preselecting{Run: r.Run}}
	names := runner.Array(export.Shapes(), func(s export.Shape) string { return string(s) })
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.Choice("shape", "SHAPE", strings.Join(names, ", "), names, func(s string) (err error) {
				e.shape, err = export.ParseShape(s)
				return err
			})
			f.On(&e.assembly, "assembly", "what the session would be sent, instead of the whole registry")
			f.Out(&e.file)
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			switch {
			case e.shape == "":
				return nil, runner.Usagef("needs --shape and one of %s", strings.Join(names, ", "))
			case r.Flags.Bench.Message != "" && !e.assembly:
				return nil, runner.Usagef("--message is for --assembly: what is sent with it")
			}
			return e.export(ctx)
		},
	}
}

// export writes the tools.
func (e *exporting) export(ctx context.Context) (*runner.Outcome, error) {
	r := e.Run
	st, err := r.LoadGood(ctx)
	if err != nil {
		return nil, err
	}
	e.St = st
	registry := st.Snapshot.Registry
	tools := registry.Tools
	switch assembly := st.Snapshot.Assembly(); {
	case e.assembly:
		if tools = append([]*model.Tool{}, assembly.Tools...); assembly.Bridge { // never nil, which means all
			var lines [][]byte
			for _, d := range assembly.BridgeTools() {
				lines = append(lines, d)
			}
			bridge, err := shapes.Parse(ctx, model.Source{Data: bytes.Join(lines, []byte{'\n'})})
			if err != nil {
				return nil, fmt.Errorf("the bridge: %w", err)
			}
			tools = append(tools, bridge.Tools...)
		}
	case r.Flags.Bench.Session != "":
		tools = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return !e.MaySend(t) })
	}
	data, lost, err := export.Write(e.shape, registry, export.Options{Tools: tools, Progress: r.Tally("writing", "tool")})
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	if e.file != "" {
		if err := r.WriteFile(e.file, data); err != nil {
			return nil, err
		}
	}
	if r.Flags.JSON {
		return &runner.Outcome{Value: runner.Object{{"shape", e.shape}, {"tools", json.RawMessage(data)}, {"lost", runner.NotNull(lost)}}}, nil
	}
	for _, line := range report.Losses(lost) {
		r.Complain(line)
	}
	if e.file == "" {
		return nil, r.WriteJSON(data)
	}
	written := len(tools)
	for _, l := range lost {
		if l.LeftOut {
			written--
		}
	}
	return &runner.Outcome{Page: runner.OneLine(report.Textf("%s is written: %s", report.Name(e.file), report.Count(written, "tool")))}, nil
}
