package cli

import (
	"context"
	"errors"
	"strings"
	"syscall"

	"caliper/config"
	"caliper/model"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/report/changes"
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
		settings := st.Config.Settings
		if in.Config != nil && in.Config.Err != nil { // it cannot even be read: the defaults with the flags on top
			var defaults config.File
			if defaults, err = config.Parse("", nil); err == nil && in.Flags.Context != nil {
				err = defaults.Override(config.KeyContext, *in.Flags.Context)
			}
			settings = defaults.Settings
		}
		return &runner.Outcome{
			Value: runner.Object{{"settings", runner.NotNull(settings)}, {"errors", runner.DiagnosticsJSON(st.Errors)}},
			Page:  report.Settings(settings),
			Wrong: st.Errors, // they kept the file's settings from being among these
		}, err
	}}
}

// configSetRow is `config set`: a surgical change of one setting in the
// config file.
func (r *run) configSetRow() runner.Row {
	var dryRun bool
	return runner.Row{
		Args:     runner.ArgumentCount(2, 2, "KEY and VALUE"),
		Complete: r.completeSetting,
		Flags:    func(f runner.FlagSet) { f.On(&dryRun, "dry-run", "show the change and leave the file alone") },
		Run: func(_ context.Context, args []string) (*runner.Outcome, error) {
			name := r.Flags.Config
			if name == "" {
				return nil, runner.Usagef("needs --config and the file to change; the demo is only in memory")
			}
			key, value := config.KeyOf(args[0]), any(args[1])
			inner, opened := strings.CutPrefix(strings.TrimSpace(args[1]), "[")
			inner, closed := strings.CutSuffix(inner, "]")
			switch {
			case args[1] == "null": // no value
				value = nil
			case opened && closed: // a list of names
				names := []string{}
				for name := range strings.SplitSeq(inner, ",") {
					name = strings.TrimSpace(name)
					if n := len(name); n > 1 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
						name = name[1 : n-1]
					}
					names = append(names, name)
				}
				if strings.TrimSpace(inner) == "" {
					names = names[:0]
				}
				value = names
			}
			unified, before, after, err := r.setInFile(dryRun, config.Change{Key: key, Value: value})
			if d := (model.Diagnostic{}); errors.As(err, &d) && d.File == "" { // about KEY or VALUE
				return nil, runner.Usagef("%s", d.Error())
			}
			if err != nil {
				return nil, runner.AsInputError(err)
			}
			lines := []string{}
			if unified != "" {
				lines = strings.Split(unified, "\n")
			}
			return &runner.Outcome{
				Value: runner.Object{{"key", key}, {"old", before}, {"new", after}, {"changed", unified != ""}, {"diff", lines}},
				Page:  changes.SettingWritten(name, key, after, unified, dryRun),
			}, nil
		},
	}
}

// setInFile sets one setting or more in the config file. It returns the unified diff of the
// file, which is empty when nothing changes, and the effective values of the first setting.
func (r *run) setInFile(dryRun bool, changes ...config.Change) (unified string, before, after any, err error) {
	name := r.Flags.Config
	old, new, err := rewrite(name, dryRun, func(data []byte) ([]byte, error) {
		return config.Set(name, data, changes)
	})
	if err != nil {
		return "", nil, nil, err
	}
	effective := func(data []byte) any {
		f, _ := config.Parse("", data) // which can be parsed
		for _, s := range f.Settings {
			if s.Key == changes[0].Key {
				return s.Value
			}
		}
		return nil
	}
	return strings.TrimSuffix(config.Unified(name, name, config.Diff(old, new)), "\n"), effective(old), effective(new), nil
}

// rewrite changes the content of a file that must be there, and returns what it
// was and what it is, or would be after a dry run. When another process changes the
// file between the read and the write, the change is made again.
func rewrite(name string, dryRun bool, change func([]byte) ([]byte, error)) (old, new []byte, err error) {
	var refused error
	tracked := func(data []byte) (changed []byte, err error) {
		changed, refused = change(data)
		return changed, refused
	}
	if !dryRun {
		old, new, err = workbench.RewriteFile(name, 0, tracked)
	} else if old, err = workbench.ReadFile(name); err == nil && old == nil {
		err = syscall.ENOENT
	} else if err == nil {
		new, err = tracked(old)
	}
	if err != nil && refused == nil {
		err = runner.FileError(name, err)
	}
	return old, new, err
}
