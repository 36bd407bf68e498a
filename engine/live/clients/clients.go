// Package clients finds the configurations of MCP clients and agents on a
// machine: which files there are, and which servers they name.
//
// Goals: nothing but reading, of a fixed list of paths; no folder is listed and no
// server is started; a file of any content and kind (huge, broken, a pipe, a link
// to itself) costs a bounded time and makes no more than its own row unusable; the
// same files give the same answer in the same order.
//
// Non-goals: understanding the files, which live.ParseClientConfig does, and the
// environment: the folders are handed in.
//
// Invariants:
//   - a file is listed once, whatever paths lead to it;
//   - a file without a section of servers is not listed: nothing can be opened
//     from it;
//   - a file that exists and cannot be used is listed with a Problem, which
//     repeats no value of it.
package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"caliper/engine/live"
)

// File is a configuration that was found.
type File struct {
	Path    string
	Project bool // it belongs to the working folder, so that whoever wrote that folder may have written it
	live.Config
	scope   string // the folder for which it is known which of its servers Claude Code has; "" for none
	Problem string // why it cannot be used; "" when it can
}

// Servers returns how many servers the files name.
func Servers(files []File) int {
	n := 0
	for _, f := range files {
		n += len(f.Config.Servers)
	}
	return n
}

// Find reads the configurations at the places, in the order of the places. When
// ctx ends it returns what was found until then, without waiting for a file system
// that does not answer.
func Find(ctx context.Context, p Places) []File {
	found := make(chan File)
	go func() {
		defer close(found)
		find(p, func(f File) bool {
			select {
			case found <- f:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	var files []File
	for {
		select {
		case f, more := <-found:
			if !more {
				settle(files)
				return slices.DeleteFunc(files, func(f File) bool { return f.Problem == "" && len(f.Config.Servers) == 0 })
			}
			files = append(files, f)
		case <-ctx.Done():
			return files
		}
	}
}

// find calls yield with each file that it finds, until that returns false.
func find(p Places, yield func(File) bool) {
	work := Places{Work: p.Work}.paths()
	var seen []fs.FileInfo
	var rules rulebook
	for i, path := range p.paths() {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		f := File{Path: path, Project: i < len(work) && !p.aboveHome(filepath.Dir(path))}
		if err == nil {
			if sameAsOne(info, seen) {
				continue
			}
			seen = append(seen, info)
			f.Config, err = read(path)
		}
		if errors.Is(err, live.ErrNoServers) || err == nil && len(f.Config.Servers) == 0 {
			continue
		}
		if err != nil {
			f.Problem = problem(path, err)
		}
		p.heed(&f, &rules)
		if !yield(f) {
			return
		}
	}
}

// settle decides which servers are on of those that several files are about: those of Claude
// Code, and those of OpenCode that another file switches, whose switch is then no server of
// its own.
func settle(files []File) {
	replace(files)
	for i := range files {
		own := &files[i].Config
		own.Servers = slices.DeleteFunc(own.Servers, func(s live.Server) bool {
			return s.Switch && switched(s, files[i], files)
		})
	}
}

// switched switches the server of the name of s in the other files of OpenCode, and reports
// whether there is one.
func switched(s live.Server, by File, files []File) bool {
	any := false
	for _, f := range files {
		for j := range f.Config.Servers {
			if o := &f.Config.Servers[j]; f.Client == by.Client && o.Name == s.Name && !o.Switch {
				any, o.Enabled, o.Off = true, s.Enabled, ""
				if !s.Enabled {
					o.Off = "switched off by " + by.Path
				}
			}
		}
	}
	return any
}

// sameAsOne reports whether a file is one of those that were seen.
func sameAsOne(info fs.FileInfo, seen []fs.FileInfo) bool {
	for _, other := range seen {
		if os.SameFile(info, other) {
			return true
		}
	}
	return false
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = fmt.Errorf("larger than the %d MB that a client's configuration can have", live.MaxConfig>>20)
)

// read reads and parses a configuration.
func read(path string) (live.Config, error) {
	data, err := readBytes(path)
	if err != nil {
		return live.Config{}, err
	}
	return live.ParseClientConfig(path, data)
}

// readBytes reads a file.
//
// SECURITY: a pipe or a device is never opened, because reading one may wait for
// ever, and never more is read than a configuration can have.
func readBytes(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, live.MaxConfig+1))
	if err == nil && len(data) > live.MaxConfig {
		err = errTooLarge
	}
	return data, err
}

// problem returns why the file at path cannot be used, without the path.
func problem(path string, err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return strings.TrimSpace(strings.TrimPrefix(err.Error(), path+":"))
}
