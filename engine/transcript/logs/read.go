package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"caliper/engine/transcript"
	"caliper/model/newfile"
)

// Read reads the logs among some files and folders. agent is who wrote all of them;
// empty when their content tells. In cache it keeps what the logs meant, and reads
// only what it does not know yet: of a log of Claude Code, of Codex and of a record of
// caliper the lines behind those that it knows, of any other format a file that has
// changed, whole. The zero Folder keeps nothing. The error is ctx's, or about a path which cannot be looked at; a log
// without sessions is none.
func Read(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options, cache newfile.CacheFolder) (transcript.Log, error) {
	return (*Follower)(nil).Read(ctx, paths, agent, o, cache)
}

// Follower reads logs again and again while they grow. It keeps copies of the databases
// among them until Close. The zero Follower is ready; nil keeps no copies.
type Follower struct{ databases transcript.DatabaseCopies }

// Close removes the copies of databases. Nothing is copied to stay from now on.
func (w *Follower) Close() { w.databases.Close() }

// copies returns the copies of databases; nil where none are kept.
func (w *Follower) copies() *transcript.DatabaseCopies {
	if w == nil {
		return nil
	}
	return &w.databases
}

// Read reads as the function does; of a database it copies only the log while that alone
// has changed since the last time.
func (w *Follower) Read(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options, cache newfile.CacheFolder) (transcript.Log, error) {
	f, err := find(ctx, paths)
	if err != nil {
		return transcript.Log{}, err
	}
	index := transcript.OpenCache(cache, agent, o)
	log, err := w.trust(ctx, f, agent, o, index)
	if errors.Is(err, transcript.ErrDamaged) {
		index.Distrust()
		log, err = w.read(ctx, f, agent, o, index)
	}
	index.Sweep()
	if err != nil {
		return transcript.Log{}, err
	}
	return log, nil
}

// trust reads the files that were found, and takes an entry of the index as it is.
//
// SECURITY: an entry may be anybody's. What it makes a reader do is undone: the logs are
// read again without the index.
func (w *Follower) trust(ctx context.Context, f *found, agent transcript.Agent, o transcript.Options, index *transcript.Cache) (log transcript.Log, err error) {
	defer func() {
		if index == nil {
			return
		}
		if fault := recover(); fault != nil {
			log, err = transcript.Log{}, fmt.Errorf("%w: %v", transcript.ErrDamaged, fault)
		}
	}()
	return w.read(ctx, f, agent, o, index)
}

// read reads the files that were found. The error is ctx's, or that an entry of
// the index is damaged.
func (w *Follower) read(ctx context.Context, f *found, agent transcript.Agent, o transcript.Options, index *transcript.Cache) (transcript.Log, error) {
	r := readers{options: o, found: f, agent: agent, index: index, databases: w.copies(), formats: map[format]reader{}}
	sizes := r.sizes()
	if o.Progress != nil {
		o.Progress = func(bytes int) {
			if !r.packed {
				r.tell(int64(bytes))
			}
		}
	}
	r.inner = o
	defer r.unpacker.close()
	for i, path := range f.files {
		if sizes != nil {
			r.left = sizes[i]
		}
		err := r.read(ctx, path)
		if ctx.Err() != nil {
			return transcript.Log{}, ctx.Err()
		}
		if errors.Is(err, transcript.ErrDamaged) {
			return transcript.Log{}, err
		}
		switch {
		case errors.Is(err, transcript.ErrNoFolder):
			r.skip(path, transcript.NoCopy)
		case err != nil:
			r.skip(path, unreadable)
		}
		r.tell(r.left) // what was left out, too
	}
	if err := r.reorder(ctx); err != nil {
		return transcript.Log{}, err
	}
	return r.log(), nil
}

// readers are one for each format.
type readers struct {
	options   transcript.Options
	found     *found
	agent     transcript.Agent
	index     *transcript.Cache
	databases *transcript.DatabaseCopies // nil: none are kept
	skipped   []transcript.Skipped       // whole files
	head      []byte                     // of the file that is looked at
	unpacker  unpacker
	left      int64              // bytes of the file that is read and not told of
	packed    bool               // the file that is read is packed: its progress is the pack's
	inner     transcript.Options // what the reader of a format is given
	formats   map[format]reader  // Hermes' has databases, too
}

// reader returns the reader of a format, which is made when it is first needed; nil for what
// is no log, or not read.
func (r *readers) reader(is format) reader {
	row := rowOf(is)
	if r.formats[row.is] == nil && row.open != nil {
		r.formats[row.is] = row.open(r.inner)
	}
	return r.formats[row.is]
}

// reorder reads the logs of requests once more where one repeats exchanges of another that ends
// before it, so that they count in that one, whatever the files are called. The error is ctx's,
// or that an entry of the index is damaged.
func (r *readers) reorder(ctx context.Context) error {
	requests, read := r.formats[requestsFormat].(*transcript.RequestsReader)
	if !read {
		return nil
	}
	order := requests.Order()
	if order == nil {
		return nil
	}
	delete(r.formats, requestsFormat)
	for _, path := range order {
		if err := r.read(ctx, path); ctx.Err() != nil || errors.Is(err, transcript.ErrDamaged) {
			return err
		}
	}
	return nil
}

// skip counts a file that is left out.
func (r *readers) skip(path, what string) {
	r.skipped = append(r.skipped, transcript.Skipped{File: path, What: what, Count: 1})
}

// read reads one file, as far as it is not known. The error is ctx's or the file
// system's, or that its entry is damaged.
func (r *readers) read(ctx context.Context, path string) error {
	known := r.index.Find(path)
	if known != nil {
		if info, err := os.Stat(path); err == nil && known.Unchanged(info) {
			if taken, err := r.known(ctx, format(known.Format), path, &known.Lines, known.Beside); taken || err != nil {
				return err
			}
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if r.head == nil {
		r.head = make([]byte, headSize)
	}
	head := r.head[:min(headSize, info.Size())]
	if _, err := io.ReadFull(f, head); err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) { // zstd
		return r.unpack(ctx, f, info, path)
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) { // UTF-16, as some shells write output to a file
		r.skip(path, wideText)
		return nil
	}
	is := formatOf(head, r.agent)
	if is == unknownFormat {
		is = formatBehind(f, head, info.Size())
	}
	// What was looked at is not read again.
	in := io.MultiReader(bytes.NewReader(head), io.NewSectionReader(f, int64(len(head)), info.Size()-int64(len(head))))
	if files, ok := r.reader(is).(fileReader); ok {
		return r.keepWhole(ctx, is, files, in, path, f, info)
	}
	if isArray(head) && is != unknownFormat {
		return r.lineByLine(ctx, is, newElements(head, io.NewSectionReader(f, int64(len(head)), info.Size()-int64(len(head)))), path, f, info)
	}
	if r.index == nil {
		return r.whole(ctx, is, in, path)
	}
	k, still := new(transcript.Lines), false
	if known != nil && is == format(known.Format) && known.Begins(f, info) {
		k, still = &known.Lines, info.Size()-known.Offset < worthKeeping && r.index.Now().Sub(info.ModTime()) < restful
		in = io.NewSectionReader(f, k.Offset, info.Size()-k.Offset)
		r.tell(k.Offset)
	}
	if err := r.lines(ctx, is, in, path, k); err != nil || still || !k.Fits() {
		return err
	}
	e := transcript.CacheEntryOf(int(is), info, r.index.Now(), k)
	if e.Seal(f) == nil {
		r.index.Put(path, e)
	}
	return nil
}

// sizes returns the bytes of each file on disk, and tells of all of them; nil where nobody
// looks.
func (r *readers) sizes() []int64 {
	if r.options.Progress == nil && r.options.Found == nil {
		return nil
	}
	sizes, all := make([]int64, len(r.found.files)), int64(0)
	for i, path := range r.found.files {
		sizes[i] = transcript.DatabaseSize(path)
		all += sizes[i]
	}
	if r.options.Found != nil {
		r.options.Found(len(sizes), all)
	}
	return sizes
}

// tell tells of bytes that were read, or are known without reading them: never of more than
// the file has, though a database is copied and then read.
func (r *readers) tell(bytes int64) {
	if bytes = min(bytes, r.left); bytes > 0 && r.options.Progress != nil {
		r.left -= bytes
		r.options.Progress(int(bytes))
	}
}

// known takes a file that is as it was by its kept facts. It reports false, and takes
// nothing, where what it was kept with is not as it was: the files beside a database, or
// what other logs have of it. The error is ctx's, or that the facts are damaged.
func (r *readers) known(ctx context.Context, is format, path string, k *transcript.Lines, beside []byte) (taken bool, err error) {
	if is == databaseFormat {
		if now, _ := transcript.DatabaseState(path, r.index.Now(), 0); !bytes.Equal(now, beside) {
			return false, nil
		}
	}
	if files, ok := r.reader(is).(fileReader); ok {
		return files.Known(path, k)
	}
	return true, r.lines(ctx, is, nil, path, k)
}

// keepWhole reads a whole file of a format that does not continue, and keeps what was made
// of it where it has rested: it is of use while the file does not change.
func (r *readers) keepWhole(ctx context.Context, is format, files fileReader, in io.Reader, path string, f *os.File, info fs.FileInfo) error {
	if r.index == nil {
		return r.whole(ctx, is, in, path)
	}
	w := transcript.NewWhole()
	var beside []byte
	settled := true
	if is == databaseFormat {
		beside, settled = transcript.DatabaseState(path, r.index.Now(), transcript.Settling)
	}
	files.Keep(w)
	err := r.whole(ctx, is, in, path)
	files.Keep(nil)
	k := w.Lines()
	if err != nil || !k.Fits() {
		return err
	}
	e := transcript.CacheEntryOf(int(is), info, r.index.Now(), k)
	e.Beside = beside
	if settled && e.Settled && e.Seal(f) == nil {
		r.index.Put(path, e)
	}
	return nil
}

// A log that is followed grows every few seconds, and an entry is in a file with many:
// the entry is written anew once the log has grown by so many bytes or has rested so
// long.
const (
	worthKeeping = 256 << 10
	restful      = time.Minute
)

// unpack reads a packed log. Its kept facts are of use while it does not change.
func (r *readers) unpack(ctx context.Context, f *os.File, info fs.FileInfo, path string) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in, err := r.unpacker.unpack(progress{io.LimitReader(f, info.Size()), r.tell}, info.Size())
	if err != nil {
		return err
	}
	n, err := io.ReadFull(in, r.head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	r.packed = true
	defer func() { r.packed = false }()
	is, whole := formatOf(r.head[:n], r.agent), io.MultiReader(bytes.NewReader(r.head[:n]), in)
	files, isFile := r.reader(is).(fileReader)
	switch {
	case is == databaseFormat:
		r.skip(path, noLog)
		return nil
	case isFile:
		return r.keepWhole(ctx, is, files, whole, path, f, info)
	}
	return r.lineByLine(ctx, is, whole, path, f, info)
}

// lineByLine reads the lines that were made of a file.
func (r *readers) lineByLine(ctx context.Context, is format, in io.Reader, path string, f *os.File, info fs.FileInfo) error {
	if r.index == nil {
		return r.whole(ctx, is, in, path)
	}
	k := new(transcript.Lines)
	if err := r.lines(ctx, is, in, path, k); err != nil || !k.Fits() {
		return err
	}
	k.Offset = 0 // is one in what was made: there is no going on in the file
	e := transcript.CacheEntryOf(int(is), info, r.index.Now(), k)
	if e.Seal(f) == nil {
		r.index.Put(path, e)
	}
	return nil
}

// progress tells how much of a file is read.
type progress struct {
	in     io.Reader
	report func(bytes int64)
}

// Read implements io.Reader.
func (p progress) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	if n > 0 {
		p.report(int64(n))
	}
	return n, err
}

// whole reads a file of any format from its beginning.
func (r *readers) whole(ctx context.Context, is format, in io.Reader, path string) error {
	files, ok := r.reader(is).(fileReader)
	switch {
	case !ok:
		return r.lines(ctx, is, in, path, nil)
	case is == databaseFormat:
		return r.databases.Read(ctx, files.(*transcript.HermesReader), path)
	}
	return files.Read(ctx, in, path)
}

// lines reads a file of a format that continues: its kept facts, if any, and
// then the lines of in, if there is one. A file of no format that is read is left out.
func (r *readers) lines(ctx context.Context, is format, in io.Reader, path string, k *transcript.Lines) error {
	if lines, ok := r.reader(is).(lineReader); ok {
		return lines.Continue(ctx, in, path, k)
	}
	r.skip(path, rowOf(is).foreign)
	return nil
}

// log returns what was read, in the order of the files.
func (r *readers) log() transcript.Log {
	log := transcript.Log{Skipped: slices.Concat(r.found.skipped, r.skipped)}
	for _, is := range slices.Sorted(maps.Keys(r.formats)) {
		part := r.formats[is].Log()
		if log.Sessions == nil {
			log.Sessions = part.Sessions // of a folder of one agent there may be hundreds of thousands
		} else {
			log.Sessions = append(log.Sessions, part.Sessions...)
		}
		log.Skipped = append(log.Skipped, part.Skipped...)
	}
	place := make(map[string]int, len(r.found.files))
	for i, path := range r.found.files {
		place[path] = i
	}
	slices.SortStableFunc(log.Sessions, func(a, b transcript.Session) int { return place[a.File] - place[b.File] })
	slices.SortStableFunc(log.Skipped, func(a, b transcript.Skipped) int { return place[a.File] - place[b.File] })
	return log
}
