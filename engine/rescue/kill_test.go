package rescue

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"caliper/model/require"
)

// job is the environment variable that makes the test binary a worker of the
// kill suite instead of a test run: its role, its folder, which may have blanks in its
// path, and its arguments, with jobMark between them.
const (
	job     = "CALIPER_STORE_TEST_JOB"
	jobMark = "\n"
)

var slow = flag.Bool("slow", false, "run the slow suites")

func TestMain(m *testing.M) {
	if line := os.Getenv(job); line != "" {
		if err := work(strings.Split(line, jobMark)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(require.Run(m))
}

// work does what a worker process does until it ends or is killed.
func work(args []string) error {
	role, dir := args[0], args[1]
	if role == "limited" || role == "small" {
		return fill(role, dir)
	}
	s, err := OpenStore(dir, StoreOptions{})
	if err != nil {
		return err
	}
	number := func(i int) int { n, _ := strconv.Atoi(args[i]); return n }
	switch role {
	case "write": // writer, first, end
		for i := number(3); i < number(4); i++ {
			m, err := s.Put(context.Background(), "writer-"+args[2], "t", Text, []byte(killText(number(2), i)))
			if err != nil {
				return err
			}
			fmt.Println(i, m.ID) // one write: whole, or not there
		}
	case "sweep": // until killed
		for {
			if _, err := s.Sweep(context.Background(), false); err != nil {
				return err
			}
			fmt.Println("swept")
			time.Sleep(rand.N(time.Second))
		}
	case "churn": // makes orphans of what writers put too, until killed
		for i := 0; ; i = (i + 4) % 500 {
			m, err := s.Put(context.Background(), "churn", "", Text, []byte(killText(0, i)))
			if err != nil {
				return err
			}
			s.remove(notePath(refs, sessionHash("churn"), m.ID))
			fmt.Println("left an orphan")
			time.Sleep(rand.N(10 * time.Millisecond))
		}
	}
	return nil
}

// killText is the i-th result of a writer. Every fourth is the same
// for all writers.
func killText(writer, i int) string {
	if i%4 == 0 {
		writer = 0
	}
	return strings.Repeat(fmt.Sprintf("result %d of %d\n", i, writer), 1+i%1000*3)
}

// workTime is how long after its last piece of work a worker is killed: a put takes about as long.
const workTime = 10 * time.Millisecond

// run runs a worker whose output goes to lines, one for each piece of work, and kills it after up
// to most of them, in the midst of the next: a time since the start would, where a start takes
// long, kill nearly all before they have done anything. It returns whether the worker was killed,
// and whether it ended by itself and well.
func run(ctx context.Context, most int, lines func(string), args ...any) (killed, ok bool) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), job+"="+fmt.Sprintf(strings.Repeat("%v"+jobMark, len(args)), args...))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return ctx.Err() != nil, false
	}
	in := bufio.NewScanner(out)
	for left := rand.N(most + 1); left > 0 && in.Scan(); left-- {
		lines(in.Text())
	}
	time.AfterFunc(rand.N(workTime), func() { cmd.Process.Kill() })
	for in.Scan() {
		lines(in.Text())
	}
	err = cmd.Wait()
	return cmd.ProcessState.ExitCode() < 0, err == nil
}

// TestKilledProcesses runs writers, sweepers and a churner against one folder
// and kills them at random times. Whatever a put returned for must be there.
func TestKilledProcesses(t *testing.T) {
	writers, puts, most := 4, 40, 10
	if *slow {
		writers, puts, most = 8, 150, 30
	}
	dir := filepath.Join(t.TempDir(), "store")
	var helpers, all sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for _, role := range []string{"sweep", "sweep", "churn"} {
		helpers.Go(func() {
			for ctx.Err() == nil {
				run(ctx, most, func(string) {}, role, dir)
			}
		})
	}
	acknowledged := make([]map[int]string, writers)
	killed := make([]int, writers)
	for w := range writers {
		acknowledged[w] = map[int]string{}
		all.Go(func() {
			for next := 0; next < puts && !t.Failed(); {
				wasKilled, ok := run(t.Context(), most, func(line string) {
					a, id, _ := strings.Cut(line, " ")
					if i, err := strconv.Atoi(a); err == nil && len(id) == idLength {
						acknowledged[w][i] = id
						next = i + 1
						// An earlier result at once, while all go on, by a process that has not seen it.
						earlier := rand.N(next)
						got, _, err := fetchFresh(dir, fmt.Sprint("writer-", w), acknowledged[w][earlier])
						if err != nil || got != killText(w, earlier) {
							t.Errorf("put %d of writer %d, in between: %.40q, %v", earlier, w, got, err)
						}
					}
				}, "write", dir, w, next, puts)
				switch {
				case wasKilled:
					killed[w]++
				case !ok:
					t.Error("a writer failed by itself")
				}
			}
		})
	}
	all.Wait()
	stop()
	helpers.Wait()

	if t.Failed() {
		return
	}
	s := open(t, dir, StoreOptions{})
	total, kills := 0, 0
	for w, ids := range acknowledged {
		kills += killed[w]
		for i := range puts {
			id, ok := ids[i]
			if !ok {
				t.Fatalf("put %d of writer %d never returned", i, w)
			}
			total++
			holds(t, s, fmt.Sprint("writer-", w), id, killText(w, i))
		}
	}
	swept := sweepAll(t, s)
	noOrphans(t, s)
	for w, ids := range acknowledged {
		for i, id := range ids {
			holds(t, s, fmt.Sprint("writer-", w), id, killText(w, i))
		}
	}
	if st, err := s.Status(t.Context()); err != nil || st.Quarantined != 0 {
		t.Fatalf("%+v, %v", st, err)
	}
	t.Logf("%d puts fetched, %d writers killed, the last sweep found %+v", total, kills, swept)
}

// fetchFresh fetches with nothing verified before.
func fetchFresh(dir, session, id string) (string, Meta, error) {
	s, err := OpenStore(dir, StoreOptions{})
	if err != nil {
		return "", Meta{}, err
	}
	defer s.Close()
	return fetch(s, session, id)
}

// noOrphans walks the folder itself and fails on whatever belongs to nothing.
func noOrphans(t *testing.T, s *Store) {
	t.Helper()
	have, wanted := map[string]bool{}, map[string]bool{}
	err := fs.WalkDir(os.DirFS(s.path), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch kind, _, _ := strings.Cut(p, "/"); kind {
		case blobs:
			have[path.Base(p)] = true
		case refs:
			id, _ := noteID(path.Base(p))
			wanted[id] = true
		case marker, "lock", tombstones:
		default:
			t.Errorf("%s is left over", p)
		}
		return nil
	})
	require.NoError(t, err)
	for id := range have {
		if !wanted[id] {
			t.Errorf("blob %s: nobody refers to it", id)
		}
	}
	for id := range wanted {
		if !have[id] {
			t.Errorf("reference to %s: no content", id)
		}
	}
}
