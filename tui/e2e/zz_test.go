package e2e
import ("testing";"time")
func TestZZ(t *testing.T) {
	for i := range 30 {
	x := start(t, newSite(t, 30).setup())
	time.Sleep(time.Duration(i)*time.Millisecond)
	x.Type("weigh")
	x.Until("30 tools")
	x.Key("alt+x")
	x.Key("left")
	x.quiet(100*time.Millisecond)
	t.Logf("%d ms %q", i, queryLine(x.Screen()))
	x.Key("ctrl+c")
	x.Exit()
	}
}
