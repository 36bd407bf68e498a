package reach

import (
	"errors"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model/clientfile"
)

// Remedy is a change of one setting of a file that mends a step.
type Remedy struct {
	File    string
	Key     string
	Path    []string // the keys that lead to the setting in a file of servers; nil for another one of the configuration
	Value   any      // a text, a number, a boolean or a list of texts; nil for Without
	Without string   // the entry that is taken out of the list at Path, which is about all servers
	head    bool     // the setting is of the head of a subagent's file
}

// offInProject ends the key of Claude Code's list of servers that are off in a project.
const offInProject = ".disabledMcpServers"

// errOther is why a list is not written from which a name is to be taken.
var errOther = errors.New("the list has another name for it")

// Write returns the bytes of the file with the value in it; all others stay.
func (r Remedy) Write(data []byte) ([]byte, error) {
	list, isList := r.Value.([]string)
	switch {
	case isList && r.head:
		return live.WriteSubagent(r.File, data, r.Key, list)
	case r.Path == nil:
		return config.Set(r.File, data, []config.Change{{Key: r.Key, Value: r.Value}})
	}
	return rewrite(r.File, data, r.Path, func(old []string) (any, error) {
		left := slices.DeleteFunc(slices.Clone(old), func(name string) bool { return name == r.Without })
		switch {
		case r.Without == "":
			return r.Value, nil
		case len(left) == len(old):
			return nil, errOther
		}
		return left, nil
	})
}

// rewrite returns the bytes of a file of JSON, TOML or YAML with another value at a path, which is made of the
// list that is there; all others stay. A file that is not there yet has no bytes.
func rewrite(file string, data []byte, path []string, value func(old []string) (any, error)) ([]byte, error) {
	if len(strings.TrimSpace(string(data))) == 0 && clientfile.Syntax(file, data) == "json" {
		data = []byte("{}\n")
	}
	parsed, _, err := clientfile.Parse(file, data)
	if err != nil {
		return nil, err
	}
	made, err := value(parsed.Root.Member(path...).Strings())
	switch {
	case err != nil:
		return nil, err
	case clientfile.Syntax(file, data) == "yaml":
		return config.SetIn(file, data, path, made)
	}
	return clientfile.Set(file, data, path, made)
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
	case FilteredOut:
		c.unfilter(r, s)
	case NotListedFor:
		if own := c.Files.Session(c.Snapshot.Session.Name).Subagent; own != nil {
			if list := own.Through(c.called, s.Setting); list != nil {
				r.Value, r.head = list, true
			}
		}
	case SwitchedOff:
		r.Path = c.within(s)
		switch {
		case r.Path != nil && strings.HasSuffix(s.Key, ".exposure"):
			r.Value = "codemode"
		case r.Path != nil:
			r.Value = !strings.HasSuffix(s.Key, ".disabled")
		case s.Key == "disabledMcpjsonServers" || s.Key == "mcp.excluded":
			r.Path, r.Without = strings.Split(s.Key, "."), c.entry.EntryName()
		case strings.HasSuffix(s.Key, offInProject):
			folder := strings.TrimSuffix(strings.TrimPrefix(s.Key, "projects."), offInProject)
			r.Path, r.Without = []string{"projects", folder, offInProject[1:]}, c.entry.EntryName()
		}
	}
	if r.Value == nil && r.Without == "" {
		return nil
	}
	return r
}

// within returns the keys of a setting of the server's own entry; nil for another setting, and where the
// file has its servers in a list.
func (c *chain) within(s Step) []string {
	if own, ok := strings.CutPrefix(s.Key, "mcp_servers."+c.server+"."); c.entry == nil && ok {
		return append([]string{"mcp_servers", c.server}, strings.Split(own, ".")...)
	}
	if c.entry == nil || s.File != c.file.Path || slices.Contains(listed, c.file.Client) {
		return nil
	}
	return c.entry.Within(s.Key)
}

// patterned are the clients whose lists hold more than names, or are read with more names than the file has.
var patterned = []string{"gemini", "qwen", "litellm", "open-webui"}

// unfilter makes of a filter that leaves the tool out one that lets it through.
func (c *chain) unfilter(r *Remedy, s Step) {
	path, by := c.within(s), s.Setting
	if c.entry == nil { // of the reference agent
		of, _ := c.Snapshot.Config.Agent.Server(c.server)
		list := append(slices.Clone(of.Include), c.local)
		if of.Include == nil {
			list = slices.DeleteFunc(append([]string{}, of.Exclude...), func(name string) bool { return name == c.local })
			of.Exclude = list
		}
		if of.Include != nil {
			of.Include = list
		}
		if path != nil && of.Registers(c.local, true) {
			r.Path, r.Value = path, list
		}
		return
	}
	if path != nil {
		by.File = ""
	}
	list := c.entry.Through(c.local, by)
	switch {
	case list == nil || slices.Contains(patterned, c.file.Client):
	case path != nil:
		r.Path, r.Value = path, list
	case s.Key == "permissions.deny":
		r.Path, r.Without = strings.Split(s.Key, "."), c.called
	}
}
