//go:build unix

// Command growth measures how the commands of caliper grow with the registry
// and prints a table: for every command and size the CPU time of its
// process and the most memory it had, and the exponent with which the CPU time
// grows between the two largest sizes.
//
// CPU time is user and system time of the process, the least of several rounds,
// since other processes on the machine lengthen it and nothing shortens it. A
// command that takes seconds has fewer rounds. Memory is the most of the rounds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// options is what the flags say.
type options struct {
	binary, write, work string
	sizes               []int
	rounds              int
	limit               time.Duration
	only                *regexp.Regexp
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(2)
	}
}

// parse reads the flags.
func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("growth", flag.ContinueOnError)
	f.StringVar(&o.binary, "binary", "", "caliper `FILE` to measure")
	f.StringVar(&o.write, "write", "", "`FILE` of the tests of the package that makes registries, which writes one into a folder")
	f.StringVar(&o.work, "work", os.TempDir(), "`FOLDER` for temporary files")
	f.IntVar(&o.rounds, "rounds", 3, "`TIMES` that every command is run")
	f.DurationVar(&o.limit, "limit", time.Minute, "most CPU `TIME` of one command")
	sizes := f.String("sizes", "1000,10000,100000", "`NUMBERS` of tools, ascending")
	only := f.String("only", "", "measure the commands whose names match this `EXPRESSION`")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	last := 0
	for s := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n <= last {
			return o, fmt.Errorf("-sizes %s: want ascending numbers", *sizes)
		}
		o.sizes, last = append(o.sizes, n), n
	}
	var err error
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, err
	}
	if o.binary == "" || o.write == "" || o.rounds < 1 || f.NArg() > 0 {
		return o, fmt.Errorf("usage: .ci/growth [flags]; -h lists them")
	}
	o.binary, err = filepath.Abs(o.binary)
	return o, err
}

// run measures and prints the table.
func run(ctx context.Context, o options) error {
	folder, err := os.MkdirTemp(o.work, "growth-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	start, err := bench{o: o, folder: folder}.least(ctx, command{args: []string{"version"}}, 10)
	if err != nil {
		return err
	}
	var chosen []command
	for _, c := range commands {
		if o.only.MatchString(c.name) {
			chosen = append(chosen, c)
		}
	}
	rows := make([]row, len(chosen))
	for i, c := range chosen {
		rows[i].name = c.name
	}
	for _, size := range o.sizes {
		b := bench{o: o, folder: filepath.Join(folder, strconv.Itoa(size))}
		if err := b.prepare(ctx, size); err != nil {
			return err
		}
		for i, c := range chosen {
			m := measure{skipped: true}
			if !rows[i].unfinished() {
				if m, err = b.least(ctx, c, o.rounds); err != nil {
					return fmt.Errorf("%s, %d tools: %w", c.name, size, err)
				}
			}
			rows[i].measures = append(rows[i].measures, m)
			fmt.Fprintf(os.Stderr, "%s  %d tools  %s\n", c.name, size, m.cell(o.limit))
		}
		if err := os.RemoveAll(b.folder); err != nil {
			return err
		}
	}
	_, err = os.Stdout.WriteString(table(rows, o.sizes, start, o.limit))
	return err
}

// prepare writes the files of a size.
func (b bench) prepare(ctx context.Context, size int) error {
	if err := os.Mkdir(b.folder, 0o700); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, b.o.write, "-test.run", "^TestWrite$", "-folder", b.folder, "-tools", strconv.Itoa(size)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	name, err := os.ReadFile(filepath.Join(b.folder, "tool.txt"))
	if err != nil {
		return err
	}
	result := strings.Repeat("2026-11-22T10:00:00Z INFO a line of a log\n", 2000)
	arguments := fmt.Sprintf(`{"query": %q}`, name)
	for file, text := range map[string]string{"result.log": result, "search.json": arguments} {
		if err := os.WriteFile(filepath.Join(b.folder, file), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
