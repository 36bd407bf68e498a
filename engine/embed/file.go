package embed

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"caliper/model/newfile"
)

// load returns the content of the index file at path, or why there is none to
// use: fs.ErrNotExist when there is no file.
func load(path string, origin []byte, dimension int) (*table, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	t, err := decode(data, origin, dimension)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// read returns the bytes of a regular file of at most maxFile bytes.
func read(path string) ([]byte, error) {
	// SECURITY: looked at before it is opened, since opening a pipe waits for a
	// writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: %d bytes, more than %d", path, info.Size(), maxFile)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// save writes the index file atomically: a reader of path finds the old bytes or
// all the new ones, at any moment and after a crash. When several processes write,
// the last one wins. save creates a missing folder. Only the user may read
// the file and the folder, because descriptions of tools can be confidential and
// vectors reveal some of them.
func save(path string, data []byte) error {
	if len(data) > maxFile {
		return fmt.Errorf("%s: %d bytes, more than %d", path, len(data), maxFile)
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// The folder is not synced: a crash of the machine may bring the old index
	// back, which is a sound one.
	return newfile.Write(path, data, 0o600)
}
