// Command mutate changes the code of this module in small ways, one at a time,
// and reports which of the changes the tests of the changed package notice.
//
// A change (a mutant) negates a condition, swaps an operator, moves a number
// by one, drops a statement, or returns a zero value. The tree is never
// touched: mutants are compiled through an overlay, and the tests run in a copy
// of the tree with a home and a temporary folder of their own. A change that
// does not compile is not counted. Changes that change nothing are listed by
// hand, with the reason, in .ci/equivalent.txt.
//
// The sample is drawn by the hash of a mutant's text, so one seed draws the
// same mutants of code that did not change. The seed is the date, so that each
// day tries others; a share is judged over the last runs together, which are
// kept in the user's cache folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	n        int
	seed     uint64
	sums     string
	jobs     int
	files    *regexp.Regexp
	match    *regexp.Regexp
	patterns []string
	list     bool
	depend   time.Duration
	verbose  bool
}

func main() {
	var o options
	var files, match, packages string
	flag.IntVar(&o.n, "n", 25, "`mutants` to try in each group (config, model, engine, watch, gates); 0 tries all")
	flag.Uint64Var(&o.seed, "seed", today(), "draws the sample, and the data of the property tests")
	flag.StringVar(&o.sums, "sums", sumsPath(), "`file` of the runs that are judged together with this one; empty: none")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "mutants tried at a time, each on one core")
	flag.StringVar(&files, "files", "", "only files whose path matches this regular `expression`")
	flag.StringVar(&match, "match", "", "only mutants whose function, old or new line matches this regular `expression`")
	flag.StringVar(&packages, "packages", "./config/... ./model/... ./engine/... ./watch/...", "packages to change")
	flag.BoolVar(&o.list, "list", false, "print the mutants of the sample and try none")
	flag.DurationVar(&o.depend, "dependents", 0, "try what is not noticed with the tests of packages that import it, too, where those take no longer than this `time` without a mutant")
	flag.BoolVar(&o.verbose, "v", false, "print the mutants that were noticed, too")
	flag.Parse()
	o.patterns = strings.Fields(packages)
	var err error
	if o.files, err = regexp.Compile(files); err == nil {
		o.match, err = regexp.Compile(match)
	}
	if err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "mutate: usage: .ci/mutate [-n N] [-seed N] [-files EXPRESSION] [-match EXPRESSION] [-packages LIST] [-sums FILE] [-j N] [-dependents TIME] [-list] [-v]")
		os.Exit(2)
	}
	c, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	enough, err := run(c, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !enough {
		os.Exit(1)
	}
}

// run tries the sample and reports whether every group reaches its share.
func run(c context.Context, o options) (enough bool, err error) {
	equivalent, err := readEquivalent(".ci/equivalent.txt")
	if err != nil {
		return false, err
	}
	packages, err := listPackages(o.patterns)
	if err != nil {
		return false, err
	}
	sample, err := draw(c, packages, equivalent, o)
	if err != nil {
		return false, err
	}
	if o.list {
		for _, m := range sample {
			fmt.Println(m)
		}
		fmt.Printf("%d mutants\n", len(sample))
		return true, nil
	}
	started := time.Now()
	l, err := newLaboratory(c, o)
	if err != nil {
		return false, err
	}
	defer l.close()
	l.prepare(sample)
	r := &report{verbose: o.verbose}
	l.each(len(sample), func(i int) { r.add(sample[i], l.try(sample[i])) })
	var noticed map[*mutant]string
	if o.depend > 0 && c.Err() == nil {
		if noticed, err = l.dependents(r.survivors); err != nil {
			return false, err
		}
	}
	sums := r.groups
	if c.Err() == nil && o.files.String()+o.match.String() == "" { // a sample of everything
		if sums, err = addRun(o.sums, day{o.seed, r.groups}); err != nil {
			return false, err
		}
	}
	if o.depend > 0 {
		fmt.Printf("%d of %d that their own tests do not notice are noticed by dependents\n\n", len(noticed), len(r.survivors))
	}
	enough = r.print(sums, len(sample), time.Since(started), equivalent.unused(o))
	return enough && c.Err() == nil, nil
}

// today returns the date as a number, such as 20261128.
func today() uint64 {
	year, month, day := time.Now().UTC().Date()
	return uint64(year*10000 + int(month)*100 + day)
}

// sumsPath returns the file of the last runs; empty where there is no cache folder.
func sumsPath() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "caliper-mutants.json")
}
