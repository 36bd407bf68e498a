package source

import (
	"context"
	"io"
	"os"
	"slices"

	"caliper/engine/transcript"
	"caliper/engine/transcript/claude"
	"caliper/engine/transcript/codex"
	"caliper/engine/transcript/hermes"
	"caliper/engine/transcript/hermes/statedb"
	"caliper/engine/transcript/record"
	"caliper/engine/transcript/requests"
)

// Read reads the logs among some files and folders. agent is who wrote all of them;
// empty when their content tells. The error is ctx's, or that of a path which cannot be
// looked at; a log without sessions is none.
func Read(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error) {
	f, err := find(ctx, paths)
	if err != nil {
		return transcript.Log{}, err
	}
	r := readers{
		options: o, found: f,
		claude: claude.Reader{Options: o}, hermes: hermes.Reader{Options: o},
		requests: requests.Reader{Options: o}, record: record.Reader{Options: o},
	}
	for _, path := range f.files {
		err := r.read(ctx, path, agent)
		if ctx.Err() != nil {
			return transcript.Log{}, ctx.Err()
		}
		if err != nil {
			f.skip(path, unreadable)
		}
	}
	return r.log(), nil
}

// readers are one for each format.
type readers struct {
	options  transcript.Options
	found    *found
	head     []byte // of the file that is looked at
	claude   claude.Reader
	codex    transcript.Log // of the rollouts that were read
	hermes   hermes.Reader
	requests requests.Reader
	record   record.Reader
}

// read reads one file. The error is ctx's or the file system's.
func (r *readers) read(ctx context.Context, path string, agent transcript.Agent) error {
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
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := io.LimitReader(f, info.Size())
	switch formatOf(head, agent) {
	case claudeFormat:
		return r.claude.Read(ctx, in, path)
	case codexFormat:
		log, err := codex.Read(ctx, in, path, r.options)
		r.codex.Sessions = append(r.codex.Sessions, log.Sessions...)
		r.codex.Skipped = append(r.codex.Skipped, log.Skipped...)
		return err
	case hermesFormat:
		return r.hermes.Read(ctx, in, path)
	case databaseFormat:
		return statedb.Read(ctx, &r.hermes, path)
	case requestsFormat:
		return r.requests.Read(ctx, in, path)
	case recordFormat:
		return r.record.Read(ctx, in, path)
	default:
		r.found.skip(path, noLog)
		return nil
	}
}

// log returns what was read, in the order of the files.
func (r *readers) log() transcript.Log {
	log := transcript.Log{Skipped: r.found.skipped}
	for _, part := range []transcript.Log{r.claude.Log(), r.codex, r.hermes.Log(), r.requests.Log(), r.record.Log()} {
		log.Sessions = append(log.Sessions, part.Sessions...)
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
