package runner

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-21T08:00:00Z"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"},
	}}
	want := version{Program: "v1.2.3", Compiler: "go1.26", Revision: "abc", Time: "2026-11-21T08:00:00Z", Modified: true}
	if got := versionOf(info); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}).Program; got != "(devel)" {
		t.Errorf("version %q", got)
	}
}
