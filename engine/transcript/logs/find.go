package logs

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/transcript"
)

// What stands for a file that is left out.
const (
	unreadable = transcript.Unreadable
	noLog      = transcript.NoLog
	wideText   = "UTF-16 text, which is to be saved as UTF-8"
)

// found are the files that may be logs, in the order in which they are read, and what
// is left out.
type found struct {
	files   []string
	seen    map[string]bool // by the path without links
	skipped []transcript.Skipped
}

// find returns the files of some paths. The error is ctx's, or about a path which
// cannot be looked at.
func find(ctx context.Context, paths []string) (*found, error) {
	f := &found{seen: map[string]bool{}}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			f.add(path, info.Mode())
			continue
		}
		if err := f.walk(ctx, path); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(f.files, inOrder)
	return f, nil
}

// walk adds the files of a folder. Links to folders are not followed, so that no loop
// of links is walked.
func (f *found) walk(ctx context.Context, folder string) error {
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			f.skip(path, unreadable)
			return nil
		case e.IsDir():
			if path != folder && slices.Contains(otherFolders, e.Name()) {
				return filepath.SkipDir
			}
			return nil
		case !named(e.Name()):
			return nil
		}
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				f.skip(path, unreadable)
				return nil
			}
			mode = info.Mode()
		}
		if !mode.IsDir() {
			f.add(path, mode)
		}
		return nil
	})
}

// otherFolders are the names of folders that hold much and no logs.
var otherFolders = []string{".git", "node_modules"}

// add adds a file once.
//
// SECURITY: opening a pipe or a device would wait for ever, or do what the device does.
func (f *found) add(path string, mode fs.FileMode) {
	if !mode.IsRegular() {
		f.skip(path, unreadable)
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.skip(path, unreadable)
		return
	}
	if !f.seen[real] {
		f.seen[real] = true
		f.files = append(f.files, path)
	}
}

// skip counts a file that is left out.
func (f *found) skip(path, what string) {
	f.skipped = append(f.skipped, transcript.Skipped{File: path, What: what, Count: 1})
}

// extensions are the extensions of logs and databases.
var extensions = []string{".jsonl", ".json", ".ndjson", ".log", ".db"}

// named reports whether a file in a folder is called as a log may be, also as a packed
// one. What Claude Code says beside the log of a helper is none.
func named(name string) bool {
	stem, _ := rotation(strings.TrimSuffix(name, ".zst"))
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(stem))) && !strings.HasSuffix(name, ".meta.json")
}

// rotation returns the name of a log that was rotated without its number, and the
// number: "a.jsonl.2" is the second of "a.jsonl". It is 0 for any other.
func rotation(name string) (stem string, number int) {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 0 {
			return name[:at], n
		}
	}
	return name, 0
}

// inOrder orders files by their paths; of a log that was rotated the oldest is first,
// which has the greatest number.
func inOrder(a, b string) int {
	stemA, numberA := rotation(a)
	stemB, numberB := rotation(b)
	return cmp.Or(cmp.Compare(stemA, stemB), cmp.Compare(numberB, numberA), cmp.Compare(a, b))
}
