package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionJSON is what the program knows of its own making. Fields are empty
// where the build did not record them.
type versionJSON struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Revision string `json:"revision"`
	Time     string `json:"time"`     // of the revision
	Modified bool   `json:"modified"` // built from files that differ from the revision
}

// versionCommand is `version`, the same as --version.
func (r *run) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the revision and the Go version it was built with.",
		GroupID: groupAbout,
		Example: `caliper version
caliper version --json`,
		Args: argumentCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return r.printVersion() },
	}
}

// printVersion prints what the build recorded.
func (r *run) printVersion() error {
	v := versionJSON{Version: "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		v = versionOf(info)
	}
	if r.flags.json {
		return r.printJSON(v)
	}
	line := fmt.Sprintf("caliper %s, %s", v.Version, v.Go)
	if v.Revision != "" {
		line += ", revision " + v.Revision
		if v.Modified {
			line += " (modified)"
		}
	}
	r.page().text(line)
	return nil
}

// versionOf reads the version out of a build's information.
func versionOf(info *debug.BuildInfo) versionJSON {
	v := versionJSON{Version: info.Main.Version, Go: info.GoVersion}
	if v.Version == "" {
		v.Version = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
