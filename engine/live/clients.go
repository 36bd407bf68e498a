package live

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
)

// ClientFile is a configuration that was found.
type ClientFile struct {
	Path    string
	Project bool // it belongs to the working folder, so that whoever wrote that folder may have written it
	Config
	scope   string // the folder for which it is known which of its servers Claude Code has; "" for none
	Problem string // why it cannot be used; "" when it can
}

// FindClients reads the configurations at the places in their order. When ctx ends it returns
// those found so far, without waiting for a file system that does not answer.
func FindClients(ctx context.Context, p ClientPlaces) []ClientFile {
	found := make(chan ClientFile)
	go func() {
		defer close(found)
		findClients(p, func(f ClientFile) bool {
			select {
			case found <- f:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	var files []ClientFile
	for {
		select {
		case f, more := <-found:
			if !more {
				settleClients(files)
				return slices.DeleteFunc(files, func(f ClientFile) bool { return f.Problem == "" && len(f.Config.Servers) == 0 })
			}
			files = append(files, f)
		case <-ctx.Done():
			return files
		}
	}
}

// findClients calls yield with each file that it finds, until that returns false.
func findClients(p ClientPlaces, yield func(ClientFile) bool) {
	work := ClientPlaces{Work: p.Work}.paths()
	var seen []fs.FileInfo
	var rules rulebook
	for i, path := range p.paths() {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		// No stranger writes into the user's home or above it.
		folder := filepath.Dir(path)
		aboveHome := p.Home != "" && (folder == p.Home || slices.Contains(above(p.Home), folder))
		f := ClientFile{Path: path, Project: i < len(work) && !aboveHome}
		if err == nil {
			if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
				continue
			}
			seen = append(seen, info)
			f.Config, err = readClient(path)
		}
		if errors.Is(err, ErrNoServers) || err == nil && len(f.Config.Servers) == 0 {
			continue
		}
		if err != nil {
			f.Problem = strings.TrimSpace(strings.TrimPrefix(err.Error(), path+":"))
			if of, ok := errors.AsType[*fs.PathError](err); ok {
				f.Problem = of.Err.Error()
			}
		}
		p.heed(&f, &rules)
		if !yield(f) {
			return
		}
	}
}

// settleClients decides which servers are on where several files are about them: Claude Code's by
// rank, OpenCode's by switches, which are then no servers.
func settleClients(files []ClientFile) {
	// When servers of Claude Code share a name in one folder, only the best one is on.
	type place struct{ file, server int }
	best := map[[2]string]place{}
	rank := func(at place) int {
		f := files[at.file]
		switch {
		case f.Config.Servers[at.server].Project != "":
			return 1 << 30
		case filepath.Base(f.Path) == mcpJSON:
			return len(f.Path) // of the folders above one the nearest has the longest path
		}
		return 0
	}
	for i, f := range files {
		for j, s := range f.Config.Servers {
			if f.scope == "" || !s.Enabled {
				continue
			}
			at, key := place{i, j}, [2]string{f.scope, s.EntryName()}
			other, taken := best[key]
			if taken && rank(other) >= rank(at) {
				at, other = other, at
			}
			best[key] = at
			if taken {
				loser := &files[other.file].Config.Servers[other.server]
				loser.Enabled, loser.Off = false, "replaced by that of "+files[at.file].Path
			}
		}
	}
	for i, by := range files {
		files[i].Config.Servers = slices.DeleteFunc(by.Config.Servers, func(s Server) bool {
			found := false
			for _, f := range files {
				for j := range f.Config.Servers {
					o := &f.Config.Servers[j]
					if !s.Switch || o.Switch || f.Client != by.Client || o.Name != s.Name {
						continue
					}
					found, o.Enabled, o.Off, o.OffBy = true, s.Enabled, "", Setting{}
					if !s.Enabled {
						o.Off, o.OffBy = "switched off by "+by.Path, Setting{Key: s.At + ".enabled", File: by.Path}
					}
				}
			}
			return found
		})
	}
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = fmt.Errorf("larger than the %d MB that a client's configuration can have", MaxConfig>>20)
)

// readClient reads and parses a configuration.
func readClient(path string) (Config, error) {
	data, err := ReadClientBytes(path)
	if err != nil {
		return Config{}, err
	}
	return ParseClientConfig(path, data)
}

// ReadClientBytes reads a file.
//
// SECURITY: a pipe or a device is never opened, because reading one may wait for
// ever, and never more is read than a configuration can have.
func ReadClientBytes(path string) ([]byte, error) {
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
	data, err := io.ReadAll(io.LimitReader(file, MaxConfig+1))
	if err == nil && len(data) > MaxConfig {
		err = errTooLarge
	}
	return data, err
}
