package workbench

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
	"caliper/watch"
)

// maxLooked bounds how many entries of a folder and those in it InnerUnread looks at.
const maxLooked = 2000

// maxSkipped bounds how many files of a folder are named that are not read.
const maxSkipped = 10

// walkBelow calls a function for a path and each entry below it, but for hidden folders and
// their content.
func walkBelow(path string, do func(name string, entry fs.DirEntry, err error) error) error {
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name != path && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return do(name, entry, err)
	})
}

// ReadBelow returns the files of a folder and of the folders in it that a rule accepts by
// their names, without YAML about something else.
func ReadBelow(path string, accept func(name string) bool) (files []watch.File, err error) {
	err = walkBelow(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			files = append(files, watch.File{Name: name, Err: err})
		case entry.IsDir():
		case name == path:
			files = append(files, watch.Read(name))
		case entry.Type().IsRegular() && accept(entry.Name()):
			if f := watch.Read(name); !OtherYAML(f) {
				f.InFolder = true
				files = append(files, f)
			}
		}
		return nil
	})
	return files, err
}

// InnerUnread returns a line for each of the named paths that is a folder with folders in
// it, where a file may have tools: that these inner folders are not read.
func InnerUnread(paths []string) (lines []string) {
	for _, path := range paths {
		looked, holds := 0, false
		_ = walkBelow(path, func(name string, entry fs.DirEntry, err error) error {
			looked++
			switch {
			case err != nil: // its content stays unknown
			case looked > maxLooked:
				return fs.SkipAll
			case filepath.Dir(name) != filepath.Clean(path) && name != path && entry.Type().IsRegular() && RegistryFile(entry.Name()):
				holds = true
				return fs.SkipAll
			}
			return nil
		})
		if holds {
			lines = append(lines, path+": the folders in it are not read; caliper import --recursive makes a dump of them")
		}
	}
	return lines
}

// SkippedYAML names the files in YAML, of paths that are folders, that have no tools
// and are not read, each in a line with its kind; the last line tells how many more
// there are. It does not name the file that is read as something else.
func SkippedYAML(paths []string, elsewhere string) []string {
	var lines []string
	for _, path := range paths {
		names, _, err := NamesIn(path, isYAMLName)
		if err == nil {
			lines = append(lines, skipped(path, slices.DeleteFunc(names, func(name string) bool { return filepath.Clean(elsewhere) == name }))...)
		}
	}
	return lines
}

// SkippedBelow is SkippedYAML of a folder and of the folders in it.
func SkippedBelow(folder string) []string {
	var names []string
	_ = walkBelow(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name != folder && entry.Type().IsRegular() && isYAMLName(entry.Name()) {
			names = append(names, name)
		}
		return nil
	})
	return skipped(folder, names)
}

// isYAMLName reports whether a file of a folder is called YAML.
func isYAMLName(name string) bool {
	return RegistryFile(name) && IsYAML(name)
}

// skipped returns the lines about those files of a folder that are YAML about something
// else than tools.
func skipped(folder string, names []string) []string {
	var lines []string
	more := 0
	for _, name := range names {
		f := watch.Read(name)
		if !OtherYAML(f) {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(name), "tools.json")); err == nil && filepath.Base(name) == "server.yaml" {
			continue // in the catalogue of Docker it says how to run the server of the tools beside it
		}
		if len(lines) == maxSkipped {
			more++
			continue
		}
		what := "YAML that holds no tools"
		if len(f.Data) <= 1<<20 { // a larger one would take its time for one line
			_, err := shapes.Parse(context.Background(), model.Source{Name: f.Name, Data: f.Data})
			var d model.Diagnostic
			if errors.As(err, &d) && (d.Code == "client_config" || strings.HasPrefix(d.Message, shapes.Recognised)) {
				what = d.Message
			}
		}
		lines = append(lines, safetext.Line(name)+": skipped: "+what)
	}
	if more > 0 {
		lines = append(lines, safetext.Line(folder)+": skipped: "+words.CountOf(more, "more file in YAML that holds no tools", "more files in YAML that hold no tools"))
	}
	return lines
}
