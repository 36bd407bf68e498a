package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/engine/lint"
)

// Every finding that is wanted is told early, once, in the same order in every run,
// cheap rules' before any search; and then the progress goes on to its end.
func TestFoundEarly(t *testing.T) {
	for _, tt := range []struct {
		name string
		dump []byte
		c    config.Config
	}{
		{"faults", []byte(faultyDump), faultyConfig()},
		{"synthetic", fixture.Dump(700, 3), config.Default()},
	} {
		s := snapshot(t, tt.dump, tt.c)
		wanted := func(f lint.Finding) bool { return f.Code != lint.NearDuplicate }
		var early [2][]string
		var report lint.Report
		for run := range early {
			done, total, firstAt, asked := 0, 0, -1, 0
			var err error
			report, err = lint.Run(t.Context(), s, lint.Options{
				Keep: func(f lint.Finding) bool {
					asked++
					return wanted(f)
				},
				Found: func(f lint.Finding) {
					if firstAt < 0 {
						firstAt = done
					}
					if f.Remedy != nil || done == total {
						t.Errorf("%s: %s of %d: told with a remedy, or at the end", tt.name, f.Code, done)
					}
					early[run] = append(early[run], key(f))
				},
				Progress: func(d, all int) {
					if d != done+1 || total > 0 && all != total {
						t.Errorf("%s: %d of %d behind %d of %d", tt.name, d, all, done, total)
					}
					done, total = d, all
				},
			})
			if err != nil || done != total || total != len(s.Catalog())+2*len(s.Registry.Tools) {
				t.Errorf("%s: %v, %d of %d", tt.name, err, done, total)
			}
			if firstAt > len(s.Registry.Tools) || asked < len(report.Findings) {
				t.Errorf("%s: the first finding comes behind %d of %d", tt.name, firstAt, total)
			}
		}
		if !slices.Equal(early[0], early[1]) {
			t.Errorf("%s: not in the same order twice", tt.name)
		}
		var all []string
		for _, f := range report.Findings {
			all = append(all, key(f))
		}
		slices.Sort(all)
		slices.Sort(early[0])
		if len(all) != len(early[0]) {
			t.Fatalf("%s: %d findings, %d early", tt.name, len(all), len(early[0]))
		}
		for i := range all {
			if !strings.HasPrefix(all[i], early[0][i]) {
				t.Errorf("%s: %s, early %s", tt.name, all[i], early[0][i])
			}
		}
	}
}

// key identifies a finding; the key of one without a remedy goes on at the end.
func key(f lint.Finding) string {
	index := -1
	if f.Tool != nil {
		index = f.Tool.Index
	}
	return fmt.Sprintf("%05d %s %s %s", index, f.Code, f.Severity, f.Message)
}
