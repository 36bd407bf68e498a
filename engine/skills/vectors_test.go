package skills

import (
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// asked is an agent's list for the files of a case.
type asked struct {
	Name    string
	Context int
	Files   map[string]string
	Budget  string // SLASH_COMMAND_TOOL_CHAR_BUDGET
	Listed  string
}

// settings returns the settings of a case, those of the project last.
func (a asked) settings() Settings {
	var files [][]byte
	for _, path := range []string{"~/.claude/settings.json", "./.claude/settings.json", "./.claude/settings.local.json"} {
		files = append(files, []byte(a.Files[path]))
	}
	return ReadSettings(files, a.Budget)
}

// vectors returns what an agent listed.
func vectors(t *testing.T, host string) []asked {
	t.Helper()
	f, err := os.Open("testdata/" + host + ".json.gz")
	require.NoError(t, err)
	defer f.Close()
	text, err := gzip.NewReader(f)
	require.NoError(t, err)
	var all struct{ Cases []asked }
	require.NoError(t, json.NewDecoder(text).Decode(&all))
	return all.Cases
}

// skills returns the skills of a case.
func (a asked) skills(t *testing.T) (all []*Skill) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(a.Files)) {
		if filepath.Base(path) != File {
			continue
		}
		s, _, err := Parse(path, []byte(a.Files[path]))
		require.NoError(t, err)
		absolute := "/home/user" + path[1:]
		if path[0] == '.' {
			absolute = "/home/user/work" + path[1:]
		}
		s.Locate(filepath.FromSlash(absolute), filepath.FromSlash("/home/user"))
		all = append(all, s)
	}
	return all
}

func TestListIsWhatTheAgentSends(t *testing.T) {
	for _, host := range Hosts {
		for _, a := range vectors(t, host) {
			t.Run(host+"/"+a.Name, func(t *testing.T) {
				got, _ := List(host, a.skills(t), &a.Context, a.settings())
				want := strings.Split(strings.ToValidUTF8(a.Listed, "\ufffd"), "\n")
				have := strings.Split(got.Text(), "\n")
				for i := range max(len(have), len(want)) {
					if i >= len(have) || i >= len(want) || have[i] != want[i] {
						t.Fatalf("%d of %d used, %d own; line %d of %d\nhave %.300q\nwant %.300q", got.Used, got.Budget, got.Own, i, len(want),
							strings.Join(have[min(i, len(have)):], "\n"), strings.Join(want[min(i, len(want)):], "\n"))
					}
				}
			})
		}
	}
}
