package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"caliper/model"
	"caliper/tui/cells"
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
	cmd.Flags().Var(&checked{kind: "NAME", set: func(name string) error {
		tool = strings.ToValidUTF8(name, "\ufffd")
		return notEmpty(name)
	}}, "tool", "tool that returned the result")
	_ = cmd.RegisterFlagCompletionFunc("tool", r.completeFlagTool)
	return cmd
}

// put reads a result and prints what becomes of it.
func (s rescuing) put(ctx context.Context, name, tool string) error {
	in, called := io.Reader(s.run.in), "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return inputError(name, innermost(err).Error())
		}
		defer f.Close()
		in, called = f, name
	}
	x, err := s.rescuer.Put(ctx, s.session, tool, called, in)
	var path *fs.PathError
	switch {
	case errors.As(err, &path) && path.Path == name: // a folder opens like a file
		return inputError(name, path.Err.Error())
	case err != nil:
		return err
	case s.run.flags.json:
		return s.run.printJSON(rescuedOf(x))
	}
	s.putText(x)
	return nil
}

// rescuedJSON is what became of a result for JSON. Without a handle its id, its
// text and its tokens are null.
type rescuedJSON struct {
	ID             *string `json:"id"`
	Rescued        bool    `json:"rescued"`
	Rule           string  `json:"rule"`
	Chars          int     `json:"chars"`
	Lines          int     `json:"lines"`
	Type           string  `json:"type"`
	Handle         *string `json:"handle"`
	HandleTokens   *int    `json:"handle_tokens"`
	OriginalTokens int     `json:"original_tokens"`
}

// rescuedOf returns what became of a result for JSON.
func rescuedOf(x workbench.Rescued) rescuedJSON {
	out := rescuedJSON{
		Rescued: x.Rescue, Rule: x.Rule, Chars: x.Meta.Chars, Lines: x.Meta.Lines, Type: string(x.Meta.Kind),
		OriginalTokens: x.OriginalTokens,
	}
	if x.Rescue {
		out.ID, out.Handle, out.HandleTokens = &x.Meta.ID, &x.Preview.Text, &x.HandleTokens
	}
	return out
}

// putText prints what became of a result for a person.
func (s rescuing) putText(x workbench.Rescued) {
	p := s.run.page()
	verdict, why, _ := strings.Cut(x.Text, ": ")
	p.line(p.strong(verdict), p.faint("  "+x.Rule))
	p.paragraph(2, why+".")
	what := counted(x.Meta.Chars, "character") + " in " + counted(x.Meta.Lines, "line") + ", " + string(x.Meta.Kind)
	if x.Envelope != "" {
		what += " out of " + model.Sanitize(x.Envelope)
	}
	p.paragraph(2, what+".")
	if !x.Rescue {
		p.paragraph(2, "The model gets it whole: "+counted(x.OriginalTokens, "token")+s.method()+".")
		return
	}
	p.paragraph(2, "The model gets "+counted(x.HandleTokens, "token")+" instead of "+grouped(x.OriginalTokens)+s.method()+".")
	p.blank()
	p.line(p.faint("the model sees"))
	s.slice(p, x.Preview.Text)
}

// method names the method that tokens are counted with.
func (s rescuing) method() string {
	return " (" + string(cmp.Or(s.run.flags.bench.Tokenizer, "chars4")) + ")"
}

// cellsOf returns one line of foreign text as a terminal may have it.
func cellsOf(line string) string { return cells.Clean(model.Sanitize(line)) }
