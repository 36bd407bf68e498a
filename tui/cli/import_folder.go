package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"caliper/tui/workbench"
	"caliper/watch"
)

// filesOf returns what a path leads to: a file, the files of a folder, or with
// --recursive those of the folders in it too.
func (i *importing) filesOf(path string) ([]watch.File, error) {
	info, err := os.Stat(path)
	switch {
	case i.recursive:
		return deepFiles(path)
	case err == nil && info.IsDir():
		return folderFiles(path)
	}
	return []watch.File{watch.Read(path)}, nil // which names what is wrong with it
}

// nameSkipped names the files in YAML of a folder that are not read, because they are
// about something else than tools.
func (i *importing) nameSkipped(folder string) {
	lines := skippedYAML([]string{folder}, i.run.flags.config)
	if i.recursive {
		lines = skippedBelow(folder)
	}
	for _, line := range lines {
		i.tell(line)
	}
}

// lookedFor says which files of a folder import reads.
const lookedFor = "looked for *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, *.csv, and *.yaml with an API or tools"

// folderFiles returns the files of a folder that import reads, in the order of their
// names.
func folderFiles(path string) ([]watch.File, error) {
	files, folders, err := workbench.ReadFolder(path, importFile)
	switch {
	case err != nil:
		return nil, asInputError(err)
	case files == nil && folders:
		return nil, inputError(path, "no file of tools in this folder, but folders: --recursive reads those in it too; "+lookedFor)
	case files == nil:
		return nil, inputError(path, "no file of tools in this folder: "+lookedFor)
	}
	return files, nil
}

// deepFiles returns the files of a folder and of the folders in it that import reads.
func deepFiles(path string) ([]watch.File, error) {
	var files []watch.File
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			files = append(files, watch.File{Name: name, Err: err})
			return nil
		case entry.IsDir():
			if name != path && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case name == path:
			files = append(files, watch.Read(name))
			return nil
		case !entry.Type().IsRegular() || !importFile(entry.Name()):
			return nil
		}
		f := watch.Read(name)
		if workbench.OtherYAML(f) {
			return nil
		}
		f.InFolder = true
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fileError(path, err)
	}
	if len(files) == 0 {
		return nil, inputError(path, "no file of tools in this folder and those in it: "+lookedFor)
	}
	return files, nil
}

// importFile reports whether a file of a folder is read, by its name: those of registry
// dumps, and tables of labelled queries.
func importFile(name string) bool {
	return workbench.RegistryFile(name) || !strings.HasPrefix(name, ".") && strings.ToLower(filepath.Ext(name)) == ".csv"
}
