package connect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"caliper/engine/serve"
	"caliper/model/safetext"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/tui/serving"
	"caliper/watch"

	"github.com/spf13/pflag"
)

// Listening is the agents that the explorer shows: those that it serves by itself, or
// in a record that another process writes.
type Listening struct {
	Server
	record string             // of --events
	chosen []desk.OfferServer // servers to start

	mu   sync.Mutex
	base string            // of the addresses
	open map[string]string // tokens of the sessions that are served, by name
}

// Register adds the flags of the explorer.
func (l *Listening) Register(set runner.FlagSet) {
	own := runner.FlagSet{Set: pflag.NewFlagSet("", pflag.ContinueOnError)} // those of serve, in words for the explorer
	own.Text(&l.address, "listen", "ADDRESS", "serve agents over HTTP, with the flags of serve")
	own.Text(&l.record, "events", "FILE", "show the record of another process that serves")
	l.Server.register(own)
	own.Set.VisitAll(func(f *pflag.Flag) {
		f.Usage = "explorer: " + f.Usage
		f.Hidden = f.Name != "listen" && f.Name != "events" // the others are on the page of serve
		set.Set.AddFlag(set.Mark(f))
	})
}

// Wanted reports whether there is anything to show of agents.
func (l *Listening) Wanted() bool { return l.address != "" || l.record != "" }

// Check returns an error where the flags do not go together, and remembers which servers
// to start.
func (l *Listening) Check() (err error) {
	switch {
	case l.address != "" && l.record != "":
		return runner.Usagef("--listen serves, and --events follows what another process serves: one of them")
	case l.address == "" && (l.execute || len(l.Clients) > 0 || l.Server.record != "" || l.TokenFile != ""):
		return runner.Usagef("--mcp-config, --execute, --record and --token-file need --listen ADDRESS")
	case l.record != "" && !l.Run.Flags.Demo && !l.Run.Flags.OwnData():
		return runner.Usagef("--events needs --registry or --config: those of the process that serves")
	case l.address == "":
		return nil
	}
	if problem := l.problem("--listen"); problem != "" {
		return runner.Usagef("%s", problem)
	}
	if len(l.Clients) > 0 {
		l.chosen, err = l.Chosen()
	}
	return err
}

// Serve begins to serve, or to follow the record, and returns what the explorer is to be
// told; end ends it and returns when everything has ended.
func (l *Listening) Serve(ctx context.Context, o *tui.Options) (end func(), err error) {
	inbox := new(serving.Inbox)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // an interrupt is the explorer's
	var all sync.WaitGroup
	stop := func() {
		cancel()
		all.Wait()
	}
	o.Serving = &serving.Source{Take: inbox.Take, Record: l.record}
	if l.record != "" {
		info, err := os.Stat(l.record)
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New(safetext.Line(l.record) + " is not a file")
		}
		if err != nil {
			cancel()
			return nil, fmt.Errorf("--events: %w", err)
		}
		var odd sync.Once
		all.Go(func() {
			err := serving.Follow(ctx, l.record, inbox.Event, func() { odd.Do(func() { inbox.Say("the record has lines that hold no event; they are left out") }) })
			if err != nil {
				inbox.Say("the record is not followed: " + safetext.Line(err.Error()))
			}
		})
		return stop, nil
	}
	listener, err := l.listen(ctx, "--listen")
	if err != nil {
		cancel()
		return nil, err
	}
	l.inbox, l.Heard, l.base = inbox, inbox.Say, "http://"+listener.Addr().String()
	o.Serving.Address = func(session string) string { return l.base + serve.PathOf(session) }
	o.Serving.Entry = l.entry
	if len(l.Run.Flags.Registry) == 0 && len(l.Clients) > 0 {
		dumps := make(chan watch.Change, 1)
		o.Dumps, o.RegistryName = dumps, dumpName
		l.dumped = func(data []byte) {
			select {
			case <-dumps: // an older one that nobody has read
			default:
			}
			dumps <- watch.Change{Files: []watch.File{{Name: dumpName, Data: data}}}
		}
	}
	sender, err := l.sender()
	if err != nil {
		cancel()
		_ = listener.Close() // nothing was served
		return nil, fmt.Errorf("--otlp: %w", err)
	}
	all.Go(func() {
		if err := l.behind(ctx, listener, sender); err != nil && ctx.Err() == nil {
			inbox.Say("nothing is served: " + safetext.Line(err.Error()))
		}
	})
	return func() {
		stop()
		l.endSpans(sender)
	}, nil
}

// behind serves until ctx ends. Clients that come before the servers of the tools have
// answered wait.
func (l *Listening) behind(ctx context.Context, listener net.Listener, sender *serving.SpanSender) error {
	defer func() { _ = listener.Close() }() // which web has closed, if it came so far
	return l.beside(ctx, sender, l.chosen, func(h *serving.Hub) error {
		bearers, err := l.Tokens(h.Sessions())
		if err != nil {
			return err
		}
		l.mu.Lock()
		l.open = bearers
		l.mu.Unlock()
		does := "nothing is executed"
		if l.execute {
			does = "calls that pass every gate are executed"
		}
		l.inbox.Say("serving at " + l.base + ", " + does)
		return l.web(ctx, h, listener, bearers)
	})
}

// entry returns what the configuration of a client needs to connect to a session, as
// most clients read it; "" until the session is served.
func (l *Listening) entry(session string) string {
	l.mu.Lock()
	token := l.open[session]
	l.mu.Unlock()
	if token == "" {
		return ""
	}
	server := runner.Object{{"type", "http"}, {"url", l.base + serve.PathOf(session)}, {"headers", runner.Object{{"Authorization", "Bearer " + token}}}}
	data, _ := json.MarshalIndent(runner.Object{{"mcpServers", runner.Object{{"caliper", server}}}}, "", "  ") // of texts alone
	return string(data)
}
