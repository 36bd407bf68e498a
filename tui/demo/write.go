package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// Write puts the files of the demo into dir, which must exist, and returns
// their paths, each dir joined with a file name. A file of the same name is
// replaced, which starts the demo afresh. Each file appears whole or not at
// all; when one cannot be written, those before it stay.
func Write(dir string) (Paths, error) {
	p := In(dir)
	for _, f := range []struct{ path, text string }{
		{p.Queries, queries},
		{p.Config, config},
	} {
		if err := replace(f.path, f.text); err != nil {
			return Paths{}, fmt.Errorf("writing the demo: %w", err)
		}
	}
	for i, name := range ResultFiles {
		if err := replace(p.Results[i], string(Result(name))); err != nil {
			return Paths{}, fmt.Errorf("writing the demo: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, SessionsFolder), 0o755); err != nil {
		return Paths{}, fmt.Errorf("writing the demo: %w", err)
	}
	for i, name := range SessionFiles {
		if err := replace(p.Sessions[i], string(Session(name))); err != nil {
			return Paths{}, fmt.Errorf("writing the demo: %w", err)
		}
	}
	// The registry comes last: whoever waits for it finds the others there.
	if err := replace(p.Registry, registry); err != nil {
		return Paths{}, fmt.Errorf("writing the demo: %w", err)
	}
	return p, nil
}

// replace writes text to a new file beside path and renames it to path, so
// that a watcher never reads half of it. It does not wait for the disk: a demo
// lost with the machine is written again.
func replace(path, text string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		// After a failed rename the file is closed already.
		if e := f.Close(); !errors.Is(e, fs.ErrClosed) {
			err = errors.Join(err, e)
		}
		err = errors.Join(err, os.Remove(f.Name()))
	}()
	if _, err = f.WriteString(text); err != nil {
		return err
	}
	// CreateTemp makes files that only their owner can read; these are no secret.
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
