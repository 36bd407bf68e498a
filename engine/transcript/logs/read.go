package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"

	"caliper/engine/transcript"
	"caliper/model/newfile"
)

// Read reads the logs among some files and folders. agent is who wrote all of them; empty when
// their content tells. In cache it keeps the lines of logs of Claude Code, of Codex and of a record
// of caliper, which it does not open again until they change; the zero folder keeps nothing. The
// error is ctx's, or about a path which cannot be looked at; a log without sessions is none.
func Read(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options, cache newfile.CacheFolder) (transcript.Log, error) {
	files, skipped, err := find(ctx, paths)
	if err != nil {
		return transcript.Log{}, err
	}
	r := readers{options: o, files: files, agent: agent, index: transcript.OpenCache(cache, agent, o)}
	log, err := func() (log transcript.Log, err error) {
		// SECURITY: an entry of the cache may be anybody's. What it makes a reader do is undone:
		// the logs are read again without the cache.
		defer func() {
			if r.index == nil {
				return
			}
			if fault := recover(); fault != nil {
				log, err = transcript.Log{}, fmt.Errorf("%w: %v", transcript.ErrDamaged, fault)
			}
		}()
		return r.readAll(ctx, skipped)
	}()
	if errors.Is(err, transcript.ErrDamaged) {
		r.index.Distrust()
		log, err = r.readAll(ctx, skipped)
	}
	r.index.Sweep()
	return log, err
}

// readAll reads the files; skipped has what was left out before. The error is ctx's, or that an
// entry of the cache is damaged.
func (r *readers) readAll(ctx context.Context, skipped []transcript.Skipped) (transcript.Log, error) {
	r.formats, r.skipped, r.left, r.packed, r.inner = map[format]reader{}, slices.Clip(skipped), 0, false, r.options
	sizes := make([]int64, len(r.files))
	if r.options.Progress != nil || r.options.Found != nil {
		all := int64(0)
		for i, path := range r.files {
			sizes[i] = transcript.DatabaseSize(path)
			all += sizes[i]
		}
		if r.options.Found != nil {
			r.options.Found(len(sizes), all)
		}
	}
	if r.options.Progress != nil {
		r.inner.Progress = func(bytes int) {
			if !r.packed {
				r.tell(int64(bytes))
			}
		}
	}
	for i, path := range r.files {
		r.left = sizes[i]
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
	// The logs of requests are read once more where one repeats exchanges of another that ends before
	// it, so that they count in that one, whatever the files are called.
	if requests, read := r.formats[requestsFormat].(*transcript.RequestsReader); read {
		if order := requests.Order(); order != nil {
			delete(r.formats, requestsFormat)
			for _, path := range order {
				if err := r.read(ctx, path); ctx.Err() != nil || errors.Is(err, transcript.ErrDamaged) {
					return transcript.Log{}, err
				}
			}
		}
	}
	log := transcript.Log{Skipped: r.skipped}
	for _, is := range slices.Sorted(maps.Keys(r.formats)) {
		part := r.formats[is].Log()
		if log.Sessions == nil {
			log.Sessions = part.Sessions // of a folder of one agent there may be hundreds of thousands
		} else {
			log.Sessions = append(log.Sessions, part.Sessions...)
		}
		log.Skipped = append(log.Skipped, part.Skipped...)
	}
	place := make(map[string]int, len(r.files))
	for i, path := range r.files {
		place[path] = i
	}
	slices.SortStableFunc(log.Sessions, func(a, b transcript.Session) int { return place[a.File] - place[b.File] })
	slices.SortStableFunc(log.Skipped, func(a, b transcript.Skipped) int { return place[a.File] - place[b.File] })
	return log, nil
}

// readers are one for each format.
type readers struct {
	options transcript.Options
	files   []string
	agent   transcript.Agent
	index   *transcript.Cache
	skipped []transcript.Skipped // files
	head    []byte               // of the file that is looked at
	left    int64                // bytes of the file that is read and not told of
	packed  bool                 // the file that is read is packed: its progress is the pack's
	inner   transcript.Options   // what the reader of a format is given
	formats map[format]reader    // Hermes' has databases, too
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

// skip counts a file that is left out.
func (r *readers) skip(path, what string) {
	r.skipped = append(r.skipped, transcript.Skipped{File: path, What: what, Count: 1})
}

// read reads one file, unless its lines are kept. The error is ctx's or the file system's, or
// that its entry is damaged.
func (r *readers) read(ctx context.Context, path string) error {
	if e := r.index.Find(path); e != nil {
		if lines, ok := r.reader(format(e.Format)).(lineReader); ok {
			return lines.ReadLines(ctx, nil, path, &e.Lines)
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
	in := io.Reader(io.NewSectionReader(f, int64(len(head)), info.Size()-int64(len(head)))) // what was looked at is not read again
	switch {
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")): // zstd
		told := func(n int) error { r.tell(int64(n)); return nil }
		// SECURITY: neither the window nor the unpacked size is the file's to choose.
		z, err := zstd.NewReader(io.TeeReader(io.NewSectionReader(f, 0, info.Size()), transcript.Told(told)), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeBuffersBelow(0))
		if err != nil {
			return err
		}
		defer z.Close()
		in = &bounded{z, maxRatio*info.Size() + freeSize}
		n, err := io.ReadFull(in, r.head)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		head, r.packed = r.head[:n], true
		defer func() { r.packed = false }()
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")): // UTF-16, as some shells write output to a file
		r.skip(path, wideText)
		return nil
	}
	job := lineTime().Match(transcript.StrippedLine(head))
	in = io.MultiReader(bytes.NewReader(head), in)
	if job {
		start := make([]byte, headSize)
		in = jobLines(in)
		n, err := io.ReadFull(in, start)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		head, in = start[:n], io.MultiReader(bytes.NewReader(start[:n]), in)
	}
	is := formatOf(head, r.agent)
	if is == unknownFormat && !r.packed && !job {
		is = formatBehind(f, head, info.Size())
	}
	made := r.reader(is)
	lines, ofLines := made.(lineReader)
	// The GitHub action of Claude Code and its --output-format json keep as an array what
	// stream-json prints by lines.
	if ofLines && bytes.HasPrefix(transcript.StrippedLine(head), []byte("[")) {
		_, _ = io.CopyN(io.Discard, in, int64(bytes.IndexByte(head, '[')))
		in = arrayLines(in)
	}
	switch {
	case made == nil && job:
		r.skip(path, transcript.ForeignJob)
	case made == nil:
		r.skip(path, rowOf(is).foreign)
	case is == databaseFormat && r.packed:
		r.skip(path, noLog)
	case is == databaseFormat:
		return transcript.ReadDatabase(ctx, made.(*transcript.HermesReader), path)
	case !ofLines || r.index == nil:
		return made.Read(ctx, in, path)
	default:
		k := new(transcript.Lines)
		if err := lines.ReadLines(ctx, in, path, k); err != nil {
			return err
		}
		r.index.Put(path, int(is), info, k)
	}
	return nil
}

// tell tells of bytes that were read, or are known without reading them: never of more than
// the file has, though a database is copied and then read.
func (r *readers) tell(bytes int64) {
	if bytes = min(bytes, r.left); bytes > 0 && r.options.Progress != nil {
		r.left -= bytes
		r.options.Progress(int(bytes))
	}
}

const (
	// maxWindow is the window of the frames that are unpacked: 8 MiB, which RFC 8878
	// asks of every decoder. Codex packs with 2 MiB.
	maxWindow = 8 << 20

	// A log may be unpacked to this many times its size, and some: logs shrink to a
	// quarter, to a twentieth if they repeat themselves, a bomb to a thousandth.
	maxRatio = 100
	freeSize = 64 << 20
)

// errBomb is why the rest of a log is not unpacked.
var errBomb = errors.New("unpacks to more than a log does")

// bounded reads as many bytes as are left, and fails behind them.
type bounded struct {
	in   io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errBomb
	}
	return n, err
}
