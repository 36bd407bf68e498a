package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/model/words"
	"caliper/tui/workbench"
)

// maxSkipped bounds how many files of a folder are named that are not read.
const maxSkipped = 10

// SkippedYAML names the files in YAML of those paths that are folders that have no tools
// and are not read, each in a line that says what it is; the last line says how many more
// there are. It does not name the file that is read as something else.
func SkippedYAML(paths []string, elsewhere string) []string {
	var lines []string
	for _, path := range paths {
		names, _, err := namesIn(path, isYAMLName)
		if err == nil {
			lines = append(lines, skipped(path, slices.DeleteFunc(names, func(name string) bool { return filepath.Clean(elsewhere) == name }))...)
		}
	}
	return lines
}

// skippedBelow is SkippedYAML of a folder and of the folders in it.
func skippedBelow(folder string) []string {
	var names []string
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil, name == folder:
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.Type().IsRegular() && isYAMLName(entry.Name()):
			names = append(names, name)
		}
		return nil
	})
	return skipped(folder, names)
}

// isYAMLName reports whether a file of a folder is called YAML.
func isYAMLName(name string) bool {
	return RegistryFile(name) && slices.Contains(yamlSuffixes, strings.ToLower(filepath.Ext(name)))
}

// skipped returns the lines about those files of a folder that are YAML about something
// else than tools.
func skipped(folder string, names []string) []string {
	var lines []string
	more := 0
	for _, name := range names {
		switch f := readFile(name); {
		case !OtherYAML(f), describesTools(name):
		case len(lines) < maxSkipped:
			lines = append(lines, safetext.Line(name)+": skipped: "+whatYAML(f))
		default:
			more++
		}
	}
	if more > 0 {
		lines = append(lines, safetext.Line(folder)+": skipped: "+words.CountOf(more, "more file in YAML that holds no tools", "more files in YAML that hold no tools"))
	}
	return lines
}

// describesTools reports whether a file says in the catalogue of Docker how to run the
// server whose tools are in the file beside it, which is read.
func describesTools(name string) bool {
	if filepath.Base(name) != "server.yaml" {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(name), "tools.json"))
	return err == nil
}

// whatYAML says what a file is that OtherYAML holds for one without tools.
func whatYAML(f workbench.File) string {
	if len(f.Data) <= 1<<20 { // a larger one would take its time for one line
		_, err := shapes.Once(context.Background(), nil, model.Source{Name: f.Name, Data: f.Data})
		var d model.Diagnostic
		if errors.As(err, &d) && (d.Code == "client_config" || strings.HasPrefix(d.Message, shapes.Recognised)) {
			return d.Message
		}
	}
	return "YAML that holds no tools"
}
