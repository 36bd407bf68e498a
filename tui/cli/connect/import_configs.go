package connect

import (
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
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// The configurations of clients are read in one way, whether they are named by
// --mcp-config or are a SOURCE.

// configsOf reads the configurations i.clients, whose contents are data. No two servers
// have one name.
func (i *Importing) configsOf(data [][]byte) ([]live.Config, error) {
	configs := make([]live.Config, len(i.Clients))
	for n, file := range i.Clients {
		var err error
		if configs[n], err = live.ParseClientConfig(file, data[n]); err != nil {
			// SECURITY: the message repeats no value of the file.
			return nil, runner.InputErrors{{Code: "client_config", Message: safetext.Line(err.Error())}}
		}
		for _, name := range configs[n].Repeated {
			i.Tell(fmt.Sprintf("warning: %s: server %q occurs several times; the last one counts", file, name))
		}
	}
	i.heedClaude(configs)
	live.RenameRepeated(i.Clients, configs, i.Tell)
	return configs, nil
}

// heedClaude switches off the servers that Claude Code does not have.
func (i *Importing) heedClaude(configs []live.Config) {
	files := make([]live.ClientFile, len(configs))
	for n, file := range i.Clients {
		path, err := filepath.Abs(file)
		if err != nil {
			path = file
		}
		files[n] = live.ClientFile{Path: path, Config: configs[n]}
	}
	for _, note := range i.Run.Places().Heed(files) {
		i.Tell(note)
	}
	for n, f := range files {
		configs[n] = f.Config
	}
}

// sourcesAreConfigs lists the servers of sources each of which is the configuration of a
// client; nil where one is not, or none has servers.
//
// SECURITY: a SOURCE starts no server: the user names those by --server or --all.
func (i *Importing) sourcesAreConfigs(ctx context.Context, sources []model.Source) *runner.Outcome {
	i.Clients = nil
	var data [][]byte
	for _, s := range sources {
		_, err := shapes.Once(ctx, s)
		var d model.Diagnostic
		if !errors.As(err, &d) || !slices.Contains([]string{"client_config", "unknown_format"}, d.Code) || s.Toolset != "" {
			return nil
		}
		i.Clients, data = append(i.Clients, s.Name), append(data, s.Data)
	}
	configs, err := i.configsOf(data)
	if err != nil || !slices.ContainsFunc(configs, func(c live.Config) bool { return len(c.Servers) > 0 }) {
		return nil // what is wrong with them as sources says more
	}
	return i.list(configs)
}

// list returns the servers of clients' configurations; none is started. The
// client is empty where its file does not name one. The answer is no when a dump was wanted.
func (i *Importing) list(configs []live.Config) *runner.Outcome {
	list := []runner.Object{}
	text := new(report.Report)
	for n, c := range configs {
		list = append(list, runner.Object{{"file", i.Clients[n]}, {"client", c.Client}, {"servers", runner.NotNull(c.Servers)}})
		client := ""
		if c.Client != "" {
			client = c.Client + "  "
		}
		text.Head(report.Count(len(c.Servers), "server"), "%s%s", client, report.Name(i.Clients[n]))
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
			for _, fault := range s.EntryFaults(c.Client) {
				text.Line(report.Textf("  warning: server %v: %v", report.Name(s.Name), report.Name(fault)))
			}
		}
		text.Blank()
	}
	text.Line("none was started; --server NAME or --all asks them for their tools")
	if i.file != "" {
		i.Run.Complain("caliper: " + i.file + " is not written: no server was asked; --server NAME or --all asks them for their tools")
	}
	return &runner.Outcome{Value: runner.Object{{"configs", list}}, Page: text, No: i.file != ""}
}
