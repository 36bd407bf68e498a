package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"caliper/engine/live"
	"caliper/engine/tokens"
	"caliper/model"
)

// serverJSON is what became of a server.
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
	var places []int
	for n, s := range servers {
		outcomes[n].Name = s.Name
		expanded, err := i.expand(s.Server, s.file)
		if err != nil {
			outcomes[n].Error = i.failed(err, i.run.complain)
			continue
		}
		able, places = append(able, expanded), append(places, n)
	}
	tell := i.teller()
	live.ListAll(ctx, able, i.options(tell), func(n int, out live.Outcome) {
		place := places[n]
		switch {
		case out.Err == nil:
			listings[place] = i.listed(able[n], out.Listing, &outcomes[place], tell)
		case ctx.Err() == nil:
			outcomes[place].Error = i.failed(out.Err, tell)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return i.dump(ctx, listings, core, outcomes)
}

// teller returns what writes lines to standard error from any goroutine.
func (i *importing) teller() func(string) {
	var lock sync.Mutex
	return func(line string) {
		lock.Lock()
		defer lock.Unlock()
		i.run.complain(line)
	}
}

// options returns how servers are asked. Each stage that one reaches is told.
func (i *importing) options(tell func(string)) live.Options {
	var lock sync.Mutex
	stages := map[string]live.Stage{}
	return live.Options{
		Timeout: i.timeout,
		Env:     i.run.childEnvironment(),
		HTTP:    i.run.env.Embedding.HTTP,
		// Not the default: a program that does not call Supervise would run itself.
		Supervise: i.run.env.Supervise,
		Progress: func(p live.Progress) {
			lock.Lock()
			fresh := stages[p.Server] != p.Stage
			stages[p.Server] = p.Stage
			lock.Unlock()
			switch {
			case fresh:
				tell("server " + p.Server + ": " + string(p.Stage))
			case p.Pages > 1:
				tell(fmt.Sprintf("server %s: page %d, %s", p.Server, p.Pages, counted(p.Tools, "tool")))
			}
		},
	}
}

// listed returns what a server listed, as far as the client's filters let it
// through, and tells how much that is.
func (i *importing) listed(s live.Server, l live.Listing, outcome *serverJSON, tell func(string)) *live.Listing {
	allowed := l.Allowed(s)
	outcome.Tools = allowed.Usable() // the reader of the dump tells of the others
	line := "server " + s.Name + ": " + counted(outcome.Tools, "tool")
	if n := len(l.Tools) - len(allowed.Tools); n > 0 {
		line += fmt.Sprintf(", without %d that the client leaves out", n)
	}
	if outcome.InstructionTokens = i.textTokens(l.Instructions); outcome.InstructionTokens > 0 {
		line += ", instructions of " + counted(outcome.InstructionTokens, "token")
	}
	tell(line)
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

// failed tells why a server could not be listed, and what helps, and returns it
// for JSON.
func (i *importing) failed(err error, tell func(string)) string {
	text := err.Error()
	switch {
	case !errors.Is(err, live.ErrNoAccess):
	case i.http != "":
		text += `; a key is passed on with --header "NAME: VALUE"`
	default:
		text += "; a key goes into the headers of its configuration"
	}
	tell("caliper: " + text)
	return model.Sanitize(text)
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
			if err := i.printOutcome(importedJSON{Servers: outcomes, Warnings: []diagnosticJSON{}}); err != nil {
				return err
			}
		}
		return errNo
	}
	naming := cmp.Or(i.naming, model.HermesNaming)
	data, _ := live.Dump(known, naming)
	registry, err := model.Parse(ctx, model.Source{Name: cmp.Or(i.file, "-"), Data: data})
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
