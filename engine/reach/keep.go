package reach

import (
	"slices"

	"caliper/engine/live"
	"caliper/model"
)

// Paying is tools of one server that it pays to send with every request; Whole: with all others of the server.
type Paying struct {
	Tools []*model.Tool
	Whole bool
}

// keepers are the members of a server's entry with which clients send all of its tools with every request (package
// live, Server.AlwaysBy).
var keepers = map[string]struct {
	key   string
	value any
}{"claude-code": {"alwaysLoad", true}, "copilot": {"deferTools", "never"}}

// Keeps returns the settings by which the clients of some files send what pays with every request, in the order of the
// files, and the servers whose tools they go on to defer: those that do not pay as a whole, and those of clients
// without such a setting. Nothing is said of a server that is off, or sent already.
func Keeps(paying []Paying, files []live.ClientFile) (keeps []Trim, left []Untrimmed) {
	for _, f := range files {
		for i := range f.Servers {
			s := &f.Servers[i]
			for _, of := range paying {
				k, known := keepers[f.Client]
				n, path := len(namesAt(s, f.Servers, of.Tools)), s.Within(s.At+"."+k.key)
				switch {
				case n == 0 || !s.Enabled || s.Problem != "" || s.Always:
				case known && of.Whole && path != nil:
					keeps = append(keeps, Trim{Client: f.Client, File: f.Path, Path: path, Value: k.value})
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
func KeepCore(file string, core []string, paying []Paying) Trim {
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
