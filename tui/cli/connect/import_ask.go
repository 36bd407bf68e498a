package connect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/watch"
)

// ServerJSON is the outcome of asking a server.
type ServerJSON struct {
	Name              string `json:"name"`
	Tools             int    `json:"tools"`
	InstructionTokens int    `json:"instruction_tokens"` // that the agent's prompt gets besides the tools
	Error             string `json:"error,omitempty"`
}

// listings are what servers list, and what became of asking each. Who lets several
// goroutines change them guards them.
type listings struct {
	importing *Importing
	servers   []desk.OfferServer
	list      []*live.Listing // nil: not listed
	Outcomes  []ServerJSON
}

// Begin returns the listings of servers that nobody has asked yet.
func (i *Importing) Begin(servers []desk.OfferServer) *listings {
	return &listings{i, servers, make([]*live.Listing, len(servers)), runner.Array(servers, func(s desk.OfferServer) ServerJSON { return ServerJSON{Name: s.Name} })}
}

// Able returns the servers that can be asked, with their variables, and at which places
// they are; the others have failed.
func (l *listings) Able() (able []live.Server, at []int) {
	for n, s := range l.servers {
		if expanded, err := l.importing.expand(s); err != nil {
			l.came(n, expanded, live.Outcome{Err: err})
		} else {
			able, at = append(able, expanded), append(at, n)
		}
	}
	return able, at
}

// came takes what a server lists, and writes how much that is, or why it cannot be listed.
func (l *listings) came(n int, s live.Server, out live.Outcome) {
	if out.Err != nil {
		l.Outcomes[n].Error = l.importing.failed(out.Err)
		return
	}
	i, allowed, outcome := l.importing, out.Listing.Allowed(s), &l.Outcomes[n] // as far as the client's filters let it through
	l.list[n], outcome.Tools = &allowed, len(allowed.Names())                  // the reader of the dump warns of the others
	line := "server " + s.Name + ": " + words.CountThousands(outcome.Tools, "tool")
	if n := len(out.Listing.Tools) - len(allowed.Tools); n > 0 {
		line += fmt.Sprintf(", without %d that the client leaves out", n)
	}
	if out.Listing.Always {
		line += ", always sent (" + s.AlwaysBy.Key[strings.LastIndexByte(s.AlwaysBy.Key, '.')+1:] + ")"
	}
	if out.Listing.Instructions != "" {
		method := cmp.Or(i.Run.Flags.Bench.Tokenizer, tokens.Chars4)
		quoted, _ := json.Marshal(out.Listing.Instructions) // as a request carries it; a string can always be encoded
		outcome.InstructionTokens = method.Tokens(method.Units(quoted))
		line += ", instructions of " + words.CountThousands(outcome.InstructionTokens, "token")
	}
	i.Tell(line)
	for _, w := range allowed.Warnings() {
		i.Tell("warning: server " + s.Name + ": " + w)
	}
}

// known returns the listings of the servers that were listed.
func (l *listings) known() (known []live.Listing) {
	for _, x := range l.list {
		if x != nil {
			known = append(known, *x)
		}
	}
	return known
}

// ask lists servers and writes one dump. One that cannot be listed takes
// nothing from the others.
func (i *Importing) ask(ctx context.Context, servers []desk.OfferServer, core []string) error {
	l := i.Begin(servers)
	able, at := l.Able()
	done := len(servers) - len(able)
	var closed []int // of able: servers that ask for a sign-in, which the user wants
	live.ListAll(ctx, able, i.Options(), func(n int, out live.Outcome) {
		if i.signIn != "" && errors.Is(out.Err, live.ErrNoAccess) {
			closed = append(closed, n)
			return
		}
		if out.Err == nil || ctx.Err() == nil {
			l.came(at[n], able[n], out)
		}
		if done++; len(servers) > 1 {
			i.Tell(fmt.Sprintf("%d of %d servers done", done, len(servers)))
		}
	})
	slices.Sort(closed)
	for _, n := range closed {
		if listing, err := i.listSignedIn(ctx, able[n]); ctx.Err() == nil {
			l.came(at[n], able[n], live.Outcome{Listing: listing, Err: err})
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.dump(ctx, core)
}

// keepFresh keeps the sessions of servers open and writes the dump when all
// have answered, and again whenever one announces other tools, until ctx ends
// or the last server has gone. What a server listed stays when it goes.
func (i *Importing) keepFresh(ctx context.Context, servers []desk.OfferServer, core []string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l, o := i.Begin(servers), i.Options()
	var lock sync.Mutex
	var fault error         // why nothing more is written
	heard := map[int]bool{} // servers that have been listed or failed
	came := func(n int, s live.Server, out live.Outcome) {
		lock.Lock()
		defer lock.Unlock()
		news := out.Err == nil || l.list[n] == nil
		l.came(n, s, out)
		heard[n] = true
		if !news || len(heard) < len(servers) || fault != nil || ctx.Err() != nil {
			return
		}
		err := l.dump(ctx, core)
		if flushErr := i.Run.Out.Flush(); flushErr != nil && (err == nil || errors.Is(err, runner.ErrNo)) {
			err = runner.OutputError(flushErr)
		}
		if err != nil && !errors.Is(err, runner.ErrNo) { // no: some of them could not be listed
			fault = err
			stop()
		}
	}
	var all sync.WaitGroup
	for n, s := range servers {
		all.Go(func() {
			expanded, err := i.expand(s)
			if err == nil {
				err = live.Watch(ctx, expanded, o, func(listing live.Listing) { came(n, expanded, live.Outcome{Listing: listing}) })
			}
			if err != nil {
				came(n, expanded, live.Outcome{Err: err})
			}
		})
	}
	all.Wait()
	switch {
	case fault != nil:
		return fault
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return runner.ErrNo // a server only goes with an error
}

// Options returns how servers are asked. Each stage that one reaches is written
// to standard error.
func (i *Importing) Options() live.Options {
	var lock sync.Mutex
	stages := map[string]live.Stage{}
	var token func(context.Context, string) (string, error)
	if k := i.Run.SignIns; k != nil {
		token = k.Token
	}
	var offers, declares []string
	for _, what := range i.capabilities {
		if method, ok := offered[what]; ok {
			offers = append(offers, method)
		} else {
			declares = append(declares, what)
		}
	}
	return live.Options{
		Token:    token,
		Offers:   offers,
		Declares: declares,
		Timeout:  i.Timeout,
		Env:      live.Inherited(i.Run.Env.Lookup),
		HTTP:     i.Run.Env.Embedding.HTTP,
		// Not the default: a program that does not call Supervise would run itself.
		Supervise: i.Run.Env.Supervise,
		Progress: func(p live.Progress) {
			lock.Lock()
			fresh := stages[p.Server] != p.Stage
			stages[p.Server] = p.Stage
			lock.Unlock()
			switch {
			case fresh:
				i.Tell("server " + p.Server + ": " + string(p.Stage))
			case p.Pages > 1:
				i.Tell(fmt.Sprintf("server %s: page %d, %s", p.Server, p.Pages, words.CountThousands(p.Tools, "tool")))
			}
		},
	}
}

// failed writes why a server could not be listed and what helps, and returns
// the same for JSON.
func (i *Importing) failed(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		text += "; what it downloads may be there when it is asked again, and import --timeout 2m gives it longer"
	case !errors.Is(err, live.ErrNoAccess), errors.Is(err, errTokenRefused): // another sign-in would not help
	case i.http != "":
		text += `; a key is passed on with --header "NAME: VALUE", and --sign-in browser signs you in`
	default:
		text += "; a key goes into the headers of its configuration, and import --sign-in browser signs you in"
	}
	i.Tell("caliper: " + text)
	return safetext.Line(text)
}

// dump writes the dump of the servers that were listed. The answer is no when there is one
// that was not; a file that has tools of that one stays as it was.
func (l *listings) dump(ctx context.Context, core []string) error {
	i, known := l.importing, l.known()
	lost := "" // the first server that could not be listed and has tools in the file; one that is kept fresh gets them again
	if info, err := os.Stat(i.file); err == nil && info.Mode().IsRegular() && !i.watch && slices.Contains(l.list, nil) {
		before, err := shapes.Parse(ctx, model.Source{Name: i.file, Data: watch.Read(i.file).Data})
		for n, s := range l.servers {
			if err != nil || lost != "" {
				break
			}
			if set, known := before.Toolset(live.Toolset(s.Name)); known && len(set.Tools) > 0 && l.list[n] == nil {
				lost = s.Name
			}
		}
	}
	if lost != "" {
		i.Run.Complain("caliper: " + i.file + " stays as it was: it has tools of " + safetext.Line(lost) + ", which could not be listed now; -o with another name takes those of the others")
	}
	if len(known) == 0 || lost != "" {
		if i.Run.Flags.JSON && i.file != "" {
			if err := i.printOutcome("", 0, 0, l.Outcomes, nil, nil); err != nil {
				return err
			}
		}
		return runner.ErrNo
	}
	naming := cmp.Or(i.Naming, i.usual)
	data, _ := live.Dump(known, naming)
	registry, err := shapes.Parse(ctx, model.Source{Name: cmp.Or(i.file, "-"), Data: data})
	if err != nil {
		return runner.AsInputError(err)
	}
	err = i.finish(registry, data, l.Outcomes, live.Clashes(known, naming, core))
	if err == nil && len(known) < len(l.list) {
		err = runner.ErrNo
	}
	return err
}

// expand replaces the variables of a server as its client does.
func (i *Importing) expand(s desk.OfferServer) (live.Server, error) {
	expanded, err := s.ExpandIn(s.File, i.Run.Env.Lookup)
	for _, name := range expanded.Unset {
		i.Tell("warning: server " + s.Name + ": variable " + safetext.Line(name) + " is not set; the server is started all the same, as its client does")
	}
	if err != nil || expanded.EnvFile() == "" {
		return expanded, err
	}
	path, err := expanded.EnvFileIn(s.File)
	if err == nil {
		var variables []string
		f := watch.Read(path)
		if err = f.Err; err != nil {
			err = fmt.Errorf("%s: %w", path, runner.Innermost(err))
		} else if variables, err = live.ParseEnvFile(path, f.Data); err == nil {
			return expanded.WithEnvFile(variables), nil
		}
	}
	return s.Server, fmt.Errorf("server %q: envFile: %w", s.Name, err)
}

// UntilEnded returns a context that ends with every signal that would end the
// process, and when nobody reads standard error any more, so that started
// servers are ended first. None of these signals ends the process before stop
// is called, a second one no more than the first: ending the servers takes a
// bounded time.
//
// SIGPIPE does not show who has gone: it also comes with a write to the input of
// a server that has ended. It is taken so that it does not end the process
// in the middle of a line of progress, and is not looked at; the write itself
// fails, and what that means is known where it was made.
func (i *Importing) UntilEnded(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	before := i.Run.ErrOut
	i.Run.ErrOut = runner.Writer(func(p []byte) (int, error) {
		n, err := before.Write(p)
		if errors.Is(err, syscall.EPIPE) { // nobody reads the output
			cancel()
		}
		return n, err
	})
	return ctx, func() {
		i.Run.ErrOut = before
		signal.Stop(pipes)
		cancel()
	}
}

// signInTime is how long the user has to sign in to one server.
const signInTime = 5 * time.Minute

// The values of --sign-in.
var SignInWays = []string{string(signin.Browser), string(signin.Device), signOut}

// signOut is the value of --sign-in by which a sign-in is deleted.
const signOut = "forget"

// listSignedIn has the user sign in to a server, and lists it.
func (i *Importing) listSignedIn(ctx context.Context, s live.Server) (live.Listing, error) {
	r := i.Run
	if r.SignIns == nil {
		return live.Listing{}, errors.New("server " + s.Name + ": there is no folder to keep a sign-in in")
	}
	r.EndWaiting() // the next line is for the user
	within, cancel := context.WithTimeoutCause(ctx, signInTime, errSignInTime)
	defer cancel()
	err := live.SignIn(within, s, signin.Flow{
		HTTP: r.Env.Embedding.HTTP, Keeper: r.SignIns, ClientID: i.clientID, Way: i.signIn,
		Show: func(step signin.Step) { // where the user signs in; the browser is opened there if that is the way
			address := safetext.Line(step.Address)
			switch {
			case step.Code != "":
				i.Tell(fmt.Sprintf("server %s: open %s on any device and type the code %s", s.Name, address, safetext.Line(step.Code)))
			case r.Env.Browse != nil && r.Env.Browse(step.Address) == nil:
				i.Tell(fmt.Sprintf("server %s: sign in in the browser; if none has opened, open %s", s.Name, address))
			default:
				i.Tell(fmt.Sprintf("server %s: open %s in a browser of this machine; --sign-in device takes any", s.Name, address))
			}
		},
	})
	switch {
	case errors.Is(context.Cause(within), errSignInTime):
		return live.Listing{}, fmt.Errorf("server %s: %w", s.Name, errSignInTime)
	case err != nil:
		return live.Listing{}, err
	}
	i.Tell("server " + s.Name + ": signed in")
	l, err := live.List(ctx, s, i.Options())
	if errors.Is(err, live.ErrNoAccess) {
		err = fmt.Errorf("%w; %w", err, errTokenRefused)
	}
	return l, err
}

// errTokenRefused is why a server is not listed that refuses who has just signed in to it.
var errTokenRefused = errors.New("it does not take the token that the sign-in gave")

// errSignInTime is the error of a sign-in that the user did not finish.
var errSignInTime = fmt.Errorf("nobody has signed in within %d minutes", int(signInTime.Minutes()))
