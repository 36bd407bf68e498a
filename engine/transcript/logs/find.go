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

// find returns the files of some paths that may be logs, each once, in the order in which they
// are read, and those that are left out. The error is ctx's, or about a path which cannot be
// looked at. Links to folders are not followed, so that no loop of links is walked.
func find(ctx context.Context, paths []string) (files []string, skipped []transcript.Skipped, err error) {
	seen := map[string]bool{} // by the path without links
	add := func(path string, info fs.FileInfo, err error) {
		real := ""
		// SECURITY: opening a pipe or a device would wait for ever, or do what the device does.
		if err == nil && info.Mode().IsRegular() {
			real, err = filepath.EvalSymlinks(path)
		}
		switch {
		case err == nil && info.IsDir():
		case err != nil || real == "":
			skipped = append(skipped, transcript.Skipped{File: path, What: unreadable, Count: 1})
		case !seen[real]:
			seen[real] = true
			files = append(files, path)
		}
	}
	for _, folder := range paths {
		info, err := os.Stat(folder)
		if err != nil {
			return nil, nil, err
		}
		if !info.IsDir() {
			add(folder, info, nil)
			continue
		}
		err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				add(path, nil, err)
			case e.IsDir() && path != folder && slices.Contains(otherFolders, e.Name()):
				return filepath.SkipDir
			case !e.IsDir():
				// What Claude Code says beside the log of a helper is no log.
				stem, _ := rotation(strings.TrimSuffix(e.Name(), ".zst"))
				if slices.Contains(extensions, strings.ToLower(filepath.Ext(stem))) && !strings.HasSuffix(e.Name(), ".meta.json") {
					info, err := os.Stat(path)
					add(path, info, err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(files, func(a, b string) int { // of a log that was rotated the oldest is first, which has the greatest number
		stemA, numberA := rotation(a)
		stemB, numberB := rotation(b)
		return cmp.Or(cmp.Compare(stemA, stemB), cmp.Compare(numberB, numberA), cmp.Compare(a, b))
	})
	return files, skipped, nil
}

// otherFolders are the names of folders that hold much and no logs.
var otherFolders = []string{".git", "node_modules"}

// extensions are the extensions of logs and databases.
var extensions = []string{".jsonl", ".json", ".ndjson", ".log", ".db"}

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
