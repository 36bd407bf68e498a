//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var slow = flag.Bool("slow", false, "run the slow tests")

func TestExponent(t *testing.T) {
	of := func(times ...time.Duration) row {
		var r row
		for _, d := range times {
			r.measures = append(r.measures, measure{cpu: d * time.Millisecond})
		}
		return r
	}
	unfinished := of(110)
	unfinished.measures = append(unfinished.measures, measure{unfinished: true})
	for _, c := range []struct {
		name string
		row  row
		want string
	}{
		{"linear", of(20, 110, 1010), "1.00"},
		{"quadratic", of(20, 110, 10010), "2.00"},
		{"the example", of(20, 110, 1310), "1.11"},
		{"the same at every size", of(20, 110, 110), "0.00"},
		{"hardly more than a start", of(11, 12, 110), ""},
		{"one size", of(20), ""},
		{"unfinished", unfinished, ""},
	} {
		sizes := []int{1000, 10000, 100000}[:len(c.row.measures)]
		if n := len(sizes); n == 2 {
			sizes = []int{10000, 100000}
		}
		got := ""
		if e, ok := c.row.exponent(sizes, 10*time.Millisecond); ok {
			got = fmt.Sprintf("%.2f", e)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	rows := []row{{name: "lint", measures: []measure{
		{cpu: 1234 * time.Millisecond, memory: 26_400_000}, {unfinished: true}, {skipped: true},
	}}}
	got := table(rows, []int{1000, 10000, 100000}, measure{cpu: 21 * time.Millisecond, memory: 9e6}, 2*time.Minute)
	want := `CPU s/MB                             1,000      10,000     100,000  exponent
start (version)                    0.021/9     0.021/9     0.021/9
lint                               1.23/26  over 120 s   not tried
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// script makes a bench whose binary is a shell script.
func script(t *testing.T, text string) bench {
	folder := t.TempDir()
	binary := filepath.Join(folder, "binary")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "tool.txt"), []byte("name"), 0o600); err != nil {
		t.Fatal(err)
	}
	return bench{o: options{binary: binary, limit: time.Minute}, folder: folder}
}

func TestLeast(t *testing.T) {
	b := script(t, `[ "$1" = name ] || exit 2; [ -e "$HOME/seen" ] && exit 2; : >"$HOME/seen"; exit 1`)
	m, err := b.least(t.Context(), command{args: []string{"TOOL"}, tool: true}, 3)
	if err != nil || m.cpu <= 0 || m.memory <= 0 || m.unfinished {
		t.Errorf("%+v, %v", m, err)
	}
	b = script(t, `[ -e "$HOME/seen" ] && exit 0; : >"$HOME/seen"; exit 1`)
	if _, err := b.least(t.Context(), command{warm: true}, 2); err != nil {
		t.Error(err)
	}
	b = script(t, "echo broken >&2; exit 2")
	if _, err := b.least(t.Context(), command{}, 1); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("exit code 2: %v", err)
	}
}

func TestLimit(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		limit time.Duration
	}{
		"work":  {"while :; do :; done", 10 * time.Millisecond},
		"sleep": {"exec sleep 60", 2 * time.Millisecond},
	} {
		b := script(t, c.text)
		b.o.limit = c.limit
		m, err := b.least(t.Context(), command{}, 3)
		if err != nil || !m.unfinished {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// The system ends a process at the limit, in whole seconds.
func TestLimitCPU(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux limits another process")
	}
	if !*slow {
		t.Skip("takes a second of CPU time: -slow")
	}
	b := script(t, "while :; do :; done")
	b.o.limit = time.Second
	m, err := b.once(t.Context(), command{}, t.TempDir())
	if err != nil || !m.unfinished {
		t.Errorf("%+v, %v", m, err)
	}
}
