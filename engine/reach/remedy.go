package reach

import (
	"strings"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model/clientfile"
)

// Remedy is a change of one setting of a file that mends a step.
type Remedy struct {
	File  string
	Key   string
	Path  []string // the keys that lead to the setting in a client's file; nil for one of the configuration
	Value any      // a text, a number, a boolean or a list of texts
	head  bool     // the setting is of the head of a subagent's file
}

// Write returns the bytes of the file with the value in it; all others stay.
func (r Remedy) Write(data []byte) ([]byte, error) {
	if list, ok := r.Value.([]string); ok && r.head {
		return live.WriteSubagent(r.File, data, r.Key, list)
	}
	if r.Path != nil {
		return clientfile.Set(r.File, data, r.Path, r.Value)
	}
	return config.Set(r.File, data, []config.Change{{Key: r.Key, Value: r.Value}})
}

// remedy returns the change that mends a step which fails; nil where no setting does, or
// nothing may be written.
func (c *chain) remedy(s Step) *Remedy {
	if s.File == "" || s.Key == "" {
		return nil
	}
	r := &Remedy{File: s.File, Key: s.Key}
	switch s.Code {
	case NotEnabled, NoToolset, Disabled:
		r.Value = c.scope().grant(s)
	case NoSearch, NotSelected:
		if s.Key != config.KeyMode {
			return nil
		}
		r.Value = string(config.On)
	case BelowLimit:
		if s.Rank > c.Snapshot.Config.ToolSearch.MaxLimit {
			return nil
		}
		r.Value = s.Rank
	case FilteredOut: // of clients whose lists are names alone
		if c.entry == nil || s.File != c.file || c.Host.Client != "codex" && c.Host.Client != "copilot" {
			return nil
		}
		by := s.Setting
		by.File = ""
		list := c.entry.Through(c.local, by)
		if r.Path = c.entry.Within(s.Key); r.Path == nil || list == nil {
			return nil
		}
		r.Value = list
	case NotListedFor:
		list := c.Subagent.Through(c.called, s.Setting)
		if list == nil {
			return nil
		}
		r.Value, r.head = list, true
	case SwitchedOff:
		if c.entry == nil || s.File != c.file {
			return nil
		}
		if r.Path = c.entry.Within(s.Key); r.Path == nil {
			return nil
		}
		r.Value = !strings.HasSuffix(s.Key, ".disabled")
	}
	if r.Value == nil {
		return nil
	}
	return r
}
