package runner

import (
	"cmp"
	"runtime/debug"
)

// version is what the build recorded. A text is empty where it did not.
type version struct {
	Program, Compiler, Revision string
	Time                        string // of the revision
	Modified                    bool   // built from files that differ from the revision
}

// Built returns what the build of this program recorded.
func Built() version {
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return version{Program: "unknown"}
}

// versionOf reads the version out of a build's information.
func versionOf(info *debug.BuildInfo) version {
	v := version{Program: cmp.Or(info.Main.Version, "(devel)"), Compiler: info.GoVersion}
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
