package connect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caliper/engine/live"
	"caliper/engine/live/signin"
	"caliper/model/safetext"
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

// errSignInTime is what a sign-in ends with that the user did not finish.
var errSignInTime = fmt.Errorf("nobody has signed in within %d minutes", int(signInTime.Minutes()))
