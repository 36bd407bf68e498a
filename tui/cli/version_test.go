package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-21T08:00:00Z"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"},
	}}
	want := version{program: "v1.2.3", compiler: "go1.26", revision: "abc", time: "2026-11-21T08:00:00Z", modified: true}
	if got := versionOf(info); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := versionOf(&debug.BuildInfo{}).program; got != "(devel)" {
		t.Errorf("version %q", got)
	}
}
