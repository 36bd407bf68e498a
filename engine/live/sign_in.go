package live

import (
	"context"
	"errors"

	"caliper/engine/live/signin"
)

// SignIn signs the user in to a server. The server's variables must have been expanded. A
// child needs none, which is an error. The error is an *Error.
//
// SECURITY: the address may hold a secret, and leaves this package for the flow alone.
func SignIn(ctx context.Context, s Server, f signin.Flow) error {
	address, err := s.address()
	if err == nil {
		err = f.SignIn(ctx, address)
	}
	if err != nil {
		r := newRedactor(nil)
		if s.hidden != nil {
			r = newRedactor(s.hidden().secrets)
		}
		return &Error{Server: s.Name, Stage: SigningIn, Err: cleaned{clip(r.message(err.Error()), longestAnswer), err}}
	}
	return nil
}

// SignOut deletes what a sign-in to a server gave. It reports whether there was anything.
func SignOut(s Server, k *signin.Keeper) (bool, error) {
	address, err := s.address()
	if err != nil {
		return false, &Error{Server: s.Name, Stage: SigningIn, Err: err}
	}
	return k.Forget(address)
}

// address returns the address of a remote server.
func (s Server) address() (string, error) {
	if s.hidden == nil || !s.hidden().expanded || s.Transport == StdioTransport {
		return "", errors.New("only a server that is reached over HTTP has a sign-in")
	}
	return s.hidden().url, nil
}
