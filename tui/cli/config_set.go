package cli

import (
	"errors"
	"strings"
	"syscall"

	"caliper/config"
	"caliper/config/diff"
	"caliper/config/edit"
	"caliper/model"
	"caliper/tui/atomicfile"
	"caliper/tui/report"

	"github.com/spf13/cobra"
)

// configSetCommand is `config set`: a surgical change of one setting in the
// config file.
func (r *run) configSetCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change one setting in the config file, and nothing else in it.",
		Example: `caliper config set tools.tool_search.threshold_pct 12 --config config.yaml
caliper config set tools.rag_core '[terminal, read_file]' --config config.yaml
caliper config set model.context_length null --config config.yaml --dry-run`,
		Long: "KEY is dotted, as config show has it; its end (meaning_weight) and the name on screen (meaning) do, too. Every " +
			"setting that is one value or a list of names can be set, the list in brackets with commas between, and null unsets the context length. Comments, order and layout stay as they are; a missing key is added in its place. " +
			"A value out of its range is refused. The file is replaced in one step; when somebody else changes it " +
			"meanwhile, the change is made to what they wrote. A file that has this value already is left alone, exit code 0.\n" +
			"JSON: {key, old, new, changed, diff}, old and new being effective values and diff the lines of a unified diff; " +
			"with --dry-run, changed says what would be.",
		Args: argumentCount(2, 2, "KEY and VALUE"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
			return r.completeSetting(cmd, args, prefix)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.flags.config == "" {
				return usageErrorf(cmd, "needs --config and the file to change; the demo is only in memory")
			}
			w, err := r.setInFile(dryRun, edit.Change{Key: config.KeyOf(args[0]), Value: givenValue(args[1])})
			var d model.Diagnostic
			switch {
			case errors.As(err, &d) && d.File == "": // about KEY or VALUE
				return usageErrorf(cmd, "%s", d.Error())
			case errors.As(err, &d):
				return inputErrors{d}
			case err != nil:
				return err
			}
			return r.showWrite(w, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show the change and leave the file alone")
	return cmd
}

// fileWrite is a change of settings in a file.
type fileWrite struct {
	key         string // the first that is changed
	before      any    // its effective values
	after       any
	old, new    []byte
	differences []diff.Line
}

// setInFile sets one setting or more in the config file.
func (r *run) setInFile(dryRun bool, changes ...edit.Change) (fileWrite, error) {
	key, name := changes[0].Key, r.flags.config
	w := fileWrite{key: key}
	var err error
	w.old, w.new, err = rewrite(name, dryRun, func(data []byte) ([]byte, error) {
		return edit.Set(name, data, changes)
	})
	if err != nil {
		return fileWrite{}, err
	}
	w.before, w.after = effectiveValue(w.old, key), effectiveValue(w.new, key)
	w.differences = diff.Lines(w.old, w.new)
	return w, nil
}

// givenValue returns the value that is written on a command line: names
// between brackets are a list of them, and the word null is no value.
func givenValue(text string) any {
	inner, opened := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, closed := strings.CutSuffix(inner, "]")
	switch {
	case text == "null":
		return nil
	case !opened || !closed:
		return text
	}
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
	return names
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
		old, new, err = atomicfile.Rewrite(name, 0, tracked)
	} else if old, err = atomicfile.Read(name); err == nil && old == nil {
		err = syscall.ENOENT
	} else if err == nil {
		new, err = tracked(old)
	}
	if err != nil && refused == nil {
		err = fileError(name, err)
	}
	return old, new, err
}

// effectiveValue returns the value of a setting by a file that can be parsed.
func effectiveValue(data []byte, key string) any {
	f, _ := config.Parse("", data)
	for _, s := range f.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return nil
}

// unified returns the lines of the unified diff of a file; empty when nothing changes.
func (w fileWrite) unified(name string) string {
	return strings.TrimSuffix(diff.Unified(name, name, w.differences), "\n")
}

// showWrite prints a change of the config file.
func (r *run) showWrite(w fileWrite, dryRun bool) error {
	name := r.flags.config
	unified := w.unified(name)
	if r.flags.json {
		lines := []string{}
		if unified != "" {
			lines = strings.Split(unified, "\n")
		}
		return r.printJSON(object{{"key", w.key}, {"old", w.before}, {"new", w.after}, {"changed", unified != ""}, {"diff", lines}})
	}
	r.print(report.SettingWritten(name, w.key, w.after, unified, dryRun))
	return nil
}
