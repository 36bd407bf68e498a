package newfile

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// CacheFolder is a cache for goroutines and processes at once. The zero value keeps nothing.
type CacheFolder struct {
	Path string // made when it is missing; empty to keep nothing
	Most int64  // bytes of all entries; 0 for DefaultCache
	// Build tells one build of the program from another, since either may compute
	// something else of the same content.
	Build string
	Now   func() time.Time // nil for time.Now
}

// DefaultCache is the bound of a Folder without one: 256 MB.
const DefaultCache = 256 << 20

// CacheKey names an entry by what it depends on.
type CacheKey [sha256.Size]byte

// CacheKind is the kind of an entry, in lower-case letters only: it is a part of the file's name.
type CacheKind string

// KeyOf returns the key of what depends on parts, each of which counts with its length.
func (f CacheFolder) KeyOf(parts ...[]byte) CacheKey {
	h := sha256.New()
	var length [8]byte
	write := func(part []byte) {
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
	write([]byte(f.Build))
	for _, part := range parts {
		write(part)
	}
	var k CacheKey
	h.Sum(k[:0])
	return k
}

const (
	magic      = "calcache"
	format     = 1
	headerSize = len(magic) + 4 + 4 + sha256.Size
	suffix     = ".cache"
	digits     = 32
)

// checksum returns the CRC-32C of key and content.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// name returns the name of an entry's file.
func name(kind CacheKind, key CacheKey) string {
	return string(kind) + "-" + hex.EncodeToString(key[:digits/2]) + suffix
}

// isName reports whether a name is an entry's.
func isName(name string) bool {
	rest, ok := strings.CutSuffix(name, suffix)
	kind, key, cut := strings.Cut(rest, "-")
	return ok && cut && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz") == "" &&
		len(key) == digits && strings.Trim(key, "0123456789abcdef") == ""
}

// Read returns the content of an entry, nil when there is none that can be used.
func (f CacheFolder) Read(kind CacheKind, key CacheKey) []byte {
	root := f.open()
	if root == nil {
		return nil
	}
	defer root.Close()
	content, state := f.read(root, name(kind, key), &key)
	switch state {
	case sound:
		now := f.now()
		_ = root.Chtimes(name(kind, key), now, now)
	case damaged:
		_ = root.Remove(name(kind, key))
	}
	return content
}

// Write keeps the content of an entry, unless it is larger than the folder may be, and removes
// others if the folder gets too large. After an error the folder is as good as before.
func (f CacheFolder) Write(kind CacheKind, key CacheKey, content []byte) error {
	err := f.Add(kind, key, content)
	if err == nil {
		f.Sweep(name(kind, key))
	}
	return err
}

// Add is Write, but removes no other entry: who writes thousands calls Sweep behind them.
func (f CacheFolder) Add(kind CacheKind, key CacheKey, content []byte) error {
	if f.Path == "" || int64(headerSize+len(content)) > f.most() {
		return nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	root := f.open()
	if root == nil {
		return fmt.Errorf("%s: not a folder of the user alone", f.Path)
	}
	defer root.Close()
	if _, state := f.read(root, name(kind, key), nil); state == later {
		return nil
	}
	file, err := Create(filepath.Join(f.Path, name(kind, key)), 0o600)
	if err != nil {
		return err
	}
	data := slices.Concat([]byte(magic), make([]byte, 8), key[:], content)
	binary.LittleEndian.PutUint32(data[8:], format)
	binary.LittleEndian.PutUint32(data[12:], checksum(data[16:]))
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Commit()
}

// open opens the folder. It returns nil when there is no folder, and when the folder
// cannot be used.
//
// SECURITY: files are read, listed and removed through the root, so that no path
// leads out of it, not even by a symbolic link, and a file that is written replaces a link
// (package newfile); and a folder that others can write to is not used, since
// they could make us print what they like.
func (f CacheFolder) open() *os.Root {
	if f.Path == "" {
		return nil
	}
	root, err := os.OpenRoot(f.Path)
	if err != nil {
		return nil
	}
	info, err := root.Stat(".")
	if err != nil || FolderFault(info, false) != "" {
		_ = root.Close()
		return nil
	}
	return root
}

// state is the state of a file.
type state int

const (
	missing state = iota // there is no file, or it cannot be opened
	sound
	damaged
	later // another format
)

// read returns the content of an entry, or checks only its header when key is nil.
func (f CacheFolder) read(root *os.Root, name string, key *CacheKey) ([]byte, state) {
	// SECURITY: only a file is opened. A FIFO would keep the caller waiting for a
	// writer, and a link would be another's file.
	listed, err := root.Lstat(name)
	if err != nil {
		return nil, missing
	}
	if !listed.Mode().IsRegular() {
		return nil, damaged
	}
	file, err := root.OpenFile(name, os.O_RDONLY|DoNotWait, 0)
	if err != nil {
		return nil, missing
	}
	defer file.Close()
	return f.readFile(file, listed, key)
}

// readFile is read for an open file, which is to be the one that was listed.
func (f CacheFolder) readFile(file *os.File, listed os.FileInfo, key *CacheKey) ([]byte, state) {
	// SECURITY: another file may have taken the name since. It is left alone, and the
	// size is the read file's.
	info, err := file.Stat()
	if err != nil || !os.SameFile(listed, info) {
		return nil, missing
	}
	var header [headerSize]byte
	if _, err := io.ReadFull(file, header[:]); err != nil || string(header[:len(magic)]) != magic {
		return nil, damaged
	}
	switch {
	case binary.LittleEndian.Uint32(header[8:]) != format:
		return nil, later
	case key == nil:
		return nil, sound
	case info.Size() > f.most() || CacheKey(header[16:]) != *key:
		return nil, damaged
	}
	data := make([]byte, info.Size()-16)
	copy(data, key[:])
	if _, err := io.ReadFull(file, data[len(key):]); err != nil || checksum(data) != binary.LittleEndian.Uint32(header[12:]) {
		return nil, damaged
	}
	return data[len(key):], sound
}

// most returns the bound of the folder.
func (f CacheFolder) most() int64 {
	if f.Most > 0 {
		return f.Most
	}
	return DefaultCache
}

func (f CacheFolder) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}

// abandonedEntry is the age of an unfinished file of a killed process. Writing takes seconds.
const abandonedEntry = time.Hour

// unused is the age from which an entry is removed that nobody used.
const unused = 90 * 24 * time.Hour

// Sweep removes old entries, the longest unused beyond the bytes of the folder, and unfinished
// files of killed processes, but not kept, what a later program keeps, and what cannot be removed.
func (f CacheFolder) Sweep(kept string) {
	root := f.open()
	if root == nil {
		return
	}
	defer root.Close()
	listed, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	var entries []fs.FileInfo
	var size int64
	for _, e := range listed {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		unfinished, ok := Finished(e.Name())
		switch {
		case isName(e.Name()):
			entries = append(entries, info)
			size += info.Size()
		case ok && isName(unfinished) && f.now().Sub(info.ModTime()) > abandonedEntry:
			_ = root.Remove(e.Name())
		}
	}
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { // the longest unused first
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range entries {
		if size <= f.most() && f.now().Sub(e.ModTime()) <= unused {
			return
		}
		if e.Name() == kept {
			continue
		}
		if _, state := f.read(root, e.Name(), nil); state == later {
			continue
		}
		if root.Remove(e.Name()) == nil {
			size -= e.Size()
		}
	}
}
