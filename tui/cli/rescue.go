package cli

import (
	"cmp"
	"context"

	"caliper/engine/tokens"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// rescuing is what the commands of rescue have in common: a Rescuer, and the
// session it is asked for.
type rescuing struct {
	run     *run
	session string
	rescuer *workbench.Rescuer
}

// rescueCommand is `rescue`, the head of the commands about oversized results.
func (r *run) rescueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "rescue",
		Short:   "Keep oversized tool results out of the context, and read them by slices.",
		GroupID: groupAnswer,
		Example: `caliper rescue put build.log --tool mcp_ci_log --config config.yaml
caliper rescue fetch "$ID" --mode grep --pattern 'error|panic'
caliper rescue status --config config.yaml`,
		Long: "--session is any id here, and default when it is left out: a session reads what was put for it. " +
			"The store is the config's toolaria.store_path, else a folder in the user's state folder. " +
			"A folder that is neither ours nor empty is left alone, and the exit code is 2.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return usageErrorf(cmd, "needs a command: put, fetch, status or sweep")
		},
	}
	cmd.AddCommand(r.rescuePutCommand(), r.rescueFetchCommand(), r.rescueStatusCommand(), r.rescueSweepCommand())
	return cmd
}

// rescue calls do with what the flags ask for. Only deciding takes a registry,
// so that the other commands do not read one.
func (r *run) rescue(ctx context.Context, decides bool, do func(rescuing) error) error {
	session := cmp.Or(r.flags.bench.Session, workbench.DefaultRescueSession)
	r.flags.bench.Session = "" // the configuration need not have it
	in, err := r.input()
	if err != nil {
		return err
	}
	if !decides {
		in.Registry = nil
	}
	st, err := r.good(r.loadInput(ctx, in))
	if err != nil {
		return err
	}
	r.hintAtWarnings(st)
	home, _ := r.env.Lookup("HOME")
	rescuer := workbench.NewRescuer(workbench.RescueInputs{
		Registry:  st.Snapshot.Registry,
		Config:    st.Config.Rescue,
		Tokenizer: st.Snapshot.Tokenizer,
		Store:     r.env.Store,
		Home:      home,
	})
	defer rescuer.Close() // what was to be kept is on disk already
	return do(rescuing{run: r, session: session, rescuer: rescuer})
}

// method returns the method that tokens are counted with.
func (s rescuing) method() tokens.Method {
	return cmp.Or(s.run.flags.bench.Tokenizer, tokens.Chars4)
}
