package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"caliper/model/newfile"
	"caliper/model/safetext"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/watch"
)

// demoMark is a file by which a folder is known to be a demo's. A folder of
// dumps is read without it, because its name begins with a dot.
const demoMark = ".caliper-demo"

// exploreDemo opens the explorer on the demo. gone is a file of the last run that is missing,
// which the first notice names; empty for none.
func (r *run) exploreDemo(ctx context.Context, gone string) error {
	o, remove, err := r.writeDemo()
	if gone != "" {
		o.Welcome = "a file of the last run is gone: " + safetext.Line(gone) + "; this is the demo in its place"
	}
	if err == nil {
		err = r.explore(ctx, o)
	}
	remove()
	return err
}

// writeDemo writes the demo into a fresh folder, and returns what the explorer is
// opened on. The folder goes with remove, unless its files were edited; the next
// demo that is no tour is then the edited one.
//
// SECURITY: the edited one is in a folder that everybody may write to. When it was
// cleaned up, somebody else may have made another of its name: only one that nobody
// else may open is taken.
func (r *run) writeDemo() (o tui.Options, remove func(), err error) {
	folder := string(watch.Read(cmp.Or(r.demoNote(), os.DevNull)).Data)
	info, err := os.Lstat(folder)
	edited := err == nil && info.IsDir() && filepath.IsAbs(folder) && (info.Mode().Perm()&0o077 == 0 || os.PathSeparator != '/') && isDemo(folder)
	if edited && !r.Flags.Tour {
		o = r.demoIn(folder)
		o.Welcome = "this is the demo as you edited it, in " + folder + "; delete that folder to begin afresh"
		return o, func() { r.removeDemo(folder) }, nil
	}
	folder, err = os.MkdirTemp("", "caliper-demo-")
	if err != nil {
		return o, func() {}, fmt.Errorf("no folder for the demo: cannot write to %s: %v; set TMPDIR to a folder that can be written to", os.TempDir(), runner.Innermost(err))
	}
	if _, err = demo.Write(folder); err == nil {
		err = os.WriteFile(filepath.Join(folder, demoMark), nil, 0o600)
	}
	return r.demoIn(folder), func() { r.removeDemo(folder) }, err
}

// demoIn returns what the explorer is opened on for a demo in a folder.
func (r *run) demoIn(folder string) tui.Options {
	paths := demo.In(folder)
	o := tui.Options{Registry: []string{paths.Registry}, Config: paths.Config, Demo: folder, Tour: r.Flags.Tour,
		Queries: cmp.Or(r.Flags.Queries, paths.Queries), Results: r.Flags.Results}
	if len(o.Results) == 0 {
		o.Results = paths.Results
	}
	return o
}

// isDemo reports whether a path is a folder that a demo was written to.
func isDemo(path string) bool {
	_, err := os.Stat(filepath.Join(path, demoMark))
	return err == nil
}

// removeDemo removes the files of a demo. One with a file that was edited or added stays, and
// the line that opens it again is printed.
func (r *run) removeDemo(folder string) {
	written := map[string][]byte{filepath.Join(folder, demoMark): nil}
	for _, f := range demo.Files(folder) {
		written[f.Name] = f.Data
	}
	edited := false
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		data, ours := written[name]
		f := watch.Read(name)
		edited = edited || !ours || f.Err == nil && string(f.Data) != string(data) // descriptions, or a file put beside
		return nil
	})
	if edited {
		text := "the demo as you edited it is opened again by"
		if note := r.demoNote(); note != "" && os.MkdirAll(filepath.Dir(note), 0o700) == nil && newfile.Write(note, []byte(folder), 0o600) == nil {
			text = "the demo as you edited it is opened again by caliper --demo, or by" // from the next start on
		}
		r.Complain("caliper: " + text)
		r.Complain("    caliper --registry " + shellWord(folder))
		return
	}
	for name := range written {
		_ = os.Remove(name) // what stays behind keeps its folder, and does no harm
	}
	_ = os.Remove(filepath.Join(folder, demo.SessionsFolder))
	_ = os.Remove(folder)
}

// demoNote returns the file that has the path of the demo that was edited last,
// empty where nothing is remembered.
func (r *run) demoNote() string {
	if r.Env.Own == "" || r.Flags.NoState {
		return ""
	}
	return filepath.Join(filepath.Dir(r.Env.Own), "edited-demo")
}

// shellWord returns a text as one word of a shell.
func shellWord(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-+:@%", c))
	}) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
