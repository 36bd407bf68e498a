package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// rescuePutCommand is `rescue put`: what becomes of a result.
func (r *run) rescuePutCommand() *cobra.Command {
	var tool string
	cmd := &cobra.Command{
		Use:   "put FILE | -",
		Short: "Keep a result if it is too long, and print what the model gets.",
		Example: `caliper rescue put build.log --tool mcp_ci_log --config config.yaml
caliper rescue put - --tool mcp_ci_log --session 42 < build.log`,
		Long: "FILE is what the tool returned; - is standard input. It may be as long as the store may be large. An MCP envelope is unwrapped first. " +
			"What is too short, or from a tool whose results are not rescued, is not kept: the model gets it whole. " +
			"The exit code is 0 either way. Tokens are counted by --tokenizer.",
		Args: argumentCount(1, 1, "one FILE, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tool == "" {
				return usageErrorf(cmd, "needs --tool and the name of the tool")
			}
			return r.rescue(cmd.Context(), true, func(s rescuing) error { return s.put(cmd.Context(), args[0], tool) })
		},
	}
	valueFlag(cmd.Flags(), "tool", "NAME", "tool that returned the result", func(name string) error {
		tool = strings.ToValidUTF8(name, "\ufffd")
		return notEmpty(name)
	})
	return cmd
}

// put reads a result, keeps it if it is to be rescued, and prints what was done.
func (s rescuing) put(ctx context.Context, name, tool string) error {
	in, called, size := io.Reader(s.run.in), "standard input", 0
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fileError(name, err)
		}
		defer f.Close()
		in, called = f, name
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = int(info.Size())
		}
	}
	x, err := s.rescuer.Put(ctx, s.session, tool, called, &tallied{run: s.run, from: in, total: size})
	var path *fs.PathError
	switch {
	case errors.As(err, &path) && path.Path == name: // a folder opens like a file
		return inputError(name, path.Err.Error())
	case err != nil:
		return err
	}
	return s.run.answer(rescuedJSON(x), report.Rescue(x, s.method()))
}

// rescuedJSON returns what became of a result for JSON. Without a handle its
// id, its text and its tokens are null.
func rescuedJSON(x workbench.Rescued) object {
	var id, handle, tokens any
	if x.Rescue {
		id, handle, tokens = x.Meta.ID, x.Preview.Text, x.HandleTokens
	}
	put := object{
		{"id", id},
		{"rescued", x.Rescue},
		{"rule", x.Rule},
		{"chars", x.Meta.Chars},
		{"lines", x.Meta.Lines},
		{"type", x.Meta.Kind},
		{"handle", handle},
		{"handle_tokens", tokens},
		{"original_tokens", x.OriginalTokens},
	}
	if x.Envelope != "" { // what is counted
		put = append(put, object{{"out_of", x.Envelope}}...)
	}
	return put
}
