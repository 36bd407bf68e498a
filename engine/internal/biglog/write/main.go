// Command write writes big logs into folders that are named after their formats, and the
// registry that belongs to them, for measurements of the whole command:
//
//	go run ./engine/internal/biglog/write -mb 500 FOLDER [FORMAT...]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"caliper/engine/internal/biglog"
)

func main() {
	mb := flag.Int64("mb", 500, "size of each log in megabytes")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "want a folder, and formats of", biglog.Formats)
		os.Exit(2)
	}
	if err := write(flag.Arg(0), flag.Args()[1:], *mb*1_000_000); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write writes the logs of some formats; of all where none is named.
func write(folder string, formats []string, bytes int64) error {
	if len(formats) == 0 {
		for _, f := range biglog.Formats {
			formats = append(formats, string(f))
		}
	}
	for _, f := range formats {
		to := filepath.Join(folder, f)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := biglog.Write(to, biglog.Format(f), bytes); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "registry.json"), biglog.Registry(), 0o644)
}
