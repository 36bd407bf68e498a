package cli

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/engine/reach"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"
)

// reaching is the flags of reach.
type reaching struct {
	importing *importing // has the configurations of the client, and asks servers
	ask       bool
	apply     bool
}

// reachRow is `reach`: the chain from a client's configuration to a call of one tool.
func (r *run) reachRow() row {
	x := &reaching{importing: &importing{run: r}}
	return row{
		args:     argumentCount(1, 1, "one TOOL"),
		complete: r.completeTool,
		flags: func(f flagSet) {
			f.texts(&x.importing.clients, "mcp-config", "FILE", "a configuration of the agent; else those at its usual places; may be repeated")
			f.on(&x.ask, "ask", "start the servers of --mcp-config, and ask them for their tools")
			f.on(&x.apply, "apply", "write what mends it into its file")
			f.time(&x.importing.timeout, "timeout", "for each server that is asked", "30s")
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			switch named := len(x.importing.clients) > 0; {
			case x.ask && !named:
				return nil, usagef("--ask needs --mcp-config: only servers of a file that is named are started")
			case named && !x.ask && len(r.flags.registry) == 0:
				return nil, usagef("--mcp-config needs --registry with the tools of its servers, or --ask")
			}
			chain, err := x.find(ctx, args[0])
			if err != nil {
				return nil, err
			}
			_, broken := chain.Broken()
			old, mended, err := x.mend(chain)
			return &outcome{value: reachJSON(chain), page: report.Reach(chain, old, mended), no: broken}, err
		},
	}
}

// find follows a tool in the host.
func (x *reaching) find(ctx context.Context, tool string) (reach.Chain, error) {
	r := x.importing.run
	q := reach.Question{Tool: tool, Config: r.flags.config, Host: hosts.Named(r.flags.bench.Host)}
	if own, ok := r.places().Subagent(r.flags.bench.Session); ok && q.Host != nil && q.Host.Client == "claude-code" {
		q.Subagent, r.flags.bench.Session = &own, "" // the tools of the agent, less what its lists leave out
	}
	in, err := workbench.Input{Flags: r.flags.bench, OnDemand: true, Config: r.configFile()}, error(nil)
	if q.Clients, q.Posture, err = x.clients(ctx, q.Host); err == nil && x.ask {
		in.Registry, q.Failed, err = x.listed(ctx)
	} else if err == nil {
		in, err = r.input()
	}
	if err != nil {
		return reach.Chain{}, err
	}
	st, err := r.good(r.loadInput(ctx, in))
	if err != nil {
		return reach.Chain{}, err
	}
	if q.Host == nil {
		q.Host = st.Snapshot.Host()
	}
	q.Snapshot = st.Snapshot
	if err := prepareIndex(ctx, st.Snapshot); err != nil {
		return reach.Chain{}, err
	}
	return reach.Find(q), nil
}

// clients reads the configurations of --mcp-config, or else those of a host, and what decides
// deferral there.
func (x *reaching) clients(ctx context.Context, h *hosts.Host) ([]live.ClientFile, live.Posture, error) {
	i := x.importing
	if len(i.clients) > 0 {
		configs, err := i.configs()
		files := make([]live.ClientFile, len(configs))
		for n, c := range configs {
			files[n] = live.ClientFile{Path: i.clients[n], Config: c}
		}
		return files, i.run.posture(h, files), err
	}
	if i.run.flags.demo || !i.run.flags.ownData() {
		return nil, live.Posture{}, nil
	}
	files, posture := i.run.clientsOf(ctx, h)
	return files, posture, nil
}

// clientsOf reads the configurations of a host at their usual places, and what decides deferral
// there; none of the reference agent, whose configuration is that of --config.
func (r *run) clientsOf(ctx context.Context, h *hosts.Host) ([]live.ClientFile, live.Posture) {
	if h == nil || h.Client == "" || h.Generation != "" {
		return nil, live.Posture{}
	}
	looking, stop := context.WithTimeout(ctx, findTime)
	defer stop()
	files := slices.DeleteFunc(live.FindClients(looking, r.places()), func(f live.ClientFile) bool { return f.Client != h.Client || f.Problem != "" })
	return files, r.posture(h, files)
}

// posture reads what decides deferral in a host.
func (r *run) posture(h *hosts.Host, files []live.ClientFile) live.Posture {
	if h == nil || h.Generation != "" {
		return live.Posture{}
	}
	return r.places().Posture(h.Client, files, r.env.Lookup)
}

// mend returns the file that mends a chain as it is and as it should be, nil where none does,
// and with --apply writes it.
func (x *reaching) mend(c reach.Chain) (old, mended []byte, err error) {
	r := x.importing.run
	if c.Remedy == nil {
		if x.apply {
			r.complain("caliper: nothing is written: no setting mends it")
		}
		return nil, nil, nil
	}
	old, mended, err = rewrite(c.Remedy.File, !x.apply, c.Remedy.Write)
	switch {
	case err != nil && x.apply:
		return nil, nil, asInputError(err)
	case err != nil:
		return nil, nil, nil
	case x.apply:
		r.complain("caliper: " + c.Remedy.File + " is written")
	}
	return old, mended, nil
}

// listed asks the servers of the configurations that are on for their tools, and returns a
// dump of them all, whatever the filters of the client, and why those that gave none did not.
func (x *reaching) listed(ctx context.Context) (dump []watch.File, failed map[string]string, err error) {
	x.importing.all = true
	servers, err := x.importing.chosen()
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := x.importing.untilEnded(ctx)
	defer stop()
	l := x.importing.begin(servers)
	able, _ := l.able()
	failed = map[string]string{}
	for _, o := range l.outcomes {
		if o.Error != "" {
			failed[o.Name] = o.Error
		}
	}
	var known []live.Listing
	for n, out := range live.ListAll(ctx, able, x.importing.options(), nil) {
		if out.Err != nil {
			failed[able[n].Name] = out.Err.Error()
		} else {
			known = append(known, out.Listing)
		}
	}
	data, _ := live.Dump(known, workbench.NamingOf(config.Generation(x.importing.run.flags.bench.Generation)))
	return []watch.File{{Name: "the servers' tools", Data: data}}, failed, ctx.Err()
}

// reachJSON returns a chain for JSON.
func reachJSON(c reach.Chain) object {
	orNull := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	name := c.Asked
	if c.Tool != nil {
		name = c.Tool.Qualified
	}
	var brokenAt, remedy any
	if s, ok := c.Broken(); ok {
		brokenAt = s.Name
	}
	if c.Remedy != nil {
		remedy = object{{"file", c.Remedy.File}, {"key", c.Remedy.Key}, {"value", c.Remedy.Value}}
	}
	return object{{"tool", name}, {"session", c.Session}, {"host", c.Host.Name},
		{"steps", array(c.Steps, func(s reach.Step) object {
			return object{{"step", s.Name}, {"verdict", s.Verdict}, {"detail", report.ReachDetail(s).String()}, {"key", orNull(s.Key)}, {"file", orNull(s.File)}, {"line", rankOrNull(s.Line)}, {"code", s.Code}}
		})},
		{"broken_at", brokenAt}, {"remedy", remedy}}
}
