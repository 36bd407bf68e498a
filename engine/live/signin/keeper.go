package signin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"caliper/model/newfile"

	"github.com/zalando/go-keyring"
	"golang.org/x/oauth2"
)

// service is the name of caliper's entries in a keyring.
const service = "caliper sign-in"

// longestKeyring bounds how long the system's keyring may take, which may ask the user.
const longestKeyring = 30 * time.Second

// Keeper keeps what sign-ins gave by the address of the server: in the keyring of the system, or
// else in a file that only the user can read. It is safe for concurrent use.
type Keeper struct {
	Folder  string // of the files; made when it is needed; empty: the keyring alone
	Keyring bool   // there is a keyring
	HTTP    *http.Client

	mu      sync.Mutex
	sources map[string]*renewing // by server; nil for one without a grant
}

// Token returns the token of a server, renewed if it has ended; empty for a server that nobody has
// signed in to. After an error the user has to sign in again.
func (k *Keeper) Token(ctx context.Context, server string) (string, error) {
	source := k.source(server)
	if source == nil {
		return "", ctx.Err()
	}
	t, err := source.Token()
	if err != nil {
		return "", source.wire.explain(ctx, err)
	}
	return t.AccessToken, nil
}

// source returns what renews the token of a server; nil where there is no grant.
func (k *Keeper) source(server string) *renewing {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s, ok := k.sources[server]; ok {
		return s
	}
	if k.sources == nil {
		k.sources = map[string]*renewing{}
	}
	k.sources[server] = nil
	if g := k.load(server); g != nil {
		// The token outlives the request for which it is asked first.
		w, client := newWire(k.HTTP, server)
		ctx := context.WithValue(context.Background(), oauth2.HTTPClient, client)
		k.sources[server] = &renewing{of: g.config().TokenSource(ctx, g.Token), grant: *g, keeper: k, wire: w}
	}
	return k.sources[server]
}

// renewing is a source of tokens that keeps a token which was renewed.
type renewing struct {
	of     oauth2.TokenSource
	keeper *Keeper
	wire   *wire

	mu    sync.Mutex
	grant grant
}

// Token returns a token that has not ended.
func (r *renewing) Token() (*oauth2.Token, error) {
	t, err := r.of.Token()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.AccessToken != r.grant.Token.AccessToken {
		r.grant.Token = t
		_ = r.keeper.put(r.grant) // what cannot be kept is renewed again by the next process
	}
	return t, nil
}

// save keeps a grant in place of what was kept for its server.
func (k *Keeper) save(g grant) error {
	k.mu.Lock()
	delete(k.sources, g.Server)
	k.mu.Unlock()
	return k.put(g)
}

func (k *Keeper) put(g grant) error {
	data, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("keeping the sign-in: %w", err)
	}
	if k.Keyring {
		if _, err := within(func() (string, error) { return "", keyring.Set(service, g.Server, string(data)) }); err == nil {
			_ = k.removeFile(g.Server) // of a time without a keyring
			return nil
		}
	}
	if err := k.writeFile(g.Server, data); err != nil {
		return fmt.Errorf("keeping the sign-in: %w", err)
	}
	return nil
}

// load reads the grant of a server; nil for none.
func (k *Keeper) load(server string) *grant {
	if k.Keyring {
		text, err := within(func() (string, error) { return keyring.Get(service, server) })
		if g := readGrant([]byte(text), server); err == nil && g != nil {
			return g
		}
	}
	if k.Folder == "" {
		return nil
	}
	data, err := os.ReadFile(k.file(server))
	if err != nil {
		return nil
	}
	return readGrant(data, server)
}

// Forget deletes the tokens of a server, and reports whether there were any; the error tells where
// some may be left.
func (k *Keeper) Forget(server string) (bool, error) {
	k.mu.Lock()
	delete(k.sources, server)
	k.mu.Unlock()
	known := k.load(server) != nil
	err := k.removeFile(server)
	if k.Keyring {
		_, locked := within(func() (string, error) { return "", keyring.Delete(service, server) })
		if locked != nil && !errors.Is(locked, keyring.ErrNotFound) {
			err = errors.Join(err, fmt.Errorf("the keyring: %w", locked))
		}
	}
	return known, err
}

// errSlow is the error of a keyring that does not answer.
var errSlow = errors.New("the keyring does not answer")

// within calls the keyring, and waits for it no longer than longestKeyring.
func within(call func() (string, error)) (string, error) {
	var text string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = call()
	}()
	select {
	case <-done:
		return text, err
	case <-time.After(longestKeyring):
		return "", errSlow
	}
}

// file returns the path of the file of a server.
func (k *Keeper) file(server string) string {
	sum := sha256.Sum256([]byte(server))
	return filepath.Join(k.Folder, hex.EncodeToString(sum[:16])+".json")
}

// writeFile writes the file of a server in one step.
//
// SECURITY: neither the folder nor the file can be read by others.
func (k *Keeper) writeFile(server string, data []byte) error {
	if k.Folder == "" {
		return errors.New("there is neither a keyring nor a folder for it")
	}
	if err := os.MkdirAll(k.Folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(k.Folder)
	if err != nil {
		return err
	}
	if fault := newfile.FolderFault(info, false); fault != "" {
		return fmt.Errorf("%s: %s", k.Folder, fault)
	}
	f, err := os.CreateTemp(k.Folder, ".new-*") // which nobody else can open
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), k.file(server))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is not there any more, or there is nothing left to do
	}
	return err
}

func (k *Keeper) removeFile(server string) error {
	if k.Folder == "" {
		return nil
	}
	if err := os.Remove(k.file(server)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
