package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many symbolic links of one way are followed step by step. The end of a longer
// way is still found, and the links in its middle are left to the tick.
const maxLinks = 8

// directories returns, sorted and each once, the directories in which an entry would have to
// change for the content of roots to change: those that hold the files, and those that hold a
// symbolic link on the way to them. All are free of links themselves. What does not exist is
// represented by its nearest ancestor that does, where it would appear.
func directories(roots []root, match func(string) bool) []string {
	var dirs []string
	for _, r := range roots {
		var folder bool
		if dirs, folder = way(dirs, r.real); !folder {
			continue
		}
		entries, err := list(r.real, match)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type()&fs.ModeSymlink != 0 {
				dirs, _ = way(dirs, r.child(e.Name()).real)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// way appends the directories on the way to path and reports whether it ends in a directory, which
// then is among them. It resolves the path as the system does, element by element: cur is always
// the real directory reached so far, todo what is left to walk.
func way(dirs []string, path string) (_ []string, folder bool) {
	cur, todo := split(path)
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			cur = filepath.Join(cur, "..")
			continue
		}
		next := filepath.Join(cur, name)
		info, err := os.Lstat(next)
		switch {
		case err != nil: // it would appear here
			return append(dirs, cur), false
		case info.Mode()&fs.ModeSymlink != 0:
			dirs = append(dirs, cur)
			if links++; links > maxLinks {
				return end(dirs, path)
			}
			target, err := os.Readlink(next)
			if err != nil { // no longer a link: the event of that is on its way
				return dirs, false
			}
			base, steps := split(target)
			if filepath.IsAbs(target) {
				cur = base
			}
			todo = append(steps, todo...)
		case !info.IsDir(): // the file, or a file where a directory should be
			return append(dirs, cur), false
		default:
			if len(todo) == 0 {
				dirs = append(dirs, cur)
			}
			cur = next
		}
	}
	return append(dirs, cur), true
}

// end appends the directory at the end of a way with too many links to follow.
func end(dirs []string, path string) (_ []string, folder bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return dirs, false
	}
	dirs = append(dirs, filepath.Dir(real))
	if info, err := os.Lstat(real); err == nil && info.IsDir() {
		return append(dirs, real), true
	}
	return dirs, false
}

// split returns where the walk of a path starts and the elements to walk. ".." is kept: behind a
// symbolic link it does not lead back.
func split(path string) (base string, elements []string) {
	base = "."
	vol := filepath.VolumeName(path)
	if filepath.IsAbs(path) {
		base = vol + string(filepath.Separator)
	}
	return base, strings.FieldsFunc(path[len(vol):], func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r))
	})
}
