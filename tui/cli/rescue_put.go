package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// rescuePutRow is `rescue put`: what becomes of a result.
func (r *run) rescuePutRow() runner.Row {
	var tool string
	return runner.Row{
		Args: runner.ArgumentCount(1, 1, "one FILE, or - for standard input"), Complete: runner.AnyFile,
		Flags: func(f runner.FlagSet) {
			f.Value("tool", "NAME", "tool that returned the result", func(name string) error {
				tool = strings.ToValidUTF8(name, "\ufffd")
				return runner.NotEmpty(name)
			})
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if tool == "" {
				return nil, runner.Usagef("needs --tool and the name of the tool")
			}
			return r.rescue(ctx, true, func(s rescuing) (*runner.Outcome, error) { return s.put(ctx, args[0], tool) })
		},
	}
}

// put reads a result, keeps it if it is to be rescued, and tells what was done.
func (s rescuing) put(ctx context.Context, name, tool string) (*runner.Outcome, error) {
	in, called, size := io.Reader(s.run.In), "standard input", 0
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, runner.FileError(name, err)
		}
		defer f.Close()
		in, called = f, name
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = int(info.Size())
		}
	}
	x, err := s.rescuer.Put(ctx, s.session, tool, called, &runner.Tallied{Run: s.run.Run, From: in, Total: size})
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Path == name { // a folder opens like a file
		return nil, runner.InputError(name, path.Err.Error())
	}
	return &runner.Outcome{Value: rescuedJSON(x), Page: report.Rescue(x, s.method())}, err
}

// rescuedJSON returns what became of a result for JSON. Without a handle its
// id, its text and its tokens are null.
func rescuedJSON(x workbench.Rescued) runner.Object {
	put := runner.Object{
		{"id", runner.NullUnless(x.Rescue, x.Meta.ID)},
		{"rescued", x.Rescue},
		{"rule", x.Rule},
		{"chars", x.Meta.Chars},
		{"lines", x.Meta.Lines},
		{"type", x.Meta.Kind},
		{"handle", runner.NullUnless(x.Rescue, x.Preview.Text)},
		{"handle_tokens", runner.NullUnless(x.Rescue, x.HandleTokens)},
		{"original_tokens", x.OriginalTokens},
	}
	if x.Envelope != "" { // what is counted
		put = append(put, runner.Object{{"out_of", x.Envelope}}...)
	}
	return put
}
