// Command summary keeps what .ci/run needs to say at its end.
//
// "summary read FILE STEP" copies the output of go test, plain or with -json,
// to the log and appends what it says to FILE. "summary print FILE" prints
// what failed, what was skipped and why, and the slowest packages.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "read":
		err = read(os.Args[2], os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "print":
		err = print(os.Args[2])
	default:
		err = errors.New("usage: summary read FILE STEP | summary print FILE")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(2)
	}
}

// read reads one step's output and appends its results to the file.
func read(file, step string) error {
	r := newReader(step, os.Stdout)
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(out).Encode(r.results); err != nil {
		return err
	}
	return out.Close()
}

// print prints the summary of the steps in the file.
func print(file string) error {
	in, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	var steps []results
	for d := json.NewDecoder(in); ; {
		var r results
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		steps = append(steps, r)
	}
	write(os.Stdout, steps)
	return nil
}
