package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// remembered is how many runs are judged together: a run is small, and code changes.
const remembered = 10

// day is what one run, of one seed, found of each group.
type day struct {
	Seed   uint64            `json:"seed"`
	Groups map[string]*count `json:"groups"`
}

// addRun puts the counts of a run behind those of the runs before it, in place of one of
// its seed, and writes them all to a file; no path, no file. It returns the sums.
func addRun(path string, run day) (sums map[string]*count, err error) {
	var days []day
	if path != "" {
		text, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			if err := json.Unmarshal(text, &days); err != nil {
				return nil, err
			}
		}
	}
	days = append(slices.DeleteFunc(days, func(d day) bool { return d.Seed == run.Seed }), run)
	days = days[max(len(days)-remembered, 0):]
	sums = map[string]*count{}
	for _, d := range days {
		for group, c := range d.Groups {
			entry(sums, group).add(c)
		}
	}
	if path == "" {
		return sums, nil
	}
	text, err := json.MarshalIndent(days, "", "\t")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return sums, os.WriteFile(path, text, 0o644)
}

// add adds another count.
func (c *count) add(o *count) {
	c.Tried += o.Tried
	c.Noticed += o.Noticed
	c.Late += o.Late
	c.Untestable += o.Untestable
}
