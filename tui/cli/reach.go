package cli

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/engine/reach"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/workbench"
	"caliper/watch"
)

// reachRow is `reach`: the chain from a client's configuration to a call of one tool.
func (r *run) reachRow() runner.Row {
	importing := &connect.Importing{Run: r.Run} // has the configurations of the client, and asks servers
	var ask, apply bool
	return runner.Row{
		Args:     runner.ArgumentCount(1, 1, "one TOOL"),
		Complete: r.CompleteTool,
		Flags: func(f runner.FlagSet) {
			f.Texts(&importing.Clients, "mcp-config", "FILE", "a configuration of the agent; else those at its usual places; may be repeated")
			f.On(&ask, "ask", "start the servers of --mcp-config, and ask them for their tools")
			f.On(&apply, "apply", "write what mends it into its file")
			f.Time(&importing.Timeout, "timeout", "for each server that is asked", "30s")
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			switch named := len(importing.Clients) > 0; {
			case ask && !named:
				return nil, runner.Usagef("--ask needs --mcp-config: only servers of a file that is named are started")
			case named && !ask && len(r.Flags.Registry) == 0:
				return nil, runner.Usagef("--mcp-config needs --registry with the tools of its servers, or --ask")
			}
			chain, err := r.reach(ctx, args[0], importing, ask)
			if err != nil {
				return nil, err
			}
			_, broken := chain.Broken()
			var old, mended []byte // the file that mends the chain, as it is and as it should be
			if chain.Remedy != nil {
				old, mended, err = rewrite(chain.Remedy.File, !apply, chain.Remedy.Write)
			}
			switch {
			case err != nil && apply:
				return nil, runner.AsInputError(err)
			case err != nil:
				chain.Remedy, old, mended = nil, nil, nil
			case apply && chain.Remedy == nil:
				r.Complain("caliper: nothing is written: no setting mends it")
			case apply:
				r.Complain("caliper: " + chain.Remedy.File + " is written")
			}
			name := chain.Asked
			if chain.Tool != nil {
				name = chain.Tool.Qualified
			}
			var brokenAt, remedy any
			if s, ok := chain.Broken(); ok {
				brokenAt = s.Name
			}
			if chain.Remedy != nil {
				remedy = runner.Object{{"file", chain.Remedy.File}, {"key", chain.Remedy.Key}, {"value", chain.Remedy.Value}}
				if chain.Remedy.Without != "" {
					remedy = runner.Object{{"file", chain.Remedy.File}, {"key", chain.Remedy.Key}, {"without", chain.Remedy.Without}}
				}
			}
			value := runner.Object{{"tool", name}, {"session", chain.Session}, {"host", chain.Host.Name}, {"search", postureJSON(chain.Posture)},
				{"steps", runner.Array(chain.Steps, func(s reach.Step) runner.Object {
					return runner.Object{{"step", s.Name}, {"verdict", s.Verdict}, {"detail", report.ReachDetail(s).String()}, {"key", runner.OrNull(s.Key)}, {"file", runner.OrNull(s.File)}, {"line", runner.OrNull(s.Line)}, {"code", s.Code}}
				})},
				{"broken_at", brokenAt}, {"remedy", remedy}}
			return &runner.Outcome{Value: value, Page: report.Reach(chain, old, mended), No: broken}, nil
		},
	}
}

// reach follows a tool in the host, by the dump of --registry, or with ask by a dump of what the
// servers of the configurations that are on list, whatever the filters of the client.
func (r *run) reach(ctx context.Context, tool string, importing *connect.Importing, ask bool) (reach.Chain, error) {
	var failed map[string]string // why servers that are asked gave no list
	in, err := workbench.Input{Flags: r.Flags.Bench, OnDemand: true, Config: r.ConfigFile()}, error(nil)
	if len(importing.Clients) > 0 {
		var files []live.ClientFile
		files, err = importing.Configs()
		r.Bench.Files = func(_ context.Context, h *hosts.Host) reach.Files {
			return reach.FilesOf(r.Places(), h, files, r.Env.Lookup)
		}
	}
	if err == nil && ask {
		importing.All = true
		var servers []desk.OfferServer
		if servers, err = importing.Chosen(); err != nil {
			return reach.Chain{}, err
		}
		asking, stop := importing.UntilEnded(ctx)
		l := importing.Begin(servers)
		able, _ := l.Able()
		failed = map[string]string{}
		for _, o := range l.Outcomes {
			if o.Error != "" {
				failed[o.Name] = o.Error
			}
		}
		var known []live.Listing
		for n, out := range live.ListAll(asking, able, importing.Options(), nil) {
			if out.Err != nil {
				failed[able[n].Name] = out.Err.Error()
			} else {
				known = append(known, out.Listing)
			}
		}
		data, _ := live.Dump(known, workbench.NamingOf(config.Generation(r.Flags.Bench.Generation)))
		in.Registry, err = []watch.File{{Name: "the servers' tools", Data: data}}, asking.Err()
		stop()
	} else if err == nil {
		in, err = r.Input()
	}
	if err != nil {
		return reach.Chain{}, err
	}
	st, err := r.Good(r.LoadInput(ctx, in))
	if err != nil {
		return reach.Chain{}, err
	}
	return r.chainOf(ctx, st, tool, failed)
}

// chainOf follows a tool in the host of a state. failed are the servers that gave no list, and
// why; nil where none was asked.
func (r *run) chainOf(ctx context.Context, st workbench.State, tool string, failed map[string]string) (reach.Chain, error) {
	if err := st.Snapshot.Prepare(ctx, engine.WorkIndexing); err != nil {
		return reach.Chain{}, err
	}
	return reach.Find(reach.Question{Tool: tool, Config: r.Flags.Config, Host: st.Snapshot.Host(), Snapshot: st.Snapshot, Files: st.Files, Failed: failed}), nil
}

// agentFiles reads what the files of an agent say at their usual places.
func (r *run) agentFiles(ctx context.Context, h *hosts.Host) reach.Files {
	if h.Client == "" || h.Generation != "" {
		return reach.Files{}
	}
	looking, stop := context.WithTimeout(ctx, runner.FindTime)
	defer stop()
	files := slices.DeleteFunc(live.FindClients(looking, r.Places()), func(f live.ClientFile) bool { return f.Client != h.Client || f.Problem != "" })
	return reach.FilesOf(r.Places(), h, files, r.Env.Lookup)
}

// postureJSON returns what the files of an agent say of its search for JSON: null where nothing is
// known.
func postureJSON(p reach.Posture) any {
	if p.Search == reach.SearchUnknown {
		return nil
	}
	return runner.Object{{"posture", p.Search}, {"value", runner.OrNull(p.Value)}, {"key", runner.OrNull(p.By.Key)}, {"file", runner.OrNull(p.By.File)}, {"line", runner.OrNull(p.By.Line)}, {"model", runner.OrNull(p.Model)}}
}
