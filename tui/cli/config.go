package cli

import (
	"context"

	"caliper/config"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// configShowRow is `config show`: every effective setting with its origin.
func (r *run) configShowRow() runner.Row {
	return runner.Row{Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		in, err := r.Input()
		if err != nil {
			return nil, err
		}
		in.Registry = nil // settings do not depend on it
		st, err := r.LoadInput(ctx, in)
		if err != nil {
			return nil, err
		}
		settings, err := effectiveSettings(st, in)
		return &runner.Outcome{
			Value: runner.Object{{"settings", runner.NotNull(settings)}, {"errors", runner.DiagnosticsJSON(st.Errors)}},
			Page:  report.Settings(settings),
			Wrong: st.Errors, // they kept the file's settings from being among these
		}, err
	}}
}

// effectiveSettings returns the settings of a state. When the file could not
// even be read, they are the defaults with the flags on top.
func effectiveSettings(st workbench.State, in workbench.Input) ([]config.Setting, error) {
	if in.Config == nil || in.Config.Err == nil {
		return st.Config.Settings, nil
	}
	defaults, err := config.Parse("", nil)
	if err == nil && in.Flags.Context != nil {
		err = defaults.Override(config.KeyContext, *in.Flags.Context)
	}
	return defaults.Settings, err
}
