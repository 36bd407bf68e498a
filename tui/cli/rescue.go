package cli

import (
	"cmp"
	"context"

	"caliper/engine/tokens"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"
)

// rescuing is shared by the commands of rescue: a Rescuer, and the
// session it is asked for.
type rescuing struct {
	run     *run
	session string
	rescuer *workbench.Rescuer
}

// rescue calls do with what the flags ask for. Only deciding takes a registry,
// so that the other commands do not read one.
func (r *run) rescue(ctx context.Context, decides bool, do func(rescuing) (*runner.Outcome, error)) (*runner.Outcome, error) {
	session := cmp.Or(r.Flags.Bench.Session, workbench.DefaultRescueSession)
	r.Flags.Bench.Session = "" // the configuration need not have it
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	if !decides {
		in.Registry = nil
	}
	st, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return nil, err
	}
	r.HintAtWarnings(st)
	home, _ := r.Env.Lookup("HOME")
	rescuer := workbench.NewRescuer(workbench.RescueInputs{
		Registry:  st.Snapshot.Registry,
		Config:    st.Config.Rescue,
		Tokenizer: st.Snapshot.Tokenizer,
		Store:     r.Env.Store,
		Home:      home,
	})
	defer rescuer.Close() // what was to be kept is on disk already
	return do(rescuing{run: r, session: session, rescuer: rescuer})
}

// method returns the method that tokens are counted with.
func (s rescuing) method() tokens.Method {
	return cmp.Or(s.run.Flags.Bench.Tokenizer, tokens.Chars4)
}
