package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// dependent is a package whose tests may notice mutants of what it imports.
type dependent struct {
	*pkg
	tests
	reached []*mutant // those whose function its tests call
}

// dependents tries mutants that their own tests do not notice with the tests
// of the packages that import theirs, and returns the folder of the package
// that noticed each. All mutants are in each binary; those outside of
// functions are not tried, and tests that take longer than was asked for are
// not run.
func (l *laboratory) dependents(survivors []*mutant) (map[*mutant]string, error) {
	all, err := listPackages([]string{"./..."})
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(l.folder, "dependents-")
	if err != nil {
		return nil, err
	}
	of := map[*pkg][]*mutant{}
	for _, m := range survivors {
		of[m.pkg] = append(of[m.pkg], m)
	}
	files := map[string][]byte{}
	for p, mutants := range of {
		changed, _ := combined(p, mutants)
		for path, text := range changed {
			files[path] = text
		}
	}
	var found []*dependent
	for _, p := range all {
		if slices.ContainsFunc(survivors, func(m *mutant) bool { return p.imports(m.pkg) }) && p.tested() {
			found = append(found, &dependent{pkg: p})
		}
	}
	l.each(len(found), func(i int) {
		d := found[i]
		if err := l.ready(d, filepath.Join(folder, fmt.Sprint(i)), files, survivors); err != nil {
			fmt.Printf("the tests of %s could not be used: %v\n\n", d.folder, err)
		}
	})
	slices.SortStableFunc(found, func(a, b *dependent) int { return cmp.Compare(a.took, b.took) })
	by := make([]string, len(survivors))
	l.each(len(survivors), func(i int) {
		m := survivors[i]
		for _, d := range found {
			if !slices.Contains(d.reached, m) {
				continue
			}
			err := l.testTwice(d.pkg, d.binary, m.id, d.binary, 3*d.took+10*time.Second)
			if err == nil || l.stop.Err() != nil {
				continue
			}
			by[i] = d.folder
			fmt.Printf("noticed by %s (%s): %s\n\n", d.folder, failed.FindString(err.Error()), m)
			return
		}
	})
	noticed := map[*mutant]string{}
	for i, m := range survivors {
		if by[i] != "" {
			noticed[m] = by[i]
		}
	}
	return noticed, nil
}

// failed is what names a test that failed, or what ended the tests.
var failed = regexp.MustCompile(`--- FAIL: \S+|(?m:^(?:panic|fatal error): .*)|deadline exceeded`)

// each calls a function for 0 to n-1, as many at a time as mutants are tried.
func (l *laboratory) each(n int, f func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(l.options.jobs, 1) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := 0; i < n && l.stop.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
}

// ready builds a package's tests with the mutants and runs them without one,
// which says which mutants they reach.
func (l *laboratory) ready(d *dependent, folder string, files map[string][]byte, survivors []*mutant) error {
	err := os.Mkdir(folder, 0o700)
	if err != nil {
		return err
	}
	if d.binary, err = l.build(l.stop, d.pkg, folder, files); err != nil {
		return err
	}
	reached := filepath.Join(folder, "reached")
	started := time.Now()
	if err := l.test(l.stop, d.pkg, d.binary, 0, reached, l.options.depend); err != nil {
		return err
	}
	d.took = time.Since(started)
	text, _ := os.ReadFile(reached) // no file: none
	ids := strings.Fields(string(bytes.TrimSpace(text)))
	for _, m := range survivors {
		if slices.Contains(ids, fmt.Sprint(m.id)) && d.imports(m.pkg) {
			d.reached = append(d.reached, m)
		}
	}
	return nil
}

// imports reports whether the package or its tests import another.
func (p *pkg) imports(other *pkg) bool {
	for _, list := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
		if p.ImportPath != other.ImportPath && slices.Contains(list, other.ImportPath) {
			return true
		}
	}
	return false
}
