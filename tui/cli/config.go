package cli

import (
	"caliper/config"
	"caliper/model"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// configCommand is `config`, the head of the commands about settings.
func (r *run) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the effective settings, or change one in the file.",
		GroupID: groupAudit,
		Example: `caliper config show
caliper config set tools.tool_search.threshold_pct 12 --config config.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return usageErrorf(cmd, "needs a command: show or set")
		},
	}
	cmd.AddCommand(r.configShowCommand(), r.configSetCommand())
	return cmd
}

// configShowCommand is `config show`: every effective setting with its origin.
func (r *run) configShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show every effective setting and where it comes from.",
		Example: `caliper config show
caliper config show --config config.yaml --context 128000 --json`,
		Long: "A value comes from the file, with its line, from a flag, or is the default; the note says what was " +
			"clamped or could not be used. When the file cannot be parsed the defaults hold: they are shown, and " +
			"the exit code is 2.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := r.input()
			if err != nil {
				return err
			}
			in.Registry = nil // settings do not depend on it
			st, err := r.loadInput(cmd.Context(), in)
			if err != nil {
				return err
			}
			settings, err := effectiveSettings(st, in)
			if err != nil {
				return err
			}
			return r.showSettings(settings, st.Errors)
		},
	}
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

// showSettings prints settings, and then the errors that kept the file's from
// being among them.
func (r *run) showSettings(settings []config.Setting, errors []model.Diagnostic) error {
	if !r.flags.json {
		r.print(report.Settings(settings))
		if len(errors) > 0 {
			return inputErrors(errors)
		}
		return nil
	}
	err := r.printJSON(object{{"settings", notNull(settings)}, {"errors", diagnosticsJSON(errors)}})
	if err == nil && len(errors) > 0 {
		err = errBad
	}
	return err
}
