package e2e

import "testing"

const editorSwitch = "CALIPER_E2E_EDITOR"

func edit([]string) int { return 0 }

func TestProbe(t *testing.T) {
	s := newSite(t, 30)
	x := start(t, s.setup())
	x.Until("30 tools")
	t.Logf("\n%s", x.Screen())
	x.Type("weigh crate")
	x.Until("weigh_crate")
	x.Key("tab","tab")
	x.Key("*")
	t.Logf("\n%s", x.Until("harbour"))
	x.Resize(80,24)
	t.Logf("\n%s", x.UntilFunc("", func(s screen) bool {return s.Has("│") && len(s.lines)==24 && s.cells[23][0]!="│" && s.Has("ON") }))
	x.Resize(40,10)
	x.UntilFunc("", func(s screen) bool {return len(s.lines)==10 && s.whole })
	x.Key("tab")
	t.Logf("\n%s", x.UntilFunc("", func(s screen) bool {return len(s.lines)==10 && s.whole && s.Has("ON") }))
	x.Resize(20,6)
	t.Logf("\n%s", x.Until("40×10"))
	x.Key("q")
	t.Log(x.Exit())
	su:=s.setup("--session", "clerk")
	su.env=[]string{"NO_COLOR=1"}
	x = start(t, su)
	t.Logf("\n%s", x.Until("30 tools"))
	t.Logf("%q", x.Output()[:600])
	su.env=[]string{"TERM=dumb"}
	x = start(t, su)
	t.Logf("\n%s", x.Until("30 tools"))
	t.Logf("%q", x.Output()[:600])
}
