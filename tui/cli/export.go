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

// exportRow is `export`: tools as a provider takes them.
func (r *run) exportRow() runner.Row {
	var shape export.Shape
	var assembled bool
	var file string
	names := runner.Array(export.Shapes(), func(s export.Shape) string { return string(s) })
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.Choice("shape", "SHAPE", strings.Join(names, ", "), names, func(s string) (err error) {
				shape, err = export.ParseShape(s)
				return err
			})
			f.On(&assembled, "assembly", "what the session would be sent, instead of the whole registry")
			f.Out(&file)
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			switch {
			case shape == "":
				return nil, runner.Usagef("needs --shape and one of %s", strings.Join(names, ", "))
			case r.Flags.Bench.Message != "" && !assembled:
				return nil, runner.Usagef("--message is for --assembly: what is sent with it")
			}
			st, err := r.LoadGood(ctx)
			if err != nil {
				return nil, err
			}
			registry := st.Snapshot.Registry
			tools := registry.Tools
			switch assembly := st.Snapshot.Assembly(); {
			case assembled:
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
				may := &runner.Preselecting{Chosen: report.Chosen{State: st}}
				tools = slices.DeleteFunc(slices.Clone(tools), func(t *model.Tool) bool { return !may.MaySend(t) })
			}
			data, lost, err := export.Write(shape, registry, export.Options{Tools: tools, Progress: r.Tally("writing", "tool")})
			if err != nil {
				return nil, err
			}
			data = append(data, '\n')
			if file != "" {
				if err := r.WriteFile(file, data); err != nil {
					return nil, err
				}
			}
			if r.Flags.JSON {
				return &runner.Outcome{Value: runner.Object{{"shape", shape}, {"tools", json.RawMessage(data)}, {"lost", runner.NotNull(lost)}}}, nil
			}
			for _, line := range report.Losses(lost) {
				r.Complain(line)
			}
			if file == "" {
				return nil, r.WriteJSON(data)
			}
			written := len(tools)
			for _, l := range lost {
				if l.LeftOut {
					written--
				}
			}
			return &runner.Outcome{Page: runner.OneLine(report.Textf("%s is written: %s", report.Name(file), report.Count(written, "tool")))}, nil
		},
	}
}
