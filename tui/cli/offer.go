package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"caliper/engine/hosts"
	"caliper/engine/live"
	"caliper/engine/skills"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/cli/connect"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
)

// exploreOffer opens the explorer on what the user chooses of the configurations
// that are found. Where none is found it opens the demo.
func (r *run) exploreOffer(ctx context.Context) error {
	looking, stop := context.WithTimeout(ctx, runner.FindTime)
	files := live.FindClients(looking, r.Places())
	stop()
	logs := r.ownLogs()
	last, gone := r.lastFiles()
	if len(files) == 0 && len(logs) == 0 && len(last) == 0 {
		return r.exploreDemo(ctx, gone)
	}
	i := &connect.Importing{Run: r.Run, Heard: func(string) {}, Naming: model.HermesNaming} // the explorer has the terminal
	live.RenameRepeated(files, i.Tell)
	remove := func() {}
	folder, again, host, asked := "", "", "", false
	defer func() {
		remove()
		if folder != "" {
			_ = os.RemoveAll(folder)
		}
	}()
	var once sync.Mutex // of the demo, the folder and again: a decision may be made again after an error
	openDemo := func() (tui.Options, error) {
		once.Lock()
		defer once.Unlock()
		demo, removeIt, err := r.writeDemo()
		remove = removeIt
		return r.withFlags(demo), err
	}
	o := &tui.Offer{
		OfferOptions: desk.OfferOptions{
			Files: files, Last: last, Gone: gone, Logs: logs, Home: r.Env.Home, Work: r.Env.Work,
			Ask: func(ctx context.Context, servers []desk.OfferServer, enough <-chan struct{}, report func(int, desk.OfferState)) (desk.OfferAnswer, error) {
				once.Lock()
				defer once.Unlock()
				own, err := r.ownFolder(&folder)
				if err != nil {
					return desk.OfferAnswer{}, err
				}
				host = hostOf(files, servers)
				return i.Answer(ctx, own, servers, enough, report)
			},
		},
		Open: func(a desk.OfferAnswer) (tui.Options, error) {
			once.Lock()
			defer once.Unlock()
			welcome := fmt.Sprintf("%s of %s, as they answered just now", words.Count(a.Tools, "tool"), words.Count(a.Servers, "server"))
			if a.Failed > 0 {
				welcome += ", " + words.Count(a.Failed, "server") + " failed"
			}
			o := r.withFlags(tui.Options{Registry: []string{a.Registry}, Config: cmp.Or(r.Flags.Config, a.Config), Queries: r.Flags.Queries, Results: r.Flags.Results,
				Welcome: welcome + "; the registry is " + a.Registry})
			if !isThere(o.Config) && o.Flags.Generation == "" { // nothing else says which agent it is
				o.Flags.Host = cmp.Or(o.Flags.Host, host)
			}
			if folder == "" { // it stays
				again, asked = openingLine([]string{a.Registry}, "--config", cmp.Or(r.Flags.Config, a.Config), "--host", o.Flags.Host), true
			}
			return o, nil
		},
		Again: func(f desk.LastFiles) (tui.Options, error) {
			once.Lock()
			defer once.Unlock()
			again = openingLine(f.Registry, "--config", cmp.Or(r.Flags.Config, f.Config))
			return r.withFlags(tui.Options{Registry: f.Registry, Config: cmp.Or(r.Flags.Config, f.Config), Queries: r.Flags.Queries, Results: r.Flags.Results}), nil
		},
		Demo: openDemo,
		Replay: func() (tui.Options, error) {
			o, defined := r.onLogs(ctx, logs)
			var err error
			if o = r.withFlags(o); !defined {
				o, err = openDemo()
				o.Welcome = "your own logs; the tools are the demo's, and --registry names yours"
			}
			o.Sessions, o.Start, o.ReadSessions = logs, "Replay", r.readSessions(false)
			return o, err
		},
	}
	r.EndWaiting()
	err := r.Env.Explore(ctx, r.withFlags(tui.Options{Offer: o}))
	once.Lock()
	defer once.Unlock()
	if again != "" {
		what := "these files are opened again by"
		if asked {
			what = "these tools are opened again, without a server being started, by"
		}
		r.Complain("caliper: " + what)
		r.Complain("    " + again)
		if at := r.skillFolders(skills.Hosts...); asked && at != "" {
			r.Complain("caliper: and with the skills of your agents by")
			r.Complain("    " + again + at)
		}
	}
	return err
}

// hostOf returns the name of the host whose configuration all servers are from; empty where there
// are several, or one that cannot be simulated.
func hostOf(files []live.ClientFile, servers []desk.OfferServer) (name string) {
	for n, s := range servers {
		of := ""
		for _, f := range files {
			i := slices.IndexFunc(hosts.All, func(h *hosts.Host) bool { return h.Client == f.Client && h.Generation == "" })
			if f.Path == s.File && f.Client != "" && i >= 0 {
				of = hosts.All[i].Name
			}
		}
		if n > 0 && of != name {
			return ""
		}
		name = of
	}
	return name
}

// openingLine returns the line of a shell that opens files again, with further flags, each
// before its value, as far as they have one.
func openingLine(registry []string, flags ...string) string {
	line := "caliper"
	add := func(flag, value string) {
		if value != "" {
			line += " " + flag + " " + shellWord(value)
		}
	}
	for _, path := range registry {
		add("--registry", path)
	}
	for pair := range slices.Chunk(flags, 2) {
		add(pair[0], pair[1])
	}
	return line
}

// mostLast is how many earlier runs are offered.
const mostLast = 3

// lastFiles returns what the last runs were opened on and is still there, newest first, and
// what is missing of the very last one; nothing with --no-state.
func (r *run) lastFiles() (last []desk.LastFiles, gone string) {
	if r.Flags.NoState {
		return nil, ""
	}
	for i, f := range desk.ReadLastFiles(r.Env.State) {
		named := slices.Clone(f.Registry)
		if f.Config != "" {
			named = append(named, f.Config)
		}
		at := slices.IndexFunc(named, func(path string) bool { return len(existing(path)) == 0 })
		switch {
		case at < 0 && len(last) < mostLast:
			last = append(last, f)
		case at >= 0 && i == 0:
			gone = named[at]
		}
	}
	return last, gone
}

// ownLogs returns the logs of agents that can be offered: those that are found and hold
// something, unless some are named already.
func (r *run) ownLogs() []string {
	if len(r.Flags.Replay) > 0 {
		return nil
	}
	return slices.DeleteFunc(r.foundSessions(""), func(path string) bool {
		entries, err := os.ReadDir(path)
		if err != nil {
			return true
		}
		if path != r.hermesHome() { // which has the configuration too
			return len(entries) == 0
		}
		return len(existing(filepath.Join(path, "sessions"), filepath.Join(path, "state.db"))) == 0
	})
}

// ownFolder returns the folder of the registries that are written of the user's
// servers. With --no-state it is a temporary one, whose path is noted.
func (r *run) ownFolder(temporary *string) (string, error) {
	if r.Env.Own != "" && !r.Flags.NoState {
		return r.Env.Own, os.MkdirAll(r.Env.Own, 0o700)
	}
	if *temporary == "" {
		folder, err := os.MkdirTemp("", "caliper-own-")
		if err != nil {
			return "", fmt.Errorf("no folder for the registry: %w", runner.Innermost(err))
		}
		*temporary = folder
	}
	return *temporary, nil
}
