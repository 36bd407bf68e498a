package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
)

// signInTime is how long the user has to sign in to one server.
const signInTime = 5 * time.Minute

// The values of --sign-in.
var signInWays = []string{string(signin.Browser), string(signin.Device), signOut}

// signOut is the value of --sign-in by which a sign-in is deleted.
const signOut = "forget"

// signInFlags adds the flags for what a server shows: to whom, and to which client.
func (i *importing) signInFlags(f flagSet) {
	f.value("capabilities", "LIST", "tell servers of elicitation,sampling,roots, VENDOR/EXTENSION: some list more", func(s string) error {
		i.capabilities = strings.Split(s, ",")
		if slices.ContainsFunc(i.capabilities, func(what string) bool {
			return !slices.Contains(slices.Concat(offers, live.Declarable()), what) && !live.IsExtension(what)
		}) {
			return errors.New("want " + words.Or(slices.Concat(offers, live.Declarable())) + " or an extension such as io.modelcontextprotocol/ui, with commas between them")
		}
		return nil
	})
	f.value("sign-in", "WAY", "to servers that ask for it: browser, device, or forget", func(s string) error {
		i.signIn, i.signOut = "", s == signOut
		if !i.signOut {
			i.signIn = signin.Way(s)
		}
		return oneOf(s, signInWays...)
	})
	f.text(&i.clientID, "client-id", "ID", "with --sign-in: of a client that was registered there")
}

// listSignedIn has the user sign in to a server, and lists it.
func (i *importing) listSignedIn(ctx context.Context, s live.Server) (live.Listing, error) {
	r := i.run
	if r.signIns == nil {
		return live.Listing{}, errors.New("server " + s.Name + ": there is no folder to keep a sign-in in")
	}
	r.endWaiting() // the next line is for the user
	within, cancel := context.WithTimeoutCause(ctx, signInTime, errSignInTime)
	defer cancel()
	err := live.SignIn(within, s, signin.Flow{
		HTTP: r.env.Embedding.HTTP, Keeper: r.signIns, ClientID: i.clientID, Way: i.signIn,
		Show: func(step signin.Step) { i.show(s.Name, step) },
	})
	switch {
	case errors.Is(context.Cause(within), errSignInTime):
		return live.Listing{}, fmt.Errorf("server %s: %w", s.Name, errSignInTime)
	case err != nil:
		return live.Listing{}, err
	}
	i.tell("server " + s.Name + ": signed in")
	l, err := live.List(ctx, s, i.options())
	if errors.Is(err, live.ErrNoAccess) {
		err = fmt.Errorf("%w; %w", err, errTokenRefused)
	}
	return l, err
}

// errTokenRefused is why a server is not listed that refuses who has just signed in to it.
var errTokenRefused = errors.New("it does not take the token that the sign-in gave")

// errSignInTime is what a sign-in ends with that the user did not finish.
var errSignInTime = fmt.Errorf("nobody has signed in within %d minutes", int(signInTime.Minutes()))

// show tells the user where to sign in, and opens the browser there if that is the way.
func (i *importing) show(server string, step signin.Step) {
	address := safetext.Line(step.Address)
	if step.Code != "" {
		i.tell(fmt.Sprintf("server %s: open %s on any device and type the code %s", server, address, safetext.Line(step.Code)))
		return
	}
	if i.run.env.Browse != nil && i.run.env.Browse(step.Address) == nil {
		i.tell(fmt.Sprintf("server %s: sign in in the browser; if none has opened, open %s", server, address))
		return
	}
	i.tell(fmt.Sprintf("server %s: open %s in a browser of this machine; --sign-in device takes any", server, address))
}

// forgetSignIns deletes the sign-ins to servers. The answer is no when there was none.
func (i *importing) forgetSignIns(servers []askedServer) error {
	any := false
	for _, s := range servers {
		expanded, err := i.expand(s.Server, s.file)
		if err == nil && i.run.signIns != nil {
			var known bool
			if known, err = live.SignOut(expanded, i.run.signIns); known {
				any = true
				i.run.say(report.Textf("server %s: signed out", s.Name))
			} else if err == nil {
				i.tell("server " + s.Name + ": nobody has signed in")
			}
		}
		if err != nil {
			i.failed(err)
		}
	}
	if !any {
		return errNo
	}
	return nil
}
