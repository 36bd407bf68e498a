package workbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/engine/rescue/store"
	"caliper/engine/tokens"
	"caliper/model"
)

// DefaultRescueSession is the session that results are kept for when none is
// named. It need not be one of the configuration's: any text is a session here.
const DefaultRescueSession = "default"

// RescueInputs are what a Rescuer goes by.
type RescueInputs struct {
	Registry  *model.Registry // to tell a tool's toolset; may be nil
	Config    config.Rescue
	Tokenizer tokens.Method
	Store     string           // folder, unless Config.StorePath names one; see StorePath
	Home      string           // what ~/ at the beginning of Config.StorePath stands for
	Now       func() time.Time // the store's clock; nil: time.Now
}

// Rescuer does for a result what the agent does: it decides whether it is
// rescued, keeps it, makes the handle and answers requests for slices. The
// store's folder is not touched before the first use of it. A Rescuer is safe
// for concurrent use; requests for slices wait for each other.
type Rescuer struct {
	in     RescueInputs
	limits rescue.Limits

	opening sync.Mutex
	kept    *store.Store

	fetching sync.Mutex
	blob     *store.Blob // of the last fetch, with what its reader has learned of it
	reader   *fetch.Reader
}

// Rescued is what becomes of a result. Of one that is not rescued, only the
// decision, the counts in Meta, the envelope and OriginalTokens are set.
type Rescued struct {
	rescue.Decision
	Meta           rescue.Meta
	Envelope       string // what the result was unwrapped from; empty: nothing
	Preview        rescue.Preview
	OriginalTokens int // of the unwrapped result
	HandleTokens   int // of Preview.Text
}

// StorePath returns where results are kept by default: under XDG_STATE_HOME,
// else ~/.local/state. It is empty when the environment names no home.
func StorePath(getenv func(string) string) string {
	folder := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) { // the XDG specification ignores relative ones
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "caliper", "rescue")
}

// RescueLimits returns the limits that a configuration sets.
func RescueLimits(c config.Rescue) rescue.Limits {
	return rescue.Limits{
		MaxResultChars:    c.MaxResultChars,
		FetchMaxChars:     c.FetchMaxChars,
		FullFetchMaxChars: c.FullFetchMaxChars,
		ExcerptMaxChars:   c.ExcerptMaxChars,
		HeadLines:         c.HeadLines,
		TailLines:         c.TailLines,
		JSONHeadItems:     c.JSONHeadItems,
		JSONTailItems:     c.JSONTailItems,
		RefuseFullFetch:   c.RefuseFullFetch,
		GrepTimeout:       time.Duration(c.GrepTimeoutMS) * time.Millisecond,
		GrepMaxPatternLen: c.GrepMaxPatternLen,
		GrepMaxLineLen:    c.GrepMaxLineLen,
		Exclude:           c.ExcludeTools,
		ErrorLines:        c.ErrorLinePatterns,
		Off:               string(c.Off),
	}
}

// NewRescuer returns a Rescuer. Close it when done.
func NewRescuer(in RescueInputs) *Rescuer {
	return &Rescuer{in: in, limits: RescueLimits(in.Config)}
}

// Limits returns the limits in force.
func (r *Rescuer) Limits() rescue.Limits { return r.limits }

// Path returns the store's folder, whether there is one yet or not; empty when
// neither the configuration nor the surroundings name one.
func (r *Rescuer) Path() string {
	path := r.in.Config.StorePath
	if path == "" {
		return r.in.Store
	}
	if below, ok := strings.CutPrefix(path, "~/"); ok && r.in.Home != "" {
		return filepath.Join(r.in.Home, below)
	}
	return path
}

// folder is Path where there is one to be used.
func (r *Rescuer) folder() (string, error) {
	path := r.Path()
	switch {
	case path == "":
		return "", errors.New("no folder to keep results in: set HOME or toolaria.store_path")
	case strings.HasPrefix(path, "~/"): // else a folder named ~ is made wherever this runs
		return "", fmt.Errorf("toolaria.store_path: %s: HOME is not set", model.Sanitize(path))
	}
	return path, nil
}

// mib is the unit of max_store_mb in bytes.
const mib = 1 << 20

// StoreCap returns the most bytes that the store may hold.
func (r *Rescuer) StoreCap() int64 { return int64(r.in.Config.MaxStoreMB * mib) }

// store opens the store when it is first needed. An error is not remembered:
// a folder that was in the way may be gone the next time.
func (r *Rescuer) store() (*store.Store, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.kept != nil {
		return r.kept, nil
	}
	path, err := r.folder()
	if err != nil {
		return nil, err
	}
	c := r.in.Config
	kept, err := store.Open(path, store.Options{
		TTL:          time.Duration(c.TTLHours * float64(time.Hour)),
		TombstoneTTL: time.Duration(c.TombstoneTTLHours * float64(time.Hour)),
		MaxBytes:     r.StoreCap(),
		Now:          r.in.Now,
	})
	r.kept = kept
	return kept, err
}

// Close releases the store and the blob that was read last.
func (r *Rescuer) Close() error {
	r.fetching.Lock()
	defer r.fetching.Unlock()
	err := r.forget()
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.kept != nil {
		err = errors.Join(err, r.kept.Close())
		r.kept = nil
	}
	return err
}

// Judge returns what becomes of a result, without keeping it: the handle is
// the one that Put would make.
func (r *Rescuer) Judge(ctx context.Context, t *Result) (Rescued, error) {
	out, err := r.decide(ctx, t)
	if err != nil || !out.Rescue {
		return out, err
	}
	if out.Meta.ID, err = t.id(ctx); err != nil {
		return Rescued{}, err
	}
	return r.preview(ctx, t, out)
}

// Put reads a result of a tool from in, of which name says where it comes
// from, unwraps and counts it, and keeps it for a session when it is to be
// rescued. A result that is too short or whose tool is exempt is not kept, and
// its decision says why. Memory is bounded; what does not fit is for a while
// in a temporary file that only the user can read.
func (r *Rescuer) Put(ctx context.Context, session, tool, name string, in io.Reader) (Rescued, error) {
	t, err := r.Read(ctx, tool, name, in)
	if err != nil {
		return Rescued{}, err
	}
	defer t.Close()
	return r.Keep(ctx, session, t)
}

// Read reads a result as Put does, for Judge and Keep. The source of one that
// would be kept may be as large as the store may be, and larger by what escapes
// take when it begins as an envelope does. What is not kept has that bound too.
func (r *Rescuer) Read(ctx context.Context, tool, name string, in io.Reader) (*Result, error) {
	const escaped = 6 // bytes that an envelope may need for one
	most := r.StoreCap()
	plain := escaped * most
	if rescue.Subject(r.in.Registry, r.limits, tool).Rescue {
		plain = most
	}
	t, err := readResult(ctx, tool, in, escaped*most, plain)
	var full *store.Full
	if errors.As(err, &full) {
		err = &store.Full{Cap: most}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model.Sanitize(name), err)
	}
	return t, nil
}

// Keep is Put for a result that has been read.
func (r *Rescuer) Keep(ctx context.Context, session string, t *Result) (Rescued, error) {
	out, err := r.decide(ctx, t)
	if err != nil || !out.Rescue {
		return out, err
	}
	kept, err := r.store()
	if err != nil {
		return Rescued{}, err
	}
	about := store.About{Tool: t.Tool, Kind: t.Kind}
	if out.Meta, err = kept.Put(ctx, session, about, io.NewSectionReader(t, 0, t.Size())); err != nil {
		return Rescued{}, fmt.Errorf("%s: %w", model.Sanitize(kept.Path()), err)
	}
	return r.preview(ctx, t, out)
}

// decide fills in what is known of a result without its handle.
func (r *Rescuer) decide(ctx context.Context, t *Result) (Rescued, error) {
	n, err := textTokens(ctx, t, r.in.Tokenizer, t.Chars)
	return Rescued{
		Decision:       rescue.Decide(r.in.Registry, r.limits, t.Tool, t.Chars),
		Meta:           rescue.Meta{Tool: t.Tool, Bytes: t.Size(), Chars: t.Chars, Lines: t.Lines, Kind: t.Kind},
		Envelope:       t.Envelope,
		OriginalTokens: n,
	}, err
}

// preview adds the handle.
func (r *Rescuer) preview(ctx context.Context, t *Result, out Rescued) (Rescued, error) {
	var err error
	if out.Preview, err = rescue.Handle(ctx, t, out.Meta, r.limits); err != nil {
		return Rescued{}, err
	}
	out.HandleTokens, err = r.Tokens(ctx, out.Preview.Text)
	return out, err
}

// Tokens returns the tokens of a text by the method in force.
func (r *Rescuer) Tokens(ctx context.Context, text string) (int, error) {
	return textTokens(ctx, strings.NewReader(text), r.in.Tokenizer, rescue.CountChars([]byte(text)))
}

// Find returns what is known of a blob that a session holds, by its id or a
// beginning of it. RescueCode tells its errors apart.
func (r *Rescuer) Find(ctx context.Context, session, id string) (rescue.Meta, error) {
	kept, err := r.store()
	if err != nil {
		return rescue.Meta{}, err
	}
	b, err := kept.Open(ctx, session, id)
	if err != nil {
		return rescue.Meta{}, err
	}
	return b.Meta, b.Close()
}

// Fetch answers a request for a slice of a blob that the session holds, as
// rescuer_fetch would. RescueCode tells its errors apart.
func (r *Rescuer) Fetch(ctx context.Context, session, id string, q fetch.Request) (fetch.Answer, error) {
	kept, err := r.store()
	if err != nil {
		return fetch.Answer{}, err
	}
	r.fetching.Lock()
	defer r.fetching.Unlock()
	// SECURITY: the store is asked every time, so that nothing is read by a
	// reference that has ended since.
	b, err := kept.Open(ctx, session, id)
	if err != nil {
		return fetch.Answer{}, err
	}
	if r.blob != nil && r.blob.Meta == b.Meta {
		err = b.Close()
	} else {
		err = r.forget()
		r.blob, r.reader = b, fetch.NewReader(b, b.Meta)
	}
	if err != nil {
		return fetch.Answer{}, err
	}
	return r.reader.Do(ctx, q, r.limits)
}

// forget closes the blob of the last fetch. The caller holds fetching.
func (r *Rescuer) forget() error {
	if r.blob == nil {
		return nil
	}
	b := r.blob
	r.blob, r.reader = nil, nil
	return b.Close()
}

// none reports whether there is no store yet. Asking about one makes none.
func (r *Rescuer) none() bool {
	path, err := r.folder()
	if err == nil {
		_, err = os.Lstat(path)
	}
	return errors.Is(err, fs.ErrNotExist)
}

// Status counts the store.
func (r *Rescuer) Status(ctx context.Context) (store.Status, error) {
	if r.none() {
		path, err := filepath.Abs(r.Path())
		return store.Status{Path: path}, err
	}
	kept, err := r.store()
	if err != nil {
		return store.Status{}, err
	}
	return kept.Status(ctx)
}

// References returns what every session holds, the latest put first.
func (r *Rescuer) References(ctx context.Context) ([]store.Reference, error) {
	if r.none() {
		return nil, nil
	}
	kept, err := r.store()
	if err != nil {
		return nil, err
	}
	return kept.References(ctx)
}

// Sweep removes what has expired, or says what it would remove.
func (r *Rescuer) Sweep(ctx context.Context, dryRun bool) (store.Swept, error) {
	if r.none() {
		return store.Swept{}, nil
	}
	kept, err := r.store()
	if err != nil {
		return store.Swept{}, err
	}
	return kept.Sweep(ctx, dryRun)
}
