package watch

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// maxSize is the size in bytes beyond which a file is not read: its path is mistyped.
const maxSize = 1 << 30

// coarse is the coarsest granularity of time stamps (FAT: 2 s), within which two writes may have
// the same.
const coarse = 2 * time.Second

// ErrNoFiles is the error of a folder without a file that Options.Match accepts.
var ErrNoFiles = errors.New("no file to read in this folder")

var (
	errIrregular = errors.New("not a regular file")
	errTooLarge  = errors.New("larger than 1 GiB")
)

// root is a path as given, and as opened, independent of the working directory and not cleaned:
// ".." behind a link does not lead back.
type root struct{ shown, real string }

// child returns the root of a file of the folder r.
func (r root) child(name string) root {
	return root{filepath.Join(r.shown, name), r.real + string(filepath.Separator) + name}
}

// fail returns err as an *fs.PathError that names the path as it was given.
func (r root) fail(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &fs.PathError{Op: "open", Path: r.shown, Err: err}
}

// entry is the result of stat for one file.
type entry struct {
	root
	info   fs.FileInfo // nil when err is set
	err    error
	listed bool // found in a folder, not given
}

// scan stats every file that roots stand for: those of a folder by name, then o.Inside of each folder
// in it. A folder without any is itself an entry that cannot be read.
func scan(roots []root, o Options) []entry {
	var found []entry
	for _, r := range roots {
		info, err := os.Stat(r.real)
		switch {
		case err == nil && info.IsDir() && o.FilesOnly:
			found = append(found, entry{root: r, err: r.fail(syscall.EISDIR)})
		case err != nil:
			found = append(found, entry{root: r, err: r.fail(err)})
		case info.IsDir():
			entries, inside, err := list(r, o)
			if err != nil {
				found = append(found, entry{root: r, err: r.fail(err)})
				continue
			}
			files := make([]root, len(entries))
			for i, e := range entries {
				files[i] = r.child(e.Name())
			}
			before := len(found)
			for _, f := range append(files, inside...) {
				// A link that leads nowhere is no file. Editors mark open files with such links.
				if info, err := os.Stat(f.real); err == nil && info.Mode().IsRegular() {
					found = append(found, entry{root: f, info: info, listed: true})
				}
			}
			if len(found) == before {
				found = append(found, entry{root: r, err: r.fail(ErrNoFiles)})
			}
		case !info.Mode().IsRegular():
			found = append(found, entry{root: r, err: r.fail(errIrregular)})
		default:
			found = append(found, entry{root: r, info: info})
		}
	}
	return found
}

// list returns the entries of a folder that o.Match accepts, and what may be o.Inside of its
// folders, by name.
func list(r root, o Options) (files []fs.DirEntry, inside []root, err error) {
	entries, err := os.ReadDir(r.real)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if o.Inside != "" && !strings.HasPrefix(e.Name(), ".") && !e.Type().IsRegular() {
			inside = append(inside, r.child(e.Name()).child(o.Inside))
		}
	}
	if o.Match != nil {
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !o.Match(e.Name()) })
	}
	return entries, inside, nil
}

// content is one file after it was read.
type content struct {
	File
	info    fs.FileInfo // of the time when it was read; nil when Err is set
	trusted bool        // a later stat with the same result proves that the bytes are the same
	torn    bool        // written to while it was read
}

// holds reports whether a stat proves that c is still the content of the file.
func (c *content) holds(e entry) bool {
	if c.Err != nil || e.err != nil {
		return c.Err != nil && e.err != nil && c.Err.Error() == e.err.Error()
	}
	return c.trusted && sameStamp(c.info, e.info)
}

// load returns the contents of found: from seen where stat proves them unchanged, unless deep, and
// with the slices of seen or published where the bytes are the same.
func load(found []entry, seen []content, published []File, deep bool, valid func(string, []byte) bool) []content {
	known := make(map[string]*content, len(seen))
	for i := range seen {
		known[seen[i].Name] = &seen[i]
	}
	before := byName(published)
	contents := make([]content, 0, len(found))
	for _, e := range found {
		was := known[e.shown]
		if was != nil && !deep && was.holds(e) {
			contents = append(contents, *was)
			continue
		}
		c := read(e)
		if e.listed && errors.Is(c.Err, fs.ErrNotExist) {
			continue // gone since the folder was listed
		}
		if c.Err == nil {
			old, ok := before[e.shown]
			switch {
			case was != nil && was.Err == nil && bytes.Equal(was.Data, c.Data):
				c.Data, c.Invalid = was.Data, was.Invalid
			case ok && old.Err == nil && bytes.Equal(old.Data, c.Data):
				c.Data, c.Invalid = old.Data, old.Invalid
			default:
				c.Invalid = valid != nil && !valid(e.shown, c.Data)
			}
		}
		contents = append(contents, c)
	}
	return contents
}

// Read returns the content of one file. A pipe below /dev or /proc, as a shell's, is read to its
// end; in a folder it is refused, because its writer may never come.
func Read(name string) File {
	if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 && !strings.HasPrefix(name, "/dev/") && !strings.HasPrefix(name, "/proc/") {
		return File{Name: name, Err: &fs.PathError{Op: "read", Path: name, Err: errIrregular}}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return File{Name: name, Err: err}
	}
	return File{Name: name, Data: data}
}

// read reads the whole of one file.
func read(e entry) content {
	c := content{File: File{Name: e.shown, InFolder: e.listed, Err: e.err}}
	if e.err != nil {
		return c
	}
	fail := func(err error) content {
		c.Err = e.fail(err)
		return c
	}
	// SECURITY: somebody who can write to the folder can replace the file by a pipe after the scan.
	// Opened without O_NONBLOCK, the pipe would block the watcher for ever.
	f, err := os.OpenFile(e.real, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return fail(err)
	case !info.Mode().IsRegular():
		return fail(errIrregular)
	case info.Size() > maxSize:
		return fail(errTooLarge)
	}
	now := time.Now()
	buf := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(f, maxSize+1)); err != nil {
		return fail(err)
	}
	if buf.Len() > maxSize { // it grows faster than it is read
		return fail(errTooLarge)
	}
	after, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	c.Data, c.info = buf.Bytes(), info
	c.torn = !sameStamp(info, after)
	c.trusted = !c.torn && now.Sub(changed(info)).Abs() > coarse
	return c
}

// sameStamp reports whether size, time stamps and identity are the same. On Linux no program can
// set back the change of status; elsewhere loop.tick finds a restored modification time.
func sameStamp(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) &&
		changed(a).Equal(changed(b)) && os.SameFile(a, b)
}

// byName returns files by their names.
func byName(files []File) map[string]File {
	m := make(map[string]File, len(files))
	for _, f := range files {
		m[f.Name] = f
	}
	return m
}
