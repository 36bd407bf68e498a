package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/lazy"
	"caliper/model/shapes"
	"caliper/tui/workbench"
)

// Which files of a folder have tools is told by their names, and of YAML, in which most
// is written about something else, by their content too. --registry, --base and the
// command import go by the same rule, import with tables of labelled queries besides.

// registrySuffixes are what the names of registry dumps in a folder end in.
var registrySuffixes = append([]string{".json", ".jsonc", ".jsonl", ".ndjson", ".txt"}, yamlSuffixes...)

// yamlSuffixes are what the names of files in YAML end in.
var yamlSuffixes = []string{".yaml", ".yml"}

// ErrNoDump is what is wrong with a registry folder without a dump.
var ErrNoDump = errors.New("no registry dump in this folder: looked for *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, and *.yaml with an API or tools")

// RegistryFile reports whether a file in a registry folder may be read, by its
// name: *.json, *.jsonc, *.jsonl, *.ndjson, *.txt, *.yaml and *.yml, but no hidden
// ones, which editors and orchestrators put beside what they write. OtherYAML tells
// which of those in YAML are not.
func RegistryFile(name string) bool {
	return !strings.HasPrefix(name, ".") && slices.Contains(registrySuffixes, strings.ToLower(filepath.Ext(name)))
}

// namesIn returns the files of a folder that a rule accepts by their names, in the order
// of these, and whether there are folders in it. What is neither a file nor a link to one is
// no file: a FIFO would be waited for without end.
func namesIn(folder string, accept func(name string) bool) (names []string, inner bool, err error) {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return nil, false, fileError(folder, err)
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

// OfFolders returns files as those of a registry: one that is not among the named ones is
// a file of a folder. Of these it leaves out YAML about something else, and a folder of
// nothing else is a file with ErrNoDump.
func OfFolders(files []workbench.File, named []string) []workbench.File {
	var kept []workbench.File
	read := map[string]bool{} // folders of which a file is read
	var passed []string       // folders of which one is left out
	for _, f := range files {
		if folder := filepath.Dir(f.Name); !slices.Contains(named, f.Name) {
			if OtherYAML(f) {
				passed = append(passed, folder)
				continue
			}
			read[folder] = true
			f.Toolset, f.InFolder = shapes.ToolsetName(f.Name), true
		}
		kept = append(kept, f)
	}
	for _, folder := range passed {
		if !read[folder] {
			read[folder] = true
			kept = append(kept, workbench.File{Name: folder, Err: ErrNoDump})
		}
	}
	return kept
}

// InnerFolders returns those of the named paths that are folders with folders in them of
// which a file may have tools: these files are not read.
func InnerFolders(paths []string) []string {
	var with []string
	for _, path := range paths {
		looked, holds := 0, false
		_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			looked++
			switch {
			case err != nil:
				return nil // what is in it stays unknown
			case looked > maxLooked:
				return fs.SkipAll
			case entry.IsDir():
				if name != path && strings.HasPrefix(entry.Name(), ".") {
					return fs.SkipDir
				}
			case filepath.Dir(name) != filepath.Clean(path) && name != path && entry.Type().IsRegular() && RegistryFile(entry.Name()):
				holds = true
				return fs.SkipAll
			}
			return nil
		})
		if holds {
			with = append(with, path)
		}
	}
	return with
}

// InnerUnread says of a folder that those in it are not read.
func InnerUnread(folder string) string {
	return folder + ": the folders in it are not read; caliper import --recursive makes a dump of them"
}

// maxLooked bounds how many entries of a folder and those in it are looked at.
const maxLooked = 2000

var (
	apiKey   = lazy.Regexp(`(?m)^["']?(openapi|swagger|swaggerVersion)["']?\s*:`)
	toolsKey = lazy.Regexp(`(?m)^(["']?(tools|toolsets|registry|functions|mcp_tools)["']?\s*:|- )`)
)

// OtherYAML reports whether a file of a folder is YAML about something else than tools:
// the configuration of an agent or of a client, a workflow, a recipe. It is false for a
// file that could not be read, and for invalid YAML with a key such as tools, so that
// what is wrong with them is reported.
func OtherYAML(f workbench.File) bool {
	name, data := f.Name, f.Data
	head := data[:min(len(data), 64<<10)]
	switch {
	case f.Err != nil:
		return false
	case !slices.Contains(yamlSuffixes, strings.ToLower(filepath.Ext(name))), bytes.HasPrefix(data, []byte("{")), apiKey().Match(head):
		return false
	case !toolsKey().Match(head):
		return true
	}
	_, err := shapes.Parse(context.Background(), model.Source{Name: name, Data: data})
	var d model.Diagnostic
	return errors.As(err, &d) && slices.Contains([]string{"unknown_format", "client_config"}, d.Code)
}
