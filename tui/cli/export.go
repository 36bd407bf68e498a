package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/export"
	"caliper/engine/selection"
	"caliper/model"

	"github.com/spf13/cobra"
)

// exporting is what the flags of export ask for.
type exporting struct {
	preselecting
	shape    export.Shape
	assembly bool
	message  string
	file     string
}

// exportCommand is `export`: tools as a provider takes them.
func (r *run) exportCommand() *cobra.Command {
	e := &exporting{preselecting: preselecting{run: r}}
	cmd := &cobra.Command{
		Use:     "export --shape SHAPE",
		Short:   "Write the tools in the form that a provider takes.",
		GroupID: groupLook,
		Example: `caliper export --shape openai
caliper export --shape gemini --session default --assembly
caliper export --shape anthropic --assembly --message "refund booking 7"
caliper export --shape hermes --registry dumps/ -o registry.json`,
		Long: "Of the whole registry; with --session, of what it is granted; with --assembly, of what a session would " +
			"really be sent, the bridge included, and with --message too, of what tools.selection chooses for it. " +
			"What the shape cannot hold and what its provider refuses is told on standard error. Names are those " +
			"that the model sees; an MCP result says so, and where each tool comes from, in its _meta, so that " +
			"caliper reads it back as it was. Gemini's shape has parameters in Gemini's own dialect, not " +
			"parametersJsonSchema.\n" +
			"JSON: {shape, tools, lost: [{tool, what}]}; tools is what the provider takes.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case e.shape == "":
				return usageErrorf(cmd, "needs --shape and one of %s", shapeNames())
			case e.message != "" && !e.assembly:
				return usageErrorf(cmd, "--message is for --assembly: what is sent with it")
			}
			return e.export(cmd.Context())
		},
	}
	cmd.Flags().Var(&checked{kind: "SHAPE", set: func(s string) (err error) {
		e.shape, err = export.ParseShape(s)
		return err
	}}, "shape", shapeNames())
	cmd.Flags().BoolVar(&e.assembly, "assembly", false, "what the session would be sent, instead of the whole registry")
	cmd.Flags().Var(&checked{kind: "MESSAGE", set: func(s string) error {
		e.message = message(s)
		return notEmpty(strings.TrimSpace(s))
	}}, "message", "with --assembly: what it would be sent with this message")
	outFlag(cmd, &e.file)
	_ = cmd.RegisterFlagCompletionFunc("shape", cobra.FixedCompletions(strings.Split(shapeNames(), ", "), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// shapeNames returns the names of the shapes, with commas.
func shapeNames() string {
	var names []string
	for _, s := range export.Shapes() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// outFlag adds the flag for a file to write to.
func outFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().VarP(&checked{kind: "FILE", set: func(s string) error {
		*file = s
		return notEmpty(s)
	}}, "out", "o", "file to write instead of standard output (-o); it is replaced in one step")
}

// export writes the tools.
func (e *exporting) export(ctx context.Context) error {
	tools, err := e.tools(ctx)
	if err != nil {
		return err
	}
	r, registry := e.run, e.st.Snapshot.Registry
	data, lost, err := export.Write(e.shape, registry, export.Options{Tools: tools})
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if e.file != "" {
		if err := writeFile(e.file, data); err != nil {
			return err
		}
	}
	if r.flags.json {
		if lost == nil {
			lost = []export.Lost{}
		}
		return r.printJSON(struct {
			Shape export.Shape    `json:"shape"`
			Tools json.RawMessage `json:"tools"`
			Lost  []export.Lost   `json:"lost"`
		}{e.shape, data, lost})
	}
	for _, line := range lostLines(lost) {
		r.complain(line)
	}
	if e.file != "" {
		r.page().text(fmt.Sprintf("%s is written: %s", model.Sanitize(e.file), counted(len(tools), "tool")))
		return nil
	}
	return r.write(model.EscapeUnseen(data))
}

// tools loads the data and returns the tools to write.
func (e *exporting) tools(ctx context.Context) ([]*model.Tool, error) {
	if e.message != "" {
		return e.selected(ctx)
	}
	st, err := e.run.loadGood(ctx)
	if err != nil {
		return nil, err
	}
	e.st = st
	s := st.Snapshot
	switch {
	case e.assembly:
		e.run.complainOfSelection(s)
		return e.sent(ctx)
	case e.run.flags.bench.Session != "":
		return slices.DeleteFunc(slices.Clone(s.Registry.Tools), func(t *model.Tool) bool { return !e.maySend(t) }), nil
	}
	return s.Registry.Tools, nil
}

// sent returns the tools of the session's assembly.
func (e *exporting) sent(ctx context.Context) ([]*model.Tool, error) {
	s := e.st.Snapshot
	tools := []*model.Tool{}
	for _, t := range s.Registry.Tools {
		if s.Status(t) == engine.Sent {
			tools = append(tools, t)
		}
	}
	return withBridge(ctx, tools, s.Assembly(), s.Active())
}

// selected returns the tools that the message is sent with.
func (e *exporting) selected(ctx context.Context) ([]*model.Tool, error) {
	if err := e.open(ctx, e.message, false, false); err != nil {
		return nil, err
	}
	switch strategy := selection.InForce(e.st.Snapshot); {
	case strategy == selection.Lazy:
		return nil, fmt.Errorf("tools.selection is %s: the model is sent names alone, which no shape holds", strategy)
	case !strategy.Ranks():
		return e.sent(ctx)
	}
	x, err := e.selector.Select(ctx, e.message, nil)
	if err != nil {
		return nil, err
	}
	e.blame(x.Notes)
	tools := []*model.Tool{}
	for _, t := range x.Tools {
		tools = append(tools, t.Tool)
	}
	var definitions []json.RawMessage
	if err := json.Unmarshal(x.Bytes, &definitions); err != nil {
		return nil, err
	}
	return withBridge(ctx, tools, definitions, x.Bridge)
}

// withBridge returns tools with those of the bridge, which stand last among
// the definitions that are sent, if it is one of them.
func withBridge(ctx context.Context, tools []*model.Tool, definitions []json.RawMessage, active bool) ([]*model.Tool, error) {
	if !active {
		return tools, nil
	}
	var lines [][]byte
	for _, d := range definitions[len(definitions)-3:] {
		lines = append(lines, d)
	}
	bridge, err := model.Parse(ctx, model.Source{Data: bytes.Join(lines, []byte{'\n'})})
	if err != nil {
		return nil, fmt.Errorf("the bridge: %w", err)
	}
	return append(tools, bridge.Tools...), nil
}
