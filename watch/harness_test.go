package watch

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// TestMain lets the scenarios run side by side, whatever the number of processors: they wait for
// files, not for the processor.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// deadline is how long a Change that must come is waited for.
const deadline = 30 * time.Second

// brief is for scenarios in which a doubtful state lasts and must be published. They go to a good
// state in one step, so that none of them is in doubt however slow the machine is.
func brief(o *Options) { o.Patience = 100 * time.Millisecond }

// stepwise is brief for scenarios that take two steps from one good state to the next.
func stepwise(o *Options) { o.Patience = 300 * time.Millisecond }

// stage is a folder of its own with a watcher on something in it. Every Change is collected the
// moment it is published, so that none is hidden by a newer one.
type stage struct {
	t       *testing.T
	dir     string
	opt     Options
	w       *Watcher
	changes chan Change
	stop    func()
}

// quick are options for scenarios that do not depend on a duration. Without a tick: what a
// scenario finds with events, it finds by events. Patience is endless, in comparison: a machine
// that stands still for seconds between two steps of a writer must not fail the test.
func quick() Options {
	return Options{
		Quiet:    20 * time.Millisecond,
		Ceiling:  200 * time.Millisecond,
		Patience: 20 * time.Second,
		Tick:     time.Hour,
		Poll:     50 * time.Millisecond,
		Valid:    func(_ string, data []byte) bool { return json.Valid(data) },
		Match:    func(name string) bool { return strings.HasSuffix(name, ".json") },
	}
}

// watch starts the watcher on paths within the stage.
func (s *stage) watch(paths ...string) {
	s.t.Helper()
	for i, p := range paths {
		paths[i] = s.path(p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.w = Watch(ctx, paths, s.opt)
	s.changes = make(chan Change, 1000)
	var copying sync.WaitGroup
	copying.Go(func() {
		defer close(s.changes)
		for c := range s.w.Changes() {
			s.changes <- c
		}
	})
	s.stop = func() {
		cancel()
		copying.Wait()
	}
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// next returns the next Change.
func (s *stage) next() Change {
	s.t.Helper()
	select {
	case c := <-s.changes:
		return c
	case <-time.After(deadline):
		s.t.Fatal("no change came")
		panic("unreachable")
	}
}

// expect demands that the next Change holds exactly these files, written as "name=content" with
// "!" in front of invalid content, or "name?" for one that is missing.
func (s *stage) expect(want ...string) Change {
	s.t.Helper()
	c := s.next()
	if got := s.describe(c); !slices.Equal(got, want) {
		s.t.Fatalf("change holds %q, want %q", got, want)
	}
	return c
}

// describe writes a Change the way expect reads it.
func (s *stage) describe(c Change) []string {
	out := []string{}
	for _, f := range c.Files {
		name, err := filepath.Rel(s.dir, f.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		var pe *fs.PathError
		switch {
		case errors.Is(f.Err, fs.ErrNotExist) && errors.As(f.Err, &pe) && pe.Path == f.Name:
			out = append(out, name+"?")
		case f.Err != nil:
			out = append(out, fmt.Sprintf("%s: %v", name, f.Err))
		case f.Invalid:
			out = append(out, name+"=!"+string(f.Data))
		default:
			out = append(out, name+"="+string(f.Data))
		}
	}
	return out
}

// silence demands that no Change comes for as long as one could be under way: a look follows the
// last event after Quiet, and what it doubts is published after Patience, unless that is endless.
func (s *stage) silence() {
	s.t.Helper()
	o := s.opt
	under := o.Quiet + 100*time.Millisecond
	if o.Patience <= time.Second {
		under += o.Patience
	}
	if o.ForcePoll {
		under += 2 * o.Poll
	}
	select {
	case c := <-s.changes:
		s.t.Fatalf("a change came that should not: %q", s.describe(c))
	case <-time.After(under):
	}
}

// gap lets time pass that the scenario consists of; nothing is synchronised by it.
func (s *stage) gap(d time.Duration) { <-time.After(d) }

// must fails the scenario when one of its own steps does.
func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) write(name, data string) {
	s.t.Helper()
	s.mkdir(filepath.ToSlash(filepath.Dir(name)))
	s.must(os.WriteFile(s.path(name), []byte(data), 0o600))
}

func (s *stage) appendTo(name, data string) {
	s.t.Helper()
	f, err := os.OpenFile(s.path(name), os.O_APPEND|os.O_WRONLY, 0)
	s.must(err)
	_, err = f.WriteString(data)
	s.must(errors.Join(err, f.Close()))
}

// replace writes another file and renames it over name.
func (s *stage) replace(name, data string) {
	s.t.Helper()
	s.write(name+".tmp", data)
	s.rename(name+".tmp", name)
}

func (s *stage) rename(from, to string) {
	s.t.Helper()
	s.must(os.Rename(s.path(from), s.path(to)))
}

func (s *stage) remove(name string) {
	s.t.Helper()
	s.must(os.RemoveAll(s.path(name)))
}

func (s *stage) mkdir(name string) {
	s.t.Helper()
	s.must(os.MkdirAll(s.path(name), 0o700))
}

// link makes name a symbolic link to target, which is relative to the folder of name.
func (s *stage) link(target, name string) {
	s.t.Helper()
	s.mkdir(filepath.ToSlash(filepath.Dir(name)))
	s.must(os.Symlink(filepath.FromSlash(target), s.path(name)))
}

// relink swaps a symbolic link the atomic way.
func (s *stage) relink(target, name string) {
	s.t.Helper()
	s.link(target, name+"_tmp")
	s.rename(name+"_tmp", name)
}

// script returns what plays steps, which stand on lines of their own or between semicolons: a
// method of stage and its arguments. A file and its content are written r.json=a, with one of the
// contents a to d, the beginning (a<3) or the end (a>3) of one, or any other text; of files that
// are seen also r.json:empty and r.json:folder, the faults of a folder.
func script(steps string) func(s *stage) {
	return func(s *stage) {
		s.t.Helper()
		for _, step := range strings.FieldsFunc(steps, func(r rune) bool { return r == ';' || r == '\n' }) {
			s.play(strings.Fields(step))
		}
	}
}

// play plays a step.
func (s *stage) play(words []string) {
	s.t.Helper()
	verb, args := words[0], words[1:]
	two := map[string]func(x, y string){"write": s.write, "append": s.appendTo, "replace": s.replace, "rename": s.rename, "link": s.link, "relink": s.relink}
	switch verb {
	case "write", "append", "replace":
		name, text, _ := strings.Cut(args[0], "=")
		two[verb](name, textOf(text))
	case "rename", "link", "relink":
		two[verb](args[0], args[1])
	case "remove":
		s.remove(args[0])
	case "mkdir":
		s.mkdir(args[0])
	case "truncate":
		size, err := strconv.Atoi(args[1])
		s.must(errors.Join(err, os.Truncate(s.path(args[0]), int64(size))))
	case "gap":
		d, err := time.ParseDuration(args[0])
		s.must(err)
		s.gap(d)
	case "watch":
		s.watch(args...)
	case "see":
		for i, arg := range args {
			name, text, ok := strings.Cut(arg, "=")
			invalid := strings.HasPrefix(text, "!")
			switch folder, fault, faulty := strings.Cut(arg, ":"); {
			case ok && invalid:
				args[i] = name + "=!" + textOf(text[1:])
			case ok:
				args[i] = name + "=" + textOf(text)
			case faulty:
				args[i] = folder + ": open " + s.path(folder) + ": " + map[string]string{"empty": ErrNoFiles.Error(), "folder": "is a directory"}[fault]
			}
		}
		s.expect(args...)
	case "silence":
		s.silence()
	default:
		s.t.Fatalf("no step %q", verb)
	}
}

// textOf returns the content that a step names.
func textOf(text string) string {
	all := map[string]string{"a": a, "b": b, "c": c, "d": d}
	if whole, ok := all[text]; ok {
		return whole
	}
	if len(text) == 3 && (text[1] == '<' || text[1] == '>') {
		whole, at := all[text[:1]], int(text[2]-'0')
		if text[1] == '<' {
			return whole[:at]
		}
		return whole[at:]
	}
	return strings.ReplaceAll(text, `\n`, "\n")
}

// noOpen is an event source that cannot be had.
func noOpen(err error) func() (*fsnotify.Watcher, error) {
	return func() (*fsnotify.Watcher, error) { return nil, err }
}
