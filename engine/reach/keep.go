package reach

import (
	"fmt"
	"slices"

	"caliper/engine/live"
)

// keepers are the members of a server's entry, and their values, with which clients send all of its tools with every
// request (package live, Server.AlwaysBy).
var keepers = map[string][2]any{"claude-code": {"alwaysLoad", true}, "copilot": {"deferTools", "never"}}

// Keeps returns the settings by which the clients of some files send tools that pay with every request, in the order of the
// files, and the servers whose tools they go on to defer: those that do not pay as a whole, and those of clients
// without such a setting. Nothing is said of a server that is off, or sent already.
func Keeps(paying []Part, files []live.ClientFile) (keeps []Trim, left []Untrimmed) {
	for _, f := range files {
		for i := range f.Servers {
			s := &f.Servers[i]
			for _, of := range paying {
				k, known := keepers[f.Client]
				n, path := len(namesAt(s, f.Servers, of.Tools)), s.Within(fmt.Sprint(s.At, ".", k[0]))
				switch {
				case n == 0 || !s.Enabled || s.Problem != "" || s.Always:
				case known && of.Whole && path != nil:
					keeps = append(keeps, Trim{Client: f.Client, File: f.Path, Path: path, Value: k[1]})
				default:
					left = append(left, Untrimmed{f.Client, f.Path, s.EntryName(), n, slices.Contains(listed, f.Client), known})
				}
			}
		}
	}
	return keeps, left
}

// KeepCore returns the setting by which the reference agent always sends tools beside those of a list, in the file of
// its configuration. The list is written whole, since a file that has one replaces the agent's own.
func KeepCore(file string, core []string, paying []Part) Trim {
	list := slices.Clone(core)
	for _, of := range paying {
		for _, t := range of.Tools {
			if !slices.Contains(list, t.Name) {
				list = append(list, t.Name)
			}
		}
	}
	return Trim{Client: "hermes", File: file, Path: []string{"tools", "core"}, Value: list}
}
