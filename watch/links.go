package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many symbolic links of one path are watched, and its end. A tick finds changes
// of others.
const maxLinks = 8

// directories returns, sorted, the directories of the files and of the links on the way to them,
// or a missing one's nearest ancestor. Their paths have no links.
func directories(roots []root, o Options) []string {
	var dirs []string
	for _, r := range roots {
		var folder bool
		if dirs, folder = directoriesTo(dirs, r.real); !folder {
			continue
		}
		entries, inside, err := list(r, o)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type()&fs.ModeSymlink != 0 {
				dirs, _ = directoriesTo(dirs, r.child(e.Name()).real)
			}
		}
		// A folder of hundreds without one such file is watched alone: a tick finds the first.
		if len(inside) <= 100 || slices.ContainsFunc(inside, func(f root) bool { _, err := os.Stat(f.real); return err == nil }) {
			for _, f := range inside {
				dirs, _ = directoriesTo(dirs, f.real)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// directoriesTo appends the directories on the way to path, and itself if it is a folder. It
// resolves element by element: cur is reached, without links, and todo follows.
func directoriesTo(dirs []string, path string) (_ []string, folder bool) {
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
			if links++; links > maxLinks { // the directory of the file, or the folder, at the end
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
			target, err := os.Readlink(next)
			if err != nil { // no longer a link: its event follows
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

// split returns the directory at which a path starts, and its elements with "..", which a link may
// change.
func split(path string) (base string, elements []string) {
	base = "."
	vol := filepath.VolumeName(path)
	if filepath.IsAbs(path) {
		base = vol + string(filepath.Separator)
	}
	return base, strings.FieldsFunc(filepath.ToSlash(path[len(vol):]), func(r rune) bool { return r == '/' })
}
