package connect

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/live"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// askedServer is a server to ask, and the file that its variables depend on.
type askedServer struct {
	live.Server
	file   string
	client string // whose configuration it is; "" if that is not known
}

// importServers lists the servers of a client's configuration, or asks those
// that are named.
func (i *Importing) importServers(ctx context.Context) (*runner.Outcome, error) {
	if len(i.Clients) > 0 && !i.chooses() {
		configs, err := i.Configs()
		if err != nil {
			return nil, err
		}
		return i.list(configs), nil
	}
	servers, err := i.Chosen()
	if err != nil {
		return nil, err
	}
	core, err := i.core(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := i.UntilEnded(ctx)
	defer stop()
	switch {
	case i.signOut:
		return nil, i.forgetSignIns(servers)
	case i.watch:
		return nil, i.keepFresh(ctx, servers, core)
	}
	return nil, i.ask(ctx, servers, core)
}

// Configs reads the configurations of --mcp-config.
func (i *Importing) Configs() ([]live.Config, error) {
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
func (i *Importing) Chosen() ([]askedServer, error) {
	switch {
	case len(i.stdio) > 0:
		return i.started()
	case i.http != "":
		return i.remote()
	}
	configs, err := i.Configs()
	if err != nil {
		return nil, err
	}
	var all []askedServer
	for n, c := range configs {
		for _, s := range c.Servers {
			all = append(all, askedServer{s, i.Clients[n], c.Client})
		}
	}
	return i.pick(all)
}

// started returns the servers of --stdio. No two have one name.
func (i *Importing) started() ([]askedServer, error) {
	var servers []askedServer
	for _, command := range i.stdio {
		args, err := live.SplitCommand(command)
		if err != nil {
			return nil, runner.Usagef("--stdio: %s", err)
		}
		given := cmp.Or(i.name, live.CommandName(args))
		name := given
		for n := 2; slices.ContainsFunc(servers, func(s askedServer) bool { return s.Name == name }); n++ {
			name = fmt.Sprintf("%s-%d", given, n)
		}
		s, err := i.withVariables(live.Stdio(name, args[0], args[1:]...))
		if err != nil {
			return nil, runner.Usagef("%s", err)
		}
		servers = append(servers, askedServer{Server: s})
	}
	return servers, nil
}

// pick returns the servers that the flags name.
func (i *Importing) pick(all []askedServer) ([]askedServer, error) {
	var picked []askedServer
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
			for _, fault := range s.EntryFaults(s.client) {
				i.Tell("warning: server " + s.Name + ": " + fault)
			}
			picked = append(picked, s)
		}
	}
	for _, name := range i.servers {
		if !slices.ContainsFunc(all, func(s askedServer) bool { return s.Name == name }) {
			if len(all) == 0 {
				return nil, runner.Usagef("no server %q; the file has no servers", name)
			}
			var names []string
			for _, s := range all {
				names = append(names, s.Name)
			}
			return nil, runner.Usagef("no server %q; there are %s", name, report.FirstNames(names))
		}
	}
	if len(picked) == 0 {
		return nil, runner.Usagef("no server is left to ask")
	}
	return picked, nil
}

// remote returns the server of --http.
//
// SECURITY: an address may hold a key, so that no error repeats it.
func (i *Importing) remote() ([]askedServer, error) {
	address, err := url.Parse(i.http)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, runner.Usagef("--http: want a URL that begins with https:// or http://")
	}
	name, transport := i.name, live.HTTPTransport
	if name == "" {
		name = address.Hostname()
	}
	if i.sse {
		transport = live.SSETransport
	}
	s, err := live.Remote(name, transport, i.http, i.headers...)
	if err != nil {
		return nil, runner.Usagef("%s", err)
	}
	return []askedServer{{Server: s}}, nil
}

// core returns the names of the agent's own tools, which no server's tool may
// take: the core tools of the configuration, and the bridge.
// It also notes the naming of the configuration's generation.
func (i *Importing) core(ctx context.Context) ([]string, error) {
	st, err := i.Run.Good(i.Run.LoadInput(ctx, workbench.Input{Config: i.Run.ConfigFile()}))
	i.usual = workbench.NamingOf(cmp.Or(config.Generation(i.Run.Flags.Bench.Generation), st.Config.ToolSearch.Generation))
	return append(slices.Clone(st.Config.Core), engine.ToolSearch, engine.ToolDescribe, engine.ToolCall), err
}
