package reach

import (
	"caliper/config"
	"caliper/config/edit"
)

// Remedy is a change of one setting of a file that mends a step.
type Remedy struct {
	File  string
	Key   string
	Value any // a text, a number or a list of texts
}

// Write returns the bytes of the file with the value in it, as package edit writes them.
func (r Remedy) Write(data []byte) ([]byte, error) {
	return edit.Set(r.File, data, []edit.Change{{Key: r.Key, Value: r.Value}})
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
	case NoSearch:
		if s.Key != config.KeyMode {
			return nil
		}
		r.Value = string(config.On)
	case BelowLimit:
		if s.Rank > c.Snapshot.Config.ToolSearch.MaxLimit {
			return nil
		}
		r.Value = s.Rank
	}
	if r.Value == nil {
		return nil
	}
	return r
}
