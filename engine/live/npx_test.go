package live

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"caliper/model/require"
)

var (
	slow      = flag.Bool("slow", false, "run the slow suites: real servers, through npx, which may download them")
	npxFolder = flag.String("npx-folder", "", "folder to run npx in, such as one where the packages are installed")
)

// The official servers give the tools that the official Inspector lists.
func TestOfficialServers(t *testing.T) {
	if !*slow {
		t.Skip("needs -slow")
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip(err)
	}
	// Without npm's registry, as on machines that are kept apart, there is
	// nothing to compare with.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := exec.CommandContext(ctx, "npm", "view", "@modelcontextprotocol/inspector", "version").Run(); err != nil {
		t.Skipf("npm's registry: %v", err)
	}
	for name, args := range map[string][]string{
		"everything": {"-y", "@modelcontextprotocol/server-everything"},
		"filesystem": {"-y", "@modelcontextprotocol/server-filesystem", t.TempDir()},
		"memory":     {"-y", "@modelcontextprotocol/server-memory"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Stdio(name, npx, args...)
			s.hidden().dir = *npxFolder
			l, err := List(t.Context(), s, Options{Env: os.Environ(), Timeout: 3 * time.Minute})
			require.NoError(t, err)
			var names []string
			for _, raw := range l.Tools {
				tool, ok := readTool(raw)
				if !ok {
					t.Fatalf("%s", raw)
				}
				names = append(names, tool.name)
			}
			t.Logf("%s %s: %d tools, %d bytes of instructions, protocol %s", l.Name, l.Version, len(names), len(l.Instructions), l.ProtocolVersion)
			inspector := exec.CommandContext(t.Context(), npx, slices.Concat([]string{"-y", "@modelcontextprotocol/inspector", "--cli", npx}, args, []string{"--method", "tools/list"})...)
			inspector.Dir = *npxFolder
			out, err := inspector.Output()
			if err != nil {
				t.Fatalf("the Inspector: %v: %.500s", err, out)
			}
			var theirs struct{ Tools []struct{ Name string } }
			require.NoError(t, json.Unmarshal(out, &theirs))
			var want []string
			for _, tool := range theirs.Tools {
				want = append(want, tool.Name)
			}
			if !slices.Equal(names, want) {
				t.Errorf("%v, the Inspector lists %v", names, want)
			}
		})
	}
}
