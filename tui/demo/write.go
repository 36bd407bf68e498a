package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"caliper/watch"
)

// Paths says where Write has put the files.
type Paths struct {
	Registry string
	Config   string
	Queries  string
	Results  []string // in the order of ResultFiles
	Sessions []string // in the order of SessionFiles
}

// In returns the paths that the files have in dir.
func In(dir string) Paths {
	p := Paths{
		Registry: filepath.Join(dir, RegistryFile),
		Config:   filepath.Join(dir, ConfigFile),
		Queries:  filepath.Join(dir, QueriesFile),
	}
	for _, name := range ResultFiles {
		p.Results = append(p.Results, filepath.Join(dir, name))
	}
	for _, name := range SessionFiles {
		p.Sessions = append(p.Sessions, filepath.Join(dir, SessionsFolder, name))
	}
	return p
}

// Files returns the files that the demo has in dir. The registry comes last: whoever waits
// for it finds the others there.
func Files(dir string) []watch.File {
	p := In(dir)
	files := []watch.File{{Name: p.Queries, Data: Queries()}, {Name: p.Config, Data: Config()}}
	for i, name := range ResultFiles {
		files = append(files, watch.File{Name: p.Results[i], Data: Result(name)})
	}
	for i, name := range SessionFiles {
		files = append(files, watch.File{Name: p.Sessions[i], Data: Session(name)})
	}
	return append(files, watch.File{Name: p.Registry, Data: Registry()})
}

// Write puts the files of the demo into dir, which must exist, and returns their paths. A
// file of the same name is replaced, which starts the demo afresh. When one cannot be
// written, those before it stay.
func Write(dir string) (Paths, error) {
	if err := os.Mkdir(filepath.Join(dir, SessionsFolder), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return Paths{}, fmt.Errorf("writing the demo: %w", err)
	}
	for _, f := range Files(dir) {
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			return Paths{}, fmt.Errorf("writing the demo: %w", err)
		}
	}
	return In(dir), nil
}
