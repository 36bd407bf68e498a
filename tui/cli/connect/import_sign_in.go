package connect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/model/safetext"
	"caliper/tui/cli/runner"
	"caliper/tui/desk"
	"caliper/tui/report"
)

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
		Show: func(step signin.Step) { i.show(s.Name, step) },
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

// errSignInTime is what a sign-in ends with that the user did not finish.
var errSignInTime = fmt.Errorf("nobody has signed in within %d minutes", int(signInTime.Minutes()))

// show tells the user where to sign in, and opens the browser there if that is the way.
func (i *Importing) show(server string, step signin.Step) {
	address := safetext.Line(step.Address)
	if step.Code != "" {
		i.Tell(fmt.Sprintf("server %s: open %s on any device and type the code %s", server, address, safetext.Line(step.Code)))
		return
	}
	if i.Run.Env.Browse != nil && i.Run.Env.Browse(step.Address) == nil {
		i.Tell(fmt.Sprintf("server %s: sign in in the browser; if none has opened, open %s", server, address))
		return
	}
	i.Tell(fmt.Sprintf("server %s: open %s in a browser of this machine; --sign-in device takes any", server, address))
}

// forgetSignIns deletes the sign-ins to servers. The answer is no when there was none.
func (i *Importing) forgetSignIns(servers []desk.OfferServer) error {
	any := false
	for _, s := range servers {
		expanded, err := i.expand(s)
		if err == nil && i.Run.SignIns != nil {
			var known bool
			if known, err = live.SignOut(expanded, i.Run.SignIns); known {
				any = true
				i.Run.Say(report.Textf("server %s: signed out", s.Name))
			} else if err == nil {
				i.Tell("server " + s.Name + ": nobody has signed in")
			}
		}
		if err != nil {
			i.failed(err)
		}
	}
	if !any {
		return runner.ErrNo
	}
	return nil
}
