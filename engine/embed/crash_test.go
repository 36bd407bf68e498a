package embed

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"caliper/model"
	"caliper/model/require"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// writerVariable makes the test binary a process that writes an index:
// "PATH,NAME,ROUNDS".
const writerVariable = "CALIPER_TEST_INDEX_WRITER"

func TestMain(m *testing.M) {
	if work := os.Getenv(writerVariable); work != "" {
		if err := write(work); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// crashTools are 400 tools; those of one process and round are
// others than those of every other. At 64 numbers a file of them is 115 kB.
func crashTools(name string, round int) []*model.Tool {
	tools := some(400)
	for i := range 20 {
		tools[i*20].Description = fmt.Sprintf("Round %d of %s.", round, name)
	}
	return tools
}

// write opens an index over and over, with other tools each time, checks what
// it gets and prints a line for each round.
func write(work string) error {
	fields := strings.Split(work, ",")
	rounds, err := strconv.Atoi(fields[2])
	if err != nil {
		return err
	}
	for round := range rounds {
		tools := crashTools(fields[1], round)
		v, err := Open(context.Background(), newFake(64), tools, fields[0], nil)
		if err := errors.Join(err, check(v, tools)); err != nil {
			return err
		}
		fmt.Println(round)
	}
	return nil
}

// check returns the fault of v as an index of tools.
func check(v *Vectors, tools []*model.Tool) error {
	if v == nil {
		return nil
	}
	if err := errors.Join(v.Unsaved(), v.Rebuilt()); err != nil {
		return err
	}
	fresh, err := Open(context.Background(), newFake(64), tools, "", nil)
	if err != nil {
		return err
	}
	got, err := v.Scores(context.Background(), "x", tools)
	if err != nil {
		return err
	}
	want, err := fresh.Scores(context.Background(), "x", tools)
	if err == nil && !slices.Equal(got, want) {
		err = errors.New("scores of another index")
	}
	return err
}

// startWriter starts a process that writes path, and returns it and what it
// prints.
func startWriter(t *testing.T, path, name string, rounds int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s,%s,%d", writerVariable, path, name, rounds))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	return c, bufio.NewScanner(out)
}

// TestKilledWriter kills a process at some moment of its writing. The index is
// then a round's, whole.
func TestKilledWriter(t *testing.T) {
	kills := 12
	if *slow {
		kills = 300
	}
	path := filepath.Join(t.TempDir(), "index")
	random := rand.New(rand.NewPCG(1, 2))
	unfinished := 0
	for kill := range kills {
		name := fmt.Sprint("k", kill)
		c, lines := startWriter(t, path, name, 1_000_000)
		if !lines.Scan() { // it is at work
			t.Fatal("the writer ended: ", c.Wait())
		}
		begun := time.Now()
		lines.Scan()
		// A kill has to come at a random moment of a round, whose length is
		// known by now.
		time.AfterFunc(time.Duration(random.Float64()*float64(time.Since(begun))), func() { c.Process.Kill() })
		last := 1
		for lines.Scan() {
			last, _ = strconv.Atoi(lines.Text())
		}
		c.Wait()

		old, err := load(path, origin(newFake(64).identity), 64)
		if err != nil {
			t.Fatalf("kill %d: %v", kill, err)
		}
		f := newFake(64)
		held := map[digest]bool{}
		for _, d := range old.digests {
			held[d] = true
		}
		if d := digestOf(crashTools(name, last)[0]); !held[d] {
			t.Fatalf("kill %d: the index of round %d, which was written, is not there", kill, last)
		}
		parts, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".index*"))
		unfinished += len(parts)
		tools := crashTools(name, last+1) // the one that was being written, or not yet
		v := mustOpen(t, f, tools, path)
		if n := len(f.taken()); n != 0 && n != 20 {
			t.Errorf("kill %d: %d were embedded again", kill, n)
		}
		if err := check(v, tools); err != nil {
			t.Errorf("kill %d: %v", kill, err)
		}
		if parts, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".index*")); len(parts) > 0 {
			t.Errorf("kill %d: the next start leaves %q", kill, parts)
		}
	}
	t.Logf("%d of %d kills came in the middle of a write", unfinished, kills)
}

// TestTwoWriters has three processes write one index at once, while this one
// reads it.
func TestTwoWriters(t *testing.T) {
	rounds := 15
	if *slow {
		rounds = 300
	}
	path := filepath.Join(t.TempDir(), "index")
	ended := make(chan error)
	const writers = 3
	for i := range writers {
		c, lines := startWriter(t, path, fmt.Sprint("w", i), rounds)
		go func() {
			for lines.Scan() {
			}
			ended <- c.Wait()
		}()
	}
	reads := 0
	for running := writers; running > 0; {
		select {
		case err := <-ended:
			running--
			if err != nil {
				t.Error(err)
			}
		default:
			_, err := load(path, origin(newFake(64).identity), 64)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			} else if err == nil {
				reads++
			}
		}
	}
	t.Logf("read %d times", reads)
	if parts, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".index*")); len(parts) > 0 {
		t.Errorf("left %q", parts)
	}
}
