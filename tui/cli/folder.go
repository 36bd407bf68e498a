package cli

import (
	"bytes"
	"context"
	"errors"
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

var (
	apiKey   = lazy.Regexp(`(?m)^["']?(openapi|swagger)["']?\s*:`)
	toolsKey = lazy.Regexp(`(?m)^(["']?(tools|toolsets|registry|functions)["']?\s*:|- )`)
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
