package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCommand is `version`, the same as --version.
func (r *run) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "version",
		Short:       "Print the version, the revision and the Go version it was built with.",
		GroupID:     groupAbout,
		Annotations: withoutData(),
		Example: `caliper version
caliper version --json`,
		Args: argumentCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return r.printVersion() },
	}
}

// printVersion prints what the build recorded.
func (r *run) printVersion() error {
	v := built()
	if r.flags.json {
		return r.printJSON(object{{"version", v.program}, {"go", v.compiler}, {"revision", v.revision}, {"time", v.time}, {"modified", v.modified}})
	}
	line := fmt.Sprintf("caliper %s, %s", v.program, v.compiler)
	if v.revision != "" {
		line += ", revision " + v.revision
		if v.modified {
			line += " (modified)"
		}
	}
	r.say(line)
	return nil
}

// version is what the build recorded. A text is empty where it did not.
type version struct {
	program, compiler, revision string
	time                        string // of the revision
	modified                    bool   // built from files that differ from the revision
}

// built returns what the build of this program recorded.
func built() version {
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return version{program: "unknown"}
}

// versionOf reads the version out of a build's information.
func versionOf(info *debug.BuildInfo) version {
	v := version{program: cmp.Or(info.Main.Version, "(devel)"), compiler: info.GoVersion}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.revision = s.Value
		case "vcs.time":
			v.time = s.Value
		case "vcs.modified":
			v.modified = s.Value == "true"
		}
	}
	return v
}
