package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"caliper/engine/live"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/shapes"
	"caliper/model/words"
)

// serverJSON is the outcome of asking a server.
type serverJSON struct {
	Name              string `json:"name"`
	Tools             int    `json:"tools"`
	InstructionTokens int    `json:"instruction_tokens"` // that the agent's prompt gets besides the tools
	Error             string `json:"error,omitempty"`
}

// ask lists servers and writes one dump. One that cannot be listed takes
// nothing from the others.
func (i *importing) ask(ctx context.Context, servers []askedServer, core []string) error {
	outcomes := make([]serverJSON, len(servers))
	listings := make([]*live.Listing, len(servers))
	var able []live.Server
	var at []int // where they stand among all servers
	for n, s := range servers {
		outcomes[n].Name = s.Name
		if expanded, err := i.expand(s.Server, s.file); err != nil {
			outcomes[n].Error = i.failed(err)
		} else {
			able, at = append(able, expanded), append(at, n)
		}
	}
	done := len(servers) - len(able)
	var closed []int // of able: servers that ask for a sign-in, which the user wants
	live.ListAll(ctx, able, i.options(), func(n int, out live.Outcome) {
		if i.signIn != "" && errors.Is(out.Err, live.ErrNoAccess) {
			closed = append(closed, n)
			return
		}
		if done++; len(servers) > 1 {
			defer i.tell(fmt.Sprintf("%d of %d servers done", done, len(servers)))
		}
		switch outcome := &outcomes[at[n]]; {
		case out.Err == nil:
			listings[at[n]] = i.listed(able[n], out.Listing, outcome)
		case ctx.Err() == nil:
			outcome.Error = i.failed(out.Err)
		}
	})
	slices.Sort(closed)
	for _, n := range closed {
		l, err := i.listSignedIn(ctx, able[n])
		switch {
		case ctx.Err() != nil:
		case err != nil:
			outcomes[at[n]].Error = i.failed(err)
		default:
			listings[at[n]] = i.listed(able[n], l, &outcomes[at[n]])
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return i.dump(ctx, listings, core, outcomes)
}

// options returns how servers are asked. Each stage that one reaches is written
// to standard error.
func (i *importing) options() live.Options {
	var lock sync.Mutex
	stages := map[string]live.Stage{}
	var token func(context.Context, string) (string, error)
	if k := i.run.signIns; k != nil {
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
		Timeout:  i.timeout,
		Env:      i.run.childEnvironment(),
		HTTP:     i.run.env.Embedding.HTTP,
		// Not the default: a program that does not call Supervise would run itself.
		Supervise: i.run.env.Supervise,
		Progress: func(p live.Progress) {
			lock.Lock()
			fresh := stages[p.Server] != p.Stage
			stages[p.Server] = p.Stage
			lock.Unlock()
			switch {
			case fresh:
				i.tell("server " + p.Server + ": " + string(p.Stage))
			case p.Pages > 1:
				i.tell(fmt.Sprintf("server %s: page %d, %s", p.Server, p.Pages, words.CountThousands(p.Tools, "tool")))
			}
		},
	}
}

// listed returns what a server listed, as far as the client's filters let it
// through, and writes how much that is.
func (i *importing) listed(s live.Server, l live.Listing, outcome *serverJSON) *live.Listing {
	allowed := l.Allowed(s)
	outcome.Tools = allowed.Usable() // the reader of the dump warns of the others
	line := "server " + s.Name + ": " + words.CountThousands(outcome.Tools, "tool")
	if n := len(l.Tools) - len(allowed.Tools); n > 0 {
		line += fmt.Sprintf(", without %d that the client leaves out", n)
	}
	if l.Always {
		line += ", always sent (alwaysLoad)"
	}
	if outcome.InstructionTokens = i.textTokens(l.Instructions); outcome.InstructionTokens > 0 {
		line += ", instructions of " + words.CountThousands(outcome.InstructionTokens, "token")
	}
	i.tell(line)
	for _, w := range allowed.Warnings() {
		i.tell("warning: server " + s.Name + ": " + w)
	}
	return &allowed
}

// textTokens counts a text, as the string that a request carries.
func (i *importing) textTokens(text string) int {
	if text == "" {
		return 0
	}
	method := cmp.Or(i.run.flags.bench.Tokenizer, tokens.Chars4)
	quoted, err := json.Marshal(text)
	if err != nil { // never: a string can always be encoded
		return 0
	}
	return method.Tokens(method.Units(quoted))
}

// failed writes why a server could not be listed and what helps, and returns
// the same for JSON.
func (i *importing) failed(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		text += "; --timeout gives it longer, as --timeout 2m"
	case !errors.Is(err, live.ErrNoAccess):
	case i.http != "":
		text += `; a key is passed on with --header "NAME: VALUE", and --sign-in browser signs you in`
	default:
		text += "; a key goes into the headers of its configuration, and import --sign-in browser signs you in"
	}
	i.tell("caliper: " + text)
	return safetext.Line(text)
}

// dump writes the dump of the servers that were listed; nil stands for one that
// was not. The answer is no when there is one of these.
func (i *importing) dump(ctx context.Context, listings []*live.Listing, core []string, outcomes []serverJSON) error {
	var known []live.Listing
	for _, l := range listings {
		if l != nil {
			known = append(known, *l)
		}
	}
	if len(known) == 0 {
		if i.run.flags.json && i.file != "" {
			if err := i.printOutcome(importedJSON{Servers: outcomes, Warnings: []object{}}); err != nil {
				return err
			}
		}
		return errNo
	}
	naming := cmp.Or(i.naming, i.usual)
	data, _ := live.Dump(known, naming)
	registry, err := shapes.Parse(ctx, model.Source{Name: cmp.Or(i.file, "-"), Data: data})
	var d model.Diagnostic
	if errors.As(err, &d) {
		return inputErrors{d}
	}
	if err != nil {
		return err
	}
	if err := i.finish(registry, data, outcomes, live.Clashes(known, naming, core)); err != nil {
		return err
	}
	if len(known) < len(listings) {
		return errNo
	}
	return nil
}

// untilEnded returns a context that ends with every signal that would end the
// process, and when nobody reads standard error any more, so that started
// servers are ended first. None of these signals ends the process before stop
// is called, a second one no more than the first: ending the servers takes a
// bounded time.
//
// SIGPIPE does not show who has gone: it also comes with a write to the input of
// a server that has ended. It is taken so that it does not end the process
// in the middle of a line of progress, and is not looked at; the write itself
// fails, and what that means is known where it was made.
func (i *importing) untilEnded(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	before := i.run.errOut
	i.run.errOut = readBySomebody{before, cancel}
	return ctx, func() {
		i.run.errOut = before
		signal.Stop(pipes)
		cancel()
	}
}

// readBySomebody is a writer that calls gone when nobody reads what is written.
type readBySomebody struct {
	io.Writer
	gone func()
}

// Write writes p.
func (w readBySomebody) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		w.gone()
	}
	return n, err
}
