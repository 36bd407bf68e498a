package connect

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"caliper/engine"
	"caliper/engine/live"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/tui/serving"
	"caliper/tui/workbench"
	"caliper/watch"
)

// ServeRow is `serve`: an MCP server over the session's assembly.
func ServeRow(r *runner.Run) runner.Row {
	s := &Server{Importing: Importing{Run: r}}
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.On(&s.overStdio, "stdio", "serve one client over standard input and output")
			f.Text(&s.address, "http", "ADDRESS", "serve over HTTP, such as 127.0.0.1:7337")
			s.startup = startupTimeout
			runner.SaysDefault(f.Time(&s.startup, "startup-timeout", "how long first lists are waited for", "8s"), startupTimeout.String())
			s.register(f)
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) { return nil, s.serve(ctx) },
	}
}

// register adds the flags that the explorer has, too.
func (s *Server) register(f runner.FlagSet) {
	f.Texts(&s.Clients, "mcp-config", "FILE", "client configuration with the servers of the tools; may be repeated")
	f.Texts(&s.servers, "server", "NAME", "start this server of --mcp-config; may be repeated")
	f.On(&s.All, "all", "start every server of --mcp-config")
	f.On(&s.execute, "execute", "run the calls that pass every gate")
	f.Texts(&s.offers, "offer", "WHAT", "let servers ask the client for "+words.Or(Offers))
	f.On(&s.public, "public", "listen where other machines reach it, too")
	f.Written(&s.record, "record", "FILE", "append each request as a line of JSON, without arguments and results")
	f.On(&s.texts, "record-texts", "record arguments and results, too")
	f.Text(&s.otlp, "otlp", "URL", "send requests as OpenTelemetry spans to the collector there")
	s.approve = approveTimeout
	runner.SaysDefault(f.Time(&s.approve, "approve-timeout", "how long an approval is waited for", "45s"), approveTimeout.String())
	f.Written(&s.TokenFile, "token-file", "FILE", "keep the tokens of the sessions here, and do not print them")
}

// startupTimeout is below the 10 s after which Codex gives a server up: one slow server must not cost a client all of them.
const startupTimeout = 8 * time.Second

// approveTimeout is how long an approval is waited for unless --approve-timeout says so.
const approveTimeout = 45 * time.Second

// Offers are the values of --offer, and offered are the methods that they stand for.
var (
	Offers  = []string{"elicitation", "sampling", "roots"}
	offered = map[string]string{"elicitation": live.Elicitation, "sampling": live.Sampling, "roots": live.Roots}
)

// Server is one serve command, or what the explorer serves.
type Server struct {
	Importing

	overStdio, public, execute, texts bool
	address, record, TokenFile, otlp  string
	offers                            []string
	approve, startup                  time.Duration   // startup is 0 in the explorer, which shows who is waited for
	told                              map[string]bool // what tellOnce told, by its keys

	mu      sync.Mutex
	waiting map[string]bool // servers that have not been heard of
	ready   chan struct{}   // closed when there is none of them

	inbox  *serving.Inbox    // of the explorer; nil for the command
	dumped func(data []byte) // hears what the servers list, where that is the registry; nil for nobody
}

// serve serves until the client has gone or the command is interrupted.
func (s *Server) serve(ctx context.Context) error {
	r := s.Run
	problem := s.problem("--http")
	if problem == "" && s.overStdio == (s.address != "") {
		problem = "needs --stdio or --http ADDRESS"
	}
	if problem != "" {
		return runner.Usagef("%s", problem)
	}
	var chosen []desk.OfferServer
	var err error
	if len(s.Clients) > 0 {
		if chosen, err = s.Chosen(); err != nil {
			return err
		}
	}
	sender, err := s.sender()
	if err != nil {
		return runner.Usagef("--otlp: %s", err)
	}
	defer s.endSpans(sender)
	ctx, stop := s.UntilEnded(ctx)
	defer stop()
	return s.beside(ctx, sender, chosen, func(h *serving.Hub) error {
		r.EndWaiting()
		if s.overStdio {
			err := h.Stdio(ctx, h.Sessions()[0], serving.Input(r.In), flushing{r})
			if ctx.Err() != nil || err == nil {
				return nil
			}
			return fmt.Errorf("the client: %w", err)
		}
		listener, err := s.listen(ctx, "--http")
		if err != nil {
			return err
		}
		bearers, err := s.Tokens(h.Sessions())
		if err != nil {
			_ = listener.Close() // nothing was served
			return err
		}
		if err := s.announce("http://"+listener.Addr().String(), h.Sessions(), bearers); err != nil {
			return err
		}
		return s.web(ctx, h, listener, bearers)
	})
}

// beside starts the chosen servers, publishes the sessions, and follows what changes for as
// long as clients are served.
func (s *Server) beside(ctx context.Context, sender *serving.SpanSender, chosen []desk.OfferServer, serve func(*serving.Hub) error) error {
	r := s.Run
	o := serving.Options{Execute: s.execute, Record: s.record, Texts: s.texts, ApproveTimeout: s.approve, Version: runner.Version(), Upstream: s.came,
		Recording: func(err error) { s.Tell("caliper: --record " + safetext.Line(s.record) + ": " + err.Error()) }}
	var hear []func(transcript.Event)
	if sender != nil {
		hear = append(hear, sender.Add)
	}
	if s.inbox != nil {
		o.Ask, hear = s.inbox.Ask, append(hear, s.inbox.Event)
	} else {
		hear = append(hear, func(e transcript.Event) {
			if e.Kind == transcript.EventRefuse {
				s.Tell("caliper: " + serving.Refusal(e))
			}
		})
	}
	o.Heard = func(e transcript.Event) {
		for _, h := range hear {
			h(e)
		}
	}
	if s.execute {
		st, err := r.Good(r.LoadInput(ctx, workbench.Input{Config: r.ConfigFile(), Flags: workbench.Flags{Generation: r.Flags.Bench.Generation}}))
		if err != nil {
			return err
		}
		o.Rescuer = workbench.NewRescuer(workbench.RescueInputs{Config: st.Config.Rescue, Tokenizer: tokens.Chars4, Store: r.Env.Store, Home: r.Env.Home})
	}
	h, err := serving.New(o)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	defer h.Close()
	able, _ := s.Begin(chosen).Able()
	s.waiting, s.ready = map[string]bool{}, make(chan struct{})
	for _, one := range able {
		s.waiting[one.Name] = true
	}
	switch {
	case len(able) > 0:
		o := s.Options()
		o.Progress = nil
		for _, what := range s.offers {
			o.Offers = append(o.Offers, offered[what])
		}
		h.Start(ctx, able, o)
		var late <-chan time.Time // nil: never
		if s.startup > 0 {
			late = time.After(s.startup)
		}
		select { // each has listed its tools or failed
		case <-s.ready:
		case <-late:
			s.mu.Lock()
			names := slices.Sorted(maps.Keys(s.waiting))
			s.mu.Unlock()
			for _, name := range names {
				s.Tell("server " + safetext.Line(name) + ": no list within " + s.startup.String() + "; its tools are added when it comes")
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	case len(chosen) > 0:
		return runner.ErrNo
	}
	if err := s.publish(ctx, h); err != nil {
		return err
	}
	following, end := context.WithCancel(ctx)
	var follower sync.WaitGroup
	follower.Go(func() { s.follow(following, h) })
	defer follower.Wait()
	defer end()
	return serve(h)
}

// problem returns which flags do not go together; "" for none. Listen is the flag of the
// address.
func (s *Server) problem(listen string) string {
	r := s.Run
	switch {
	case !r.Flags.Demo && !r.Flags.OwnData() && len(s.Clients) == 0:
		return "needs --registry or --config, or --demo for the data that comes with caliper, or --mcp-config"
	case s.execute && len(s.Clients) == 0:
		return "--execute needs --mcp-config: the servers that have the tools"
	case len(s.Clients) > 0 && !s.All && len(s.servers) == 0:
		return "--mcp-config needs --all or --server NAME: which of its servers to start"
	case len(s.offers) > 0 && !s.execute:
		return "--offer needs --execute: a server asks while it runs a call"
	case slices.ContainsFunc(s.offers, func(what string) bool { return !slices.Contains(Offers, what) }):
		return "--offer: want " + words.Or(Offers)
	case s.texts && s.record == "":
		return "--record-texts needs --record FILE"
	}
	if s.address == "" {
		return ""
	}
	switch _, local, err := listenAddress(s.address); {
	case err != nil:
		return listen + ": " + err.Error()
	case !local && !s.public:
		return listen + " " + s.address + " can be reached from other machines: --public allows that"
	}
	return ""
}

// came writes what a server of tools says of itself.
func (s *Server) came(name string, state live.Outcome) {
	switch {
	case s.inbox != nil: // it hears of it by an event
	case state.Err != nil:
		s.Tell("caliper: " + state.Err.Error())
	default:
		s.Tell("server " + name + ": " + words.CountThousands(len(state.Listing.Names()), "tool"))
		for _, w := range state.Listing.Warnings() {
			s.Tell("warning: server " + name + ": " + w)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[name] {
		if delete(s.waiting, name); len(s.waiting) == 0 {
			close(s.ready)
		}
	}
}

// publish reads the files and offers the sessions. The error is of broken input.
func (s *Server) publish(ctx context.Context, h *serving.Hub) error {
	select {
	case <-h.Changed: // what it tells of is read now
	default:
	}
	r := s.Run
	names := []string{r.Flags.Bench.Session}
	for i := 0; i < len(names); i++ {
		in, err := r.Input()
		if err != nil {
			return err
		}
		if len(r.Flags.Registry) == 0 && len(s.Clients) > 0 {
			if _, err := s.core(ctx); err != nil {
				return err
			}
			r.DemoUnasked = false
			data := h.Dump(s.usual)
			if s.dumped != nil {
				s.dumped(data)
			}
			in.Registry = []watch.File{{Name: dumpName, Data: data}}
			in.Config = r.ConfigFile()
		}
		in.Flags.Session, in.OnDemand = names[i], false
		st, err := r.Good(r.Bench.Load(ctx, in))
		if err != nil {
			return err
		}
		snapshot := st.Snapshot
		if in := snapshot.Inputs(); engine.PreSelects(in.Config.Selection) {
			s.Tell("tools.selection " + in.Config.Selection + " needs the user's message, which a server does not see: tool search is served")
			in.Config.Selection = string(selection.ToolSearch)
			if snapshot, err = engine.Build(ctx, in); err != nil {
				return err
			}
		}
		h.Publish(snapshot)
		if name := snapshot.Session.Name; !snapshot.Active() {
			why := "tool search is off; tools.tool_search.enabled: on gives them the bridge"
			if snapshot.Budget(false).DeferredCount == 0 {
				why = "none of them can be deferred"
			}
			s.tellOnce("no bridge in "+name, "session "+safetext.Line(name)+": agents get its "+words.CountThousands(len(snapshot.Assembly().Tools), "tool")+" as they are, since "+why)
		}
		for _, line := range ClientLines(h.Server.Changed(snapshot.Session.Name)) {
			s.tellOnce(line, line)
		}
		if i == 0 && !s.overStdio && (s.Run.Flags.Bench.Session == "" || s.inbox != nil) {
			for _, x := range st.Config.Sessions {
				if x.Name != snapshot.Session.Name {
					names = append(names, x.Name)
				}
			}
		}
	}
	return nil
}

// tellOnce tells a line unless one of its key was told. The explorer shows what such lines say.
func (s *Server) tellOnce(key, line string) {
	if s.inbox != nil || s.told[key] {
		return
	}
	if s.told == nil {
		s.told = map[string]bool{}
	}
	s.told[key] = true
	s.Tell(line)
}

// dumpName stands where the name of a file would, for what servers list.
const dumpName = "servers"

// follow publishes anew when a file or the servers' tools have changed, until ctx ends.
// What is broken is told, and what was served stays.
func (s *Server) follow(ctx context.Context, h *serving.Hub) {
	later := func(w *watch.Watcher) <-chan watch.Change {
		select {
		case <-w.Changes(): // the files that are there already
		case <-ctx.Done():
		}
		return w.Changes()
	}
	var registry, config <-chan watch.Change // nil: never
	if len(s.Run.Flags.Registry) > 0 {
		registry = later(workbench.WatchRegistry(ctx, s.Run.Flags.Registry, watch.Options{}))
	}
	if s.Run.Flags.Config != "" {
		config = later(workbench.WatchConfig(ctx, s.Run.Flags.Config, watch.Options{}))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-registry:
		case <-config:
		case <-h.Changed:
		}
		if ctx.Err() != nil {
			return
		}
		if err := s.publish(ctx, h); err != nil && ctx.Err() == nil {
			s.Tell("caliper: what was served stays: " + err.Error())
		}
	}
}
