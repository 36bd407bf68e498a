package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model"
	"caliper/model/newfile"
	"caliper/model/words"
	"caliper/tui"
	"caliper/tui/offer"
	"caliper/watch"
)

// findTime is the longest that a start looks for configurations: a home folder on
// a file system that does not answer must not keep the demo back.
const findTime = time.Second

// exploreOffer opens the explorer on what the user chooses of the configurations
// that are found. Where none is found it opens the demo.
func (r *run) exploreOffer(ctx context.Context) error {
	looking, stop := context.WithTimeout(ctx, findTime)
	files := live.FindClients(looking, r.places())
	stop()
	logs := r.ownLogs()
	last, gone := r.lastFiles()
	if len(files) == 0 && len(logs) == 0 && len(last) == 0 {
		return r.exploreDemo(ctx, gone)
	}
	i := &importing{run: r, mute: true, naming: model.HermesNaming, clients: make([]string, len(files))}
	configs := make([]live.Config, len(files))
	for n, f := range files {
		i.clients[n], configs[n] = f.Path, f.Config
	}
	live.RenameRepeated(i.clients, configs, i.tell) // in the servers that the files share with configs

	remove := func() {}
	folder, again, asked := "", "", false
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
		return r.asked(demo), err
	}
	o := &tui.Offer{
		Options: offer.Options{
			Files: files, Last: last, Gone: gone, Logs: logs, Home: r.env.Home, Work: r.env.Work,
			Ask: func(ctx context.Context, servers []offer.Server, enough <-chan struct{}, report func(int, offer.State)) (offer.Answer, error) {
				once.Lock()
				defer once.Unlock()
				own, err := r.ownFolder(&folder)
				if err != nil {
					return offer.Answer{}, err
				}
				return i.answer(ctx, own, servers, enough, report)
			},
		},
		Open: func(a offer.Answer) (tui.Options, error) {
			once.Lock()
			defer once.Unlock()
			if folder == "" { // it stays
				again, asked = openingLine([]string{a.Registry}, cmp.Or(r.flags.config, a.Config)), true
			}
			return r.asked(tui.Options{Registry: []string{a.Registry}, Config: cmp.Or(r.flags.config, a.Config), Queries: r.flags.queries, Results: r.flags.results,
				Welcome: fmt.Sprintf("%s of %s, as they answered just now; the registry is %s", words.Count(a.Tools, "tool"), words.Count(a.Servers, "server"), a.Registry)}), nil
		},
		Again: func(f offer.Files) (tui.Options, error) {
			once.Lock()
			defer once.Unlock()
			again = openingLine(f.Registry, cmp.Or(r.flags.config, f.Config))
			return r.asked(tui.Options{Registry: f.Registry, Config: cmp.Or(r.flags.config, f.Config), Queries: r.flags.queries, Results: r.flags.results}), nil
		},
		Demo: openDemo,
		Replay: func() (tui.Options, error) {
			o, defined := r.onLogs(ctx, logs)
			var err error
			if o = r.asked(o); !defined {
				o, err = openDemo()
				o.Welcome = "your own logs; the tools are the demo's, and --registry names yours"
			}
			o.Sessions, o.Start, o.ReadSessions = logs, "Replay", r.readSessions(false)
			return o, err
		},
	}
	r.endWaiting()
	err := r.env.Explore(ctx, r.asked(tui.Options{Offer: o}))
	once.Lock()
	defer once.Unlock()
	if again != "" {
		what := "these files are opened again by"
		if asked {
			what = "these tools are opened again, without a server being started, by"
		}
		r.complain("caliper: " + what)
		r.complain("    " + again)
	}
	return err
}

// openingLine returns the line of a shell that opens files again.
func openingLine(registry []string, config string) string {
	args := []string{"caliper"}
	for _, path := range registry {
		args = append(args, "--registry", path)
	}
	if config != "" {
		args = append(args, "--config", config)
	}
	return shellLine(args)
}

// mostLast is how many earlier runs are offered.
const mostLast = 3

// lastFiles returns what the last runs were opened on and is still there, newest first, and
// what is missing of the very last one; nothing with --no-state.
func (r *run) lastFiles() (last []offer.Files, gone string) {
	if r.flags.noState {
		return nil, ""
	}
	for i, f := range tui.LastFiles(r.env.State) {
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
	if len(r.flags.replay) > 0 {
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

// shellLine returns words as a line of a shell.
func shellLine(args []string) string {
	quoted := make([]string, len(args))
	for i, word := range args {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

// places returns where configurations of clients and agents are looked for. The
// variables are those by which their users move the homes of agents.
func (r *run) places() live.ClientPlaces {
	moved := func(name string) string {
		folder, _ := r.env.Lookup(name)
		return folder
	}
	return live.ClientPlaces{Home: r.env.Home, Work: r.env.Work, Config: r.env.Settings,
		Claude: moved("CLAUDE_CONFIG_DIR"), Codex: moved("CODEX_HOME"), Hermes: moved("HERMES_HOME")}
}

// ownFolder returns the folder of the registries that are written of the user's
// servers. With --no-state it is a temporary one, whose path is noted.
func (r *run) ownFolder(temporary *string) (string, error) {
	if r.env.Own != "" && !r.flags.noState {
		return r.env.Own, os.MkdirAll(r.env.Own, 0o700)
	}
	if *temporary == "" {
		folder, err := os.MkdirTemp("", "caliper-own-")
		if err != nil {
			return "", fmt.Errorf("no folder for the registry: %w", innermost(err))
		}
		*temporary = folder
	}
	return *temporary, nil
}

// answer asks servers for their tools and writes a registry of what they list into
// a folder. It is `import --mcp-config`, without a line on standard error.
func (i *importing) answer(ctx context.Context, folder string, servers []offer.Server, enough <-chan struct{}, report func(int, offer.State)) (offer.Answer, error) {
	listing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-enough:
			stop()
		case <-listing.Done():
		}
	}()
	states := &progressOf{report: report, states: make([]offer.State, len(servers)), at: map[string]int{}}
	l := i.begin(array(servers, func(s offer.Server) askedServer { return askedServer{Server: s.Server, file: s.File} }))
	able, at := l.able()
	for n, s := range servers {
		states.at[s.Name] = n
		if why := l.outcomes[n].Error; why != "" {
			states.ended(n, 0, why)
		}
	}
	o := i.options()
	o.Progress = states.reached
	live.ListAll(listing, able, o, func(n int, out live.Outcome) {
		if out.Err != nil && listing.Err() != nil {
			states.ended(at[n], 0, "stopped before it had answered")
			return
		}
		l.came(at[n], able[n], out)
		states.ended(at[n], l.outcomes[at[n]].Tools, l.outcomes[at[n]].Error)
	})
	if ctx.Err() != nil {
		return offer.Answer{}, ctx.Err()
	}
	known := l.known()
	a := offer.Answer{Config: agentConfig(servers, l.list), Servers: len(known)}
	for _, x := range known {
		a.Tools += x.Usable()
	}
	if len(known) == 0 {
		return a, nil
	}
	data, _ := live.Dump(known, i.naming)
	path := filepath.Join(folder, registryName(servers))
	if err := newfile.Write(path, data, 0o600); err != nil {
		return a, fmt.Errorf("writing the registry: %w", err)
	}
	a.Registry = path
	return a, nil
}

// registryName returns the name of the registry of servers: whose they are, and a
// hash of which they are, so that the same choice replaces its registry.
func registryName(servers []offer.Server) string {
	var whose []string
	sum := sha256.New()
	for _, s := range servers {
		fmt.Fprintf(sum, "%q %q\n", s.File, s.Name)
		name := strings.TrimPrefix(filepath.Base(s.File), ".")
		if name = strings.TrimSuffix(name, filepath.Ext(name)); name == "config" || name == "mcp" || name == "settings" {
			name = strings.TrimPrefix(filepath.Base(filepath.Dir(s.File)), ".")
		}
		name = strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' {
				return c
			}
			return '_'
		}, name)
		if !slices.Contains(whose, name) {
			whose = append(whose, name)
		}
	}
	name := strings.Join(whose, "+")
	return fmt.Sprintf("%s-%x.json", name[:min(len(name), 60)], sum.Sum(nil)[:4])
}

// agentConfig returns the configuration of the agent among the files of the
// servers that were listed, "" for none: its thresholds and sessions are then those
// of the budget.
func agentConfig(servers []offer.Server, listings []*live.Listing) string {
	for n, s := range servers {
		if ext := filepath.Ext(s.File); listings[n] == nil || ext != ".yaml" && ext != ".yml" {
			continue
		}
		if f := watch.Read(s.File); f.Err == nil {
			if _, err := config.Parse(s.File, f.Data); err == nil {
				return s.File
			}
		}
	}
	return ""
}

// progressOf keeps how far servers are, and reports it.
type progressOf struct {
	report func(int, offer.State)
	at     map[string]int // index of a server, by its name

	mu     sync.Mutex
	states []offer.State
}

// change changes the state of a server that has not ended.
func (p *progressOf) change(n int, change func(*offer.State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.states[n].Ended {
		return
	}
	change(&p.states[n])
	p.report(n, p.states[n])
}

// reached takes the progress of a listing.
func (p *progressOf) reached(l live.Progress) {
	if n, ok := p.at[l.Server]; ok {
		p.change(n, func(s *offer.State) { s.Stage, s.Tools = l.Stage, l.Tools })
	}
}

// ended takes how many tools a server has, or why it could not be listed.
func (p *progressOf) ended(n, tools int, why string) {
	p.change(n, func(s *offer.State) {
		if s.Err, s.Ended = why, true; why == "" {
			s.Tools = tools
		}
	})
}
