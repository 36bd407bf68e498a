package reach

import (
	"strings"

	"caliper/config"
	"caliper/model/clientfile"
)

// Remedy is a change of one setting of a file that mends a step.
type Remedy struct {
	File  string
	Key   string
	Path  []string // the keys that lead to the setting in a client's file; nil for one of the configuration
	Value any      // a text, a number, a boolean or a list of texts
}

// Write returns the bytes of the file with the value in it; all others stay.
func (r Remedy) Write(data []byte) ([]byte, error) {
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
