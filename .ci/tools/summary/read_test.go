package main

import (
	"strings"
	"testing"
)

func TestReader(t *testing.T) {
	tests := []struct{ name, in, log, summary string }{
		{"plain", "ok  \tcaliper/model\t0.512s\n--- FAIL: TestA (0.00s)\nFAIL\tcaliper/tui\t2.000s\nFAIL\n",
			"ok  \tcaliper/model\t0.512s\n--- FAIL: TestA (0.00s)\nFAIL\tcaliper/tui\t2.000s\nFAIL\n",
			"\nslowest packages, s:\n     2.0s caliper/tui\n     0.5s caliper/model\n\nfailed tests, s: 1\n  TestA\n\ns:\nFAIL\tcaliper/tui\t2.000s\n"},
		{"cached", "ok  \tcaliper/model\t(cached)\n", "ok  \tcaliper/model\t(cached)\n", ""},
		{"build failed", "FAIL\tcaliper/model [build failed]\n", "FAIL\tcaliper/model [build failed]\n", "\ns:\nFAIL\tcaliper/model [build failed]\n"},
		{"a skipped test as JSON",
			`{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}` + "\n" +
				`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: slow suite\n"}` + "\n" +
				`{"Action":"output","Package":"p","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}` + "\n" +
				`{"Action":"skip","Package":"p","Test":"TestA"}` + "\n" +
				`{"Action":"output","Package":"p","Output":"PASS\n"}` + "\n",
			"", "\nskipped tests, s: 1\n   1 slow suite\n       p TestA\n"},
		{"a failed test as JSON prints what it said",
			`{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: wrong\n"}` + "\n" +
				`{"Action":"fail","Package":"p","Test":"TestA"}` + "\n" +
				`{"Action":"output","Package":"p","Output":"FAIL\tp\t1.5s\n"}` + "\n" +
				`{"Action":"fail","Package":"p"}` + "\n",
			"    a_test.go:7: wrong\nFAIL\tp\t1.5s\n",
			"\nslowest packages, s:\n     1.5s p\n\nfailed tests, s: 1\n  p TestA\n\ns:\nFAIL\tp\t1.5s\n"},
		{"what a passed test printed is not in the log",
			`{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n",
			"", ""},
		{"a compile error as JSON", `{"ImportPath":"p","Action":"build-output","Output":"a.go:1: wrong\n"}` + "\n", "a.go:1: wrong\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var log, summary strings.Builder
			r := newReader("s", &log)
			for line := range strings.Lines(test.in) {
				r.line([]byte(line))
			}
			write(&summary, []results{r.results})
			if log.String() != test.log || summary.String() != test.summary {
				t.Errorf("log %q\nwant %q\nsummary %q\nwant    %q", &log, test.log, &summary, test.summary)
			}
		})
	}
}

func TestTheSuiteNamesEveryPackage(t *testing.T) {
	step := func(name string, packages ...result) results { return results{Step: name, Packages: packages} }
	good, bad := result{Line: "ok  \ta", Name: "a", OK: true}, result{Line: "FAIL\tb", Name: "b"}
	var got strings.Builder
	write(&got, []results{step(suite, good, bad), step("slow", good), step("slow", bad), step("race", good)})
	if want := "\ngo test ./...:\nok  \ta\nFAIL\tb\n\nslow:\nFAIL\tb\n"; got.String() != want {
		t.Errorf("got %q, want %q", &got, want)
	}
}
