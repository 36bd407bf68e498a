package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// Configs reads the configurations of --mcp-config.
func (i *Importing) Configs() ([]live.ClientFile, error) {
	data := make([][]byte, len(i.Clients))
	for n, file := range i.Clients {
		var err error
		if data[n], err = runner.ReadInput(file); err != nil {
			return nil, err
		}
	}
	return i.configsOf(data)
}

// Chosen returns the servers to ask.
func (i *Importing) Chosen() ([]desk.OfferServer, error) {
	switch {
	case len(i.stdio) > 0:
		return i.started()
	case i.http != "": // SECURITY: an address may hold a key, so that no error repeats it.
		address, err := url.Parse(i.http)
		if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			return nil, runner.Usagef("--http: want a URL that begins with https:// or http://")
		}
		transport := live.HTTPTransport
		if i.sse {
			transport = live.SSETransport
		}
		s, err := live.Remote(cmp.Or(i.name, address.Hostname()), transport, i.http, i.headers...)
		if err != nil {
			return nil, runner.Usagef("%s", err)
		}
		return []desk.OfferServer{{Server: s}}, nil
	}
	files, err := i.Configs()
	if err != nil {
		return nil, err
	}
	var all, picked []desk.OfferServer
	for _, f := range files {
		for _, s := range f.Servers {
			all = append(all, desk.OfferServer{Server: s, File: f.Path})
		}
	}
	for _, s := range all {
		switch {
		case i.All && !s.Enabled:
			i.Tell("server " + s.Name + ": " + cmp.Or(s.Off, "switched off") + ", left out")
		case i.All && s.Problem != "":
			i.Tell("server " + s.Name + ": left out, cannot be asked: " + s.Problem)
		case i.All || slices.Contains(i.servers, s.Name):
			if s.Problem != "" {
				return nil, runner.Usagef("server %q cannot be asked: %s", s.Name, s.Problem)
			}
			for _, fault := range s.EntryFaults() {
				i.Tell("warning: server " + s.Name + ": " + fault)
			}
			picked = append(picked, s)
		}
	}
	for _, name := range i.servers {
		if !slices.ContainsFunc(all, func(s desk.OfferServer) bool { return s.Name == name }) {
			if len(all) == 0 {
				return nil, runner.Usagef("no server %q; the file has no servers", name)
			}
			names := runner.Array(all, func(s desk.OfferServer) string { return s.Name })
			return nil, runner.Usagef("no server %q; there are %s", name, report.FirstNames(names))
		}
	}
	if len(picked) == 0 {
		return nil, runner.Usagef("no server is left to ask")
	}
	return picked, nil
}

// started returns the servers of --stdio. No two have one name.
func (i *Importing) started() ([]desk.OfferServer, error) {
	var servers []desk.OfferServer
	for _, command := range i.stdio {
		args, err := live.SplitCommand(command)
		if err != nil {
			return nil, runner.Usagef("--stdio: %s", err)
		}
		given := cmp.Or(i.name, live.CommandName(args))
		name := given
		for n := 2; slices.ContainsFunc(servers, func(s desk.OfferServer) bool { return s.Name == name }); n++ {
			name = fmt.Sprintf("%s-%d", given, n)
		}
		s := live.Stdio(name, args[0], args[1:]...)
		for _, v := range i.env { // SECURITY: no error repeats a value.
			variable, value, given := strings.Cut(v, "=")
			if variable == "" {
				return nil, runner.Usagef("--env: want NAME, or NAME=VALUE")
			}
			if !given {
				if value, given = i.Run.Env.Lookup(variable); !given {
					return nil, runner.Usagef("--env: variable %s is not set", variable)
				}
			}
			s = s.WithEnv(variable, value)
		}
		servers = append(servers, desk.OfferServer{Server: s})
	}
	return servers, nil
}

// core returns the names of the agent's own tools, which no server's tool may
// take: the core tools of the configuration, and the bridge.
// It also notes the naming of the configuration's generation.
func (i *Importing) core(ctx context.Context) ([]string, error) {
	st, err := i.Run.Good(i.Run.LoadInput(ctx, workbench.Input{Config: i.Run.ConfigFile()}))
	i.usual = workbench.NamingOf(cmp.Or(config.Generation(i.Run.Flags.Bench.Generation), st.Config.ToolSearch.Generation))
	return append(slices.Clone(st.Config.Core), engine.ToolSearch, engine.ToolDescribe, engine.ToolCall), err
}

// The configurations of clients are read in one way, whether they are named by
// --mcp-config or are a SOURCE.

// configsOf reads the configurations i.clients, whose contents are data. No two servers
// have one name.
func (i *Importing) configsOf(data [][]byte) ([]live.ClientFile, error) {
	files := make([]live.ClientFile, len(i.Clients))
	for n, path := range i.Clients {
		of, err := live.ParseClientConfig(path, data[n])
		if err != nil {
			// SECURITY: the message repeats no value of the file.
			return nil, runner.InputErrors{{Code: "client_config", Message: safetext.Line(err.Error())}}
		}
		for _, name := range of.Repeated {
			i.Tell(fmt.Sprintf("warning: %s: server %q occurs several times; the last one counts", path, name))
		}
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		files[n] = live.ClientFile{Path: path, Config: of}
	}
	for _, note := range i.Run.Places().Heed(files) {
		i.Tell(note)
	}
	for n, path := range i.Clients {
		files[n].Path = path // as it is called in messages
	}
	live.RenameRepeated(files, i.Tell)
	return files, nil
}

// sourcesAreConfigs lists the servers of sources each of which is the configuration of a
// client; nil where one is not, or none has servers.
//
// SECURITY: a SOURCE starts no server: the user names those by --server or --all.
func (i *Importing) sourcesAreConfigs(ctx context.Context, sources []model.Source) *runner.Outcome {
	i.Clients = nil
	var data [][]byte
	for _, s := range sources {
		_, err := shapes.Parse(ctx, s)
		var d model.Diagnostic
		if !errors.As(err, &d) || !slices.Contains([]string{"client_config", "unknown_format"}, d.Code) || s.Toolset != "" {
			return nil
		}
		i.Clients, data = append(i.Clients, s.Name), append(data, s.Data)
	}
	files, err := i.configsOf(data)
	if err != nil || !slices.ContainsFunc(files, func(f live.ClientFile) bool { return len(f.Servers) > 0 }) {
		return nil // their faults as sources say more
	}
	return i.list(files)
}

// list returns the servers of clients' configurations; none is started. The
// client is empty where its file does not name one. The answer is no when a dump was wanted.
func (i *Importing) list(files []live.ClientFile) *runner.Outcome {
	list := []runner.Object{}
	text := new(report.Report)
	for _, c := range files {
		list = append(list, runner.Object{{"file", c.Path}, {"client", c.Client}, {"servers", runner.NotNull(c.Servers)}})
		client := ""
		if c.Client != "" {
			client = c.Client + "  "
		}
		text.Head(report.Count(len(c.Servers), "server"), "%s%s", client, report.Name(c.Path))
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
			for _, fault := range s.EntryFaults() {
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
