package connect

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model/newfile"
	"caliper/tui/desk"
	"caliper/watch"
)

// Answer asks servers for their tools and writes a registry of what they list into
// a folder. It is `import --mcp-config`, without a line on standard error.
func (i *Importing) Answer(ctx context.Context, folder string, servers []desk.OfferServer, enough <-chan struct{}, report func(int, desk.OfferState)) (desk.OfferAnswer, error) {
	listing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-enough:
			stop()
		case <-listing.Done():
		}
	}()
	var mu sync.Mutex
	states := make([]desk.OfferState, len(servers)) // how far the servers are
	change := func(n int, change func(*desk.OfferState)) {
		mu.Lock()
		defer mu.Unlock()
		if !states[n].Ended {
			change(&states[n])
			report(n, states[n])
		}
	}
	ended := func(n, tools int, why string) {
		change(n, func(s *desk.OfferState) {
			if s.Err, s.Ended = why, true; why == "" {
				s.Tools = tools
			}
		})
	}
	l, named := i.Begin(servers), map[string]int{}
	able, at := l.Able()
	for n, s := range servers {
		named[s.Name] = n
		if why := l.Outcomes[n].Error; why != "" {
			ended(n, 0, why)
		}
	}
	o := i.Options()
	o.Progress = func(p live.Progress) {
		if n, ok := named[p.Server]; ok {
			change(n, func(s *desk.OfferState) { s.Stage, s.Tools = p.Stage, p.Tools })
		}
	}
	live.ListAll(listing, able, o, func(n int, out live.Outcome) {
		if out.Err != nil && listing.Err() != nil {
			ended(at[n], 0, "stopped before it had answered")
			return
		}
		l.came(at[n], able[n], out)
		ended(at[n], l.Outcomes[at[n]].Tools, l.Outcomes[at[n]].Error)
	})
	if ctx.Err() != nil {
		return desk.OfferAnswer{}, ctx.Err()
	}
	known := l.known()
	a := desk.OfferAnswer{Servers: len(known), Failed: len(servers) - len(known)}
	for n, s := range servers { // the agent's own configuration has the thresholds and sessions of the budget
		if ext := filepath.Ext(s.File); a.Config != "" || l.list[n] == nil || ext != ".yaml" && ext != ".yml" {
			continue
		}
		if f := watch.Read(s.File); f.Err == nil {
			if _, err := config.Parse(s.File, f.Data); err == nil {
				a.Config = s.File
			}
		}
	}
	for _, x := range known {
		a.Tools += len(x.Names())
	}
	if len(known) == 0 {
		return a, nil
	}
	data, _ := live.Dump(known, i.Naming)
	path := filepath.Join(folder, registryName(servers))
	if err := newfile.Write(path, data, 0o600); err != nil {
		return a, fmt.Errorf("writing the registry: %w", err)
	}
	a.Registry = path
	return a, nil
}

// registryName returns the name of the registry of servers: whose they are, and a
// hash of which they are, so that the same choice replaces its registry.
func registryName(servers []desk.OfferServer) string {
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
