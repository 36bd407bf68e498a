package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

var update = flag.Bool("update", false, "rewrite the golden file of warnings")

// june returns the settings of tool search as the June agent has them.
func june(enabled Mode, pct float64, limit, most int) ToolSearch {
	t := Default().ToolSearch
	t.Enabled, t.ThresholdPct, t.DefaultLimit, t.MaxLimit = enabled, pct, limit, most
	return t
}

func TestVectors(t *testing.T) {
	for i, c := range vectorCases(t, "testdata") {
		t.Run(fmt.Sprintf("%d %s", i, c.Note), func(t *testing.T) {
			f, err := Parse("config.yaml", []byte(c.YAML))
			want := june(Mode(c.Want.Enabled), c.Want.ThresholdPct, c.Want.SearchDefaultLimit, c.Want.MaxSearchLimit)
			if f.ToolSearch != want {
				t.Errorf("%q:\n got %+v\nwant %+v", c.YAML, f.ToolSearch, want)
			}
			if c.Surprising && err == nil && len(f.Warnings) == 0 {
				t.Errorf("%q: surprising, and nothing is said about it", c.YAML)
			}
			checkFile(t, f, err)
		})
	}
}

// TestVectorWarnings compares the warnings about every vector with a golden
// file: input, then one line for each diagnostic.
func TestVectorWarnings(t *testing.T) {
	var b strings.Builder
	for _, c := range vectorCases(t, "testdata") {
		fmt.Fprintf(&b, "%.120q\n", c.YAML)
		f, err := Parse("", []byte(c.YAML))
		list := f.Warnings
		if err != nil {
			var d model.Diagnostic
			if !errors.As(err, &d) {
				t.Fatalf("%q: error %T", c.YAML, err)
			}
			list = append(list, d)
		}
		for _, d := range list {
			fmt.Fprintf(&b, "\t%s [%s]\n", d.Error(), d.Code)
		}
	}
	name := filepath.Join("testdata", "vectors.golden")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s:%d:\n got %q\nwant %q", name, i+1, got[min(i, len(got)-1)], line)
		}
	}
	if b.String() != string(want) {
		t.Fatalf("%s: output goes on after its end", name)
	}
}

func TestCoreList(t *testing.T) {
	if n := len(Default().Core); n != 49 {
		t.Errorf("%d names, want 49", n)
	}
	data, err := os.ReadFile("../../shared/registries/hermes_core_names.json")
	if err != nil {
		t.Skip("the list is not here")
	}
	var want []string
	require.NoError(t, json.Unmarshal(data, &want))
	if got := Default().Core; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// vectorCase is one file of testdata/config.json and what the reference agent makes
// of it.
type vectorCase struct {
	YAML string
	Want struct {
		Enabled            string  `json:"enabled"`
		ThresholdPct       float64 `json:"threshold_pct"`
		SearchDefaultLimit int     `json:"search_default_limit"`
		MaxSearchLimit     int     `json:"max_search_limit"`
	}
	Surprising bool
	Note       string
}

// vectorCases returns the cases of a folder of test data.
func vectorCases(t testing.TB, testdata string) []vectorCase {
	t.Helper()
	var file struct{ Cases []vectorCase }
	readVectors(t, testdata+"/config.json", &file)
	if len(file.Cases) != 84 {
		t.Fatalf("%d cases, want 84", len(file.Cases))
	}
	return file.Cases
}

// readVectors decodes a file of test data.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	require.NoError(t, err)
}
