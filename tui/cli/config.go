package cli

import (
	"context"

	"caliper/config"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// configShowRow is `config show`: every effective setting with its origin.
func (r *run) configShowRow() row {
	return row{run: func(ctx context.Context, _ []string) (*outcome, error) {
		in, err := r.input()
		if err != nil {
			return nil, err
		}
		in.Registry = nil // settings do not depend on it
		st, err := r.loadInput(ctx, in)
		if err != nil {
			return nil, err
		}
		settings, err := effectiveSettings(st, in)
		return &outcome{
			value: object{{"settings", notNull(settings)}, {"errors", diagnosticsJSON(st.Errors)}},
			page:  report.Settings(settings),
			wrong: st.Errors, // they kept the file's settings from being among these
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
