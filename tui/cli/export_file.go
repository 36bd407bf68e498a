package cli

import (
	"os"
	"path/filepath"

	"caliper/tui/atomicfile"

	"github.com/google/renameio/v2"
)

// writeFile makes a file or replaces the content of one, in one step. What is
// no regular file, as a pipe or /dev/stdout, is written to.
func writeFile(name string, data []byte) error {
	if err := putFile(name, data); err != nil {
		return inputError(name, innermost(err).Error())
	}
	return nil
}

func putFile(name string, data []byte) error {
	info, err := os.Stat(name)
	switch {
	case os.IsNotExist(err):
		return renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)))
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(name, data, 0)
	}
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return atomicfile.Replace(name, old, data)
}
