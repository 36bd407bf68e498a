package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// Settings that several commands set at once are all set.
func TestSetAtOnce(t *testing.T) {
	t.Parallel()
	for i := range 5 {
		name := write(t, "config.yaml", "tools:\n  tool_search:\n    enabled: auto # so\n")
		want := []string{fmt.Sprint("threshold_pct: ", 11+i%80), fmt.Sprint("search_default_limit: ", 2+i%9), fmt.Sprint("max_search_limit: ", 20+i%20)}
		var all sync.WaitGroup
		for _, setting := range want {
			all.Go(func() {
				key, value, _ := strings.Cut(setting, ": ")
				if code, _, complaints := command(t, "config", "set", "tools.tool_search."+key, value, "--config", name); code != 0 {
					t.Errorf("%s: exit code %d: %s", setting, code, complaints)
				}
			})
		}
		all.Wait()
		data, err := os.ReadFile(name)
		for _, setting := range append(want, "enabled: auto # so") {
			if !strings.Contains(string(data), setting) {
				t.Errorf("%s is lost: %s, %v", setting, data, err)
			}
		}
	}
}
