package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/skills"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
	"caliper/model/words"
	"caliper/watch"
)

// registrySuffixes are the ends of the names of registry dumps in a folder.
var registrySuffixes = append([]string{".json", ".jsonc", ".jsonl", ".ndjson", ".txt"}, yamlSuffixes...)

var yamlSuffixes = []string{".yaml", ".yml"}

// ErrNoDump is the error of a registry folder without a dump.
var ErrNoDump = errors.New("no registry dump in this folder: looked for *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, *.yaml with an API or tools, and folders with SKILL.md")

// RegistryFile reports whether a file in a registry folder may be read, by its
// name: *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, *.yaml and *.yml, but no hidden
// ones, which editors and orchestrators put beside what they write. OtherYAML decides
// about YAML by its content.
func RegistryFile(name string) bool {
	return !strings.HasPrefix(name, ".") && slices.Contains(registrySuffixes, strings.ToLower(filepath.Ext(name)))
}

// IsYAML reports whether a file is called YAML.
func IsYAML(name string) bool {
	return slices.Contains(yamlSuffixes, strings.ToLower(filepath.Ext(name)))
}

// WatchRegistry watches the files and folders of a registry. A state that is not whole JSON is
// doubtful; see watch.Watch. OfFolders makes registry files of what it reports.
func WatchRegistry(ctx context.Context, paths []string, o watch.Options) *watch.Watcher {
	o.Match, o.Inside = func(name string) bool { return name == skills.File || RegistryFile(name) }, skills.File
	o.Valid = func(path string, data []byte) bool { return IsSkill(path) || jsontree.Whole(data) }
	return watch.Watch(ctx, paths, o)
}

// IsSkill reports whether a file of a registry is a skill and no dump.
func IsSkill(path string) bool { return filepath.Base(path) == skills.File }

// ShortName returns the name of a file without its folder; of a skill with the one in which it
// stands, because all have one name.
func ShortName(path string) string {
	if IsSkill(path) {
		return filepath.Join(filepath.Base(filepath.Dir(path)), skills.File)
	}
	return filepath.Base(path)
}

// WatchConfig watches a config file. A state that cannot be parsed is doubtful.
func WatchConfig(ctx context.Context, path string, o watch.Options) *watch.Watcher {
	o.FilesOnly = true
	o.Valid = func(path string, data []byte) bool { _, err := config.Parse(path, data); return err == nil }
	return watch.Watch(ctx, []string{path}, o)
}

// ReadRegistry reads a registry dump or a skill, or all of a folder: its dumps, its own SKILL.md,
// and those of the folders in it. The error is a model.Diagnostic
// about a folder that cannot be read or has no dump; the fault of a file is in the file.
func ReadRegistry(path string) ([]watch.File, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []watch.File{watch.Read(path)}, nil // which names its fault
	}
	files, folders, err := ReadFolder(path, RegistryFile)
	if err != nil {
		return nil, err
	}
	names := []string{filepath.Join(path, skills.File)}
	entries, _ := os.ReadDir(path) // sorted by name
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !e.Type().IsRegular() {
			names = append(names, filepath.Join(path, e.Name(), skills.File))
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			f := watch.File{Name: name, InFolder: true, Err: errLargeSkill}
			if info.Size() <= skills.MaxSize { // SECURITY: a device, whose size is 0, is refused by peek
				f.Data, f.Err = ReadFile(name)
			}
			files = append(files, f)
		}
	}
	switch {
	case files == nil && folders:
		err = errors.New(ErrNoDump.Error() + "; caliper import --recursive makes a dump of the folders in it")
	case files == nil:
		err = ErrNoDump
	default:
		return files, nil
	}
	return nil, *unreadable(watch.File{Name: path, Err: err})
}

var errLargeSkill = fmt.Errorf("larger than the %d MB that a skill has at most", skills.MaxSize>>20)

// ReadFolder returns the files of a folder that a rule accepts by their names, without YAML
// about something else, nil for none, and whether there are folders in it and no such names.
func ReadFolder(path string, accept func(name string) bool) (files []watch.File, folders bool, err error) {
	names, inner, err := NamesIn(path, accept)
	if err != nil {
		return nil, false, *unreadable(watch.File{Name: path, Err: err})
	}
	for _, name := range names {
		if f := watch.Read(name); !OtherYAML(f) {
			f.InFolder = true
			files = append(files, f)
		}
	}
	return files, inner && len(names) == 0, nil
}

// NamesIn returns the paths of the files of a folder that a rule accepts by their names, sorted,
// and whether there are folders in it. An entry that is neither a file nor a link to one is left
// out: a FIFO would be waited for without end.
func NamesIn(folder string, accept func(name string) bool) (names []string, inner bool, err error) {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		info, err := os.Stat(name)
		inner = inner || err == nil && info.IsDir() && !strings.HasPrefix(e.Name(), ".")
		if accept(e.Name()) && (err != nil || info.Mode().IsRegular()) {
			names = append(names, name)
		}
	}
	return names, inner, nil
}

// OfFolders returns watched files as ReadRegistry reads them: without YAML about something
// else, and with ErrNoDump for a folder that has nothing else or is empty.
func OfFolders(files []watch.File) []watch.File {
	var out []watch.File
	read := map[string]bool{} // folders with a file that is read
	var without []string      // folders with a file that is left out
	for _, f := range files {
		folder := filepath.Dir(f.Name)
		switch {
		case f.InFolder && OtherYAML(f):
			without = append(without, folder)
			continue
		case f.InFolder:
			read[folder] = true
			if IsSkill(f.Name) {
				read[filepath.Dir(folder)] = true
			}
		case errors.Is(f.Err, watch.ErrNoFiles):
			f.Err = ErrNoDump
		}
		out = append(out, f)
	}
	for _, folder := range without {
		if !read[folder] {
			read[folder] = true
			out = append(out, watch.File{Name: folder, Err: ErrNoDump})
		}
	}
	return out
}

var (
	apiKey   = words.LazyRegexp(`(?m)^["']?(openapi|swagger|swaggerVersion)["']?\s*:`)
	toolsKey = words.LazyRegexp(`(?m)^(["']?(tools|toolsets|registry|functions|mcp_tools)["']?\s*:|- )`)
)

// OtherYAML reports whether a file of a folder is YAML about something else than tools:
// the configuration of an agent or of a client, a workflow, a recipe. It is false for a
// file that could not be read, and for invalid YAML with a key such as tools, so that
// their faults are reported.
func OtherYAML(f watch.File) bool {
	name, data := f.Name, f.Data
	head := data[:min(len(data), 64<<10)]
	switch {
	case f.Err != nil:
		return false
	case !IsYAML(name), bytes.HasPrefix(data, []byte("{")), apiKey().Match(head):
		return false
	case !toolsKey().Match(head):
		return true
	}
	_, err := shapes.Parse(context.Background(), model.Source{Name: name, Data: data})
	var d model.Diagnostic
	return errors.As(err, &d) && slices.Contains([]string{"unknown_format", "client_config"}, d.Code)
}
