package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"caliper/config"
	"caliper/model"
	"caliper/tui/cells"
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
		err = defaults.Override("model.context_length", *in.Flags.Context)
	}
	return defaults.Settings, err
}

// showSettings prints settings, and then the errors that kept the file's from
// being among them.
func (r *run) showSettings(settings []config.Setting, errors []model.Diagnostic) error {
	if !r.flags.json {
		r.settingsText(settings)
		if len(errors) > 0 {
			return inputErrors(errors)
		}
		return nil
	}
	err := r.printJSON(struct {
		Settings []config.Setting `json:"settings"`
		Errors   []diagnosticJSON `json:"errors"`
	}{append([]config.Setting{}, settings...), diagnosticsJSON(errors)})
	if err == nil && len(errors) > 0 {
		err = errBad
	}
	return err
}

// settingsText prints settings for a person.
func (r *run) settingsText(settings []config.Setting) {
	p := r.page()
	t := table{columns: []column{{title: "setting"}, {title: "value"}, {title: "origin"}}}
	for _, s := range settings {
		setting := row{cells: []string{model.Sanitize(s.Key), settingValue(s.Value), settingOrigin(s)}}
		if s.Note != "" {
			setting.below = func() { p.paragraph(6, settingNote(s)) }
		}
		t.rows = append(t.rows, setting)
	}
	t.print(p)
}

// maxSettingValue is the longest value in cells that text shows. JSON has all
// of it.
const maxSettingValue = 48

// settingValue returns a value as it would be written in one line of YAML.
func settingValue(value any) string {
	if text, ok := value.(string); ok {
		return shortened(model.Sanitize(text))
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	if list, ok := value.([]string); ok && len(list) > 4 {
		return counted(len(list), "name")
	}
	return shortened(model.Sanitize(string(raw)))
}

// shortened returns text that is safe, cut to maxSettingValue.
func shortened(s string) string { return cells.Truncate(s, maxSettingValue) }

// settingOrigin returns where a value comes from.
func settingOrigin(s config.Setting) string {
	if s.Origin == config.OriginFile && s.Line > 0 {
		return fmt.Sprintf("%s:%d", model.Sanitize(s.File), s.Line)
	}
	return s.Origin
}

// settingNote returns what is odd about a setting.
func settingNote(s config.Setting) string {
	note := model.Sanitize(s.Note)
	if given := model.Sanitize(s.Given); !strings.Contains(note, given) {
		note = "given " + given + ": " + note
	}
	if s.Origin != config.OriginFile && s.Line > 0 {
		note = fmt.Sprintf("%s:%d: %s", model.Sanitize(s.File), s.Line, note)
	}
	return note
}
