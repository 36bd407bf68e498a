package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"caliper/engine/live"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/tui/report"
)

// The configurations of clients are read in one way, whether they are named by
// --mcp-config or are a SOURCE.

// configsOf reads the configurations i.clients, whose contents are data. No two servers
// have one name.
func (i *importing) configsOf(data [][]byte) ([]live.Config, error) {
	configs := make([]live.Config, len(i.clients))
	for n, file := range i.clients {
		var err error
		if configs[n], err = live.ParseClientConfig(file, data[n]); err != nil {
			// SECURITY: the message repeats no value of the file.
			return nil, inputErrors{{Code: "client_config", Message: safetext.Line(err.Error())}}
		}
		for _, name := range configs[n].Repeated {
			i.tell(fmt.Sprintf("warning: %s: server %q occurs several times; the last one counts", file, name))
		}
	}
	i.heedClaude(configs)
	i.renameRepeated(configs)
	return configs, nil
}

// heedClaude switches off the servers that Claude Code does not have.
func (i *importing) heedClaude(configs []live.Config) {
	files := make([]live.ClientFile, len(configs))
	for n, file := range i.clients {
		path, err := filepath.Abs(file)
		if err != nil {
			path = file
		}
		files[n] = live.ClientFile{Path: path, Config: configs[n]}
	}
	for _, note := range i.run.places().Heed(files) {
		i.tell(note)
	}
	for n, f := range files {
		configs[n] = f.Config
	}
}

// sourcesAreConfigs lists the servers of sources each of which is the configuration of a
// client; nil where one is not, or none has servers.
//
// SECURITY: a SOURCE starts no server: the user names those by --server or --all.
func (i *importing) sourcesAreConfigs(ctx context.Context, sources []model.Source) (*outcome, error) {
	i.clients = nil
	var data [][]byte
	for _, s := range sources {
		_, err := shapes.Once(ctx, s)
		var d model.Diagnostic
		if !errors.As(err, &d) || !slices.Contains([]string{"client_config", "unknown_format"}, d.Code) || s.Toolset != "" {
			return nil, nil
		}
		i.clients, data = append(i.clients, s.Name), append(data, s.Data)
	}
	configs, err := i.configsOf(data)
	if err != nil || !slices.ContainsFunc(configs, func(c live.Config) bool { return len(c.Servers) > 0 }) {
		return nil, nil // what is wrong with them as sources says more
	}
	return i.list(configs)
}

// renameRepeated gives every server of several configurations a name that no
// other has: the first of a name keeps it, and it writes what the others are
// called.
func (i *importing) renameRepeated(configs []live.Config) {
	taken := map[string]string{} // the file of a name
	for n, c := range configs {
		for _, s := range c.Servers {
			if _, ok := taken[s.Name]; !ok {
				taken[s.Name] = i.clients[n]
			}
		}
	}
	seen := map[string]bool{}
	for n, c := range configs {
		for m := range c.Servers {
			s := &c.Servers[m]
			if !seen[s.Name] {
				seen[s.Name] = true
				continue
			}
			given, number := s.Name, 2
			for ; taken[fmt.Sprintf("%s-%d", given, number)] != ""; number++ {
			}
			s.Name = fmt.Sprintf("%s-%d", given, number)
			taken[s.Name], seen[s.Name] = taken[given], true
			i.tell(fmt.Sprintf("server %s of %s is called %s here: %s has one of this name too", given, i.clients[n], s.Name, taken[given]))
		}
	}
}

// list prints the servers of clients' configurations; none is started. The
// client is empty where its file does not name one. The answer is no when a dump was wanted.
func (i *importing) list(configs []live.Config) (*outcome, error) {
	type one struct {
		file string
		live.Config
	}
	var list []one
	for n, c := range configs {
		list = append(list, one{i.clients[n], c})
	}
	value := object{{"configs", array(list, func(c one) object {
		return object{{"file", c.file}, {"client", c.Client}, {"servers", notNull(c.Servers)}}
	})}}
	text := new(report.Report)
	for _, c := range list {
		client := ""
		if c.Client != "" {
			client = c.Client + "  "
		}
		text.Head(report.Count(len(c.Servers), "server"), "%s%s", client, report.Name(c.file))
		t := report.Columns("server", "by", "where…")
		for _, s := range c.Servers {
			where := s.URL
			if s.Transport == live.StdioTransport {
				where = strings.Join(append([]string{s.Command}, s.Args...), " ")
			}
			if !s.Enabled {
				where = "(off) " + where
			}
			if s.Problem != "" {
				where = "(cannot be asked) " + s.Problem
			}
			t.Row(report.Name(s.Name), string(s.Transport), report.Name(where))
		}
		if !t.Empty() {
			text.Table(t)
		}
		for _, s := range c.Servers {
			if s.Off != "" {
				text.Line(report.Textf("  server %v is off: %v", report.Name(s.Name), report.Name(s.Off)))
			}
			for _, fault := range filterFaults(s, c.Client) {
				text.Line(report.Textf("  warning: server %v: %v", report.Name(s.Name), report.Name(fault)))
			}
		}
		text.Blank()
	}
	text.Line("none was started; --server NAME or --all asks them for their tools")
	if i.file != "" {
		i.run.complain("caliper: " + i.file + " is not written: no server was asked; --server NAME or --all asks them for their tools")
	}
	return &outcome{value: value, page: text, no: i.file != ""}, nil
}

// filterFaults returns a line for each setting in the entry of a server that is not used,
// here or by the client itself, and for each of its filters that is no pattern.
func filterFaults(s live.Server, client string) []string {
	var list []string
	are := func(names []string) string {
		if len(names) == 1 {
			return names[0] + " of its configuration is"
		}
		return strings.Join(names, ", ") + " of its configuration are"
	}
	if len(s.Unread) > 0 {
		list = append(list, are(s.Unread)+" not used here")
	}
	if len(s.Foreign) > 0 {
		list = append(list, are(s.Foreign)+" of other clients: "+cmp.Or(client, "its client")+" does not read that, so that it is not used")
	}
	return append(list, s.FilterFaults()...)
}
