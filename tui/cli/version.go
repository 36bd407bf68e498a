package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
)

// versionRow is `version`, the same as --version.
func (r *run) versionRow() row {
	return row{reads: noData, run: func(context.Context, []string) (*outcome, error) { return builtWith(), nil }}
}

// builtWith tells what the build recorded.
func builtWith() *outcome {
	v := built()
	line := fmt.Sprintf("caliper %s, %s", v.program, v.compiler)
	if v.revision != "" {
		line += ", revision " + v.revision
		if v.modified {
			line += " (modified)"
		}
	}
	return &outcome{page: oneLine(line), value: object{{"version", v.program}, {"go", v.compiler}, {"revision", v.revision}, {"time", v.time}, {"modified", v.modified}}}
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
