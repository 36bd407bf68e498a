package workbench

import (
	"bytes"
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
	"unicode/utf8"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/model/safetext"
)

// DefaultRescueSession is the session of results when no session is named. The
// configuration need not have it: any text can name a session of the store.
const DefaultRescueSession = "default"

// RescueInputs are the registry, the settings and the environment of a Rescuer.
type RescueInputs struct {
	Registry  *model.Registry // for the toolset of a tool; may be nil
	Config    config.Rescue
	Tokenizer tokens.Method
	Store     string           // folder, unless Config.StorePath names one; see StorePath
	Home      string           // replaces ~ at the beginning of Config.StorePath
	Now       func() time.Time // the store's clock; nil: time.Now
}

// Rescuer handles results as the agent does: it decides whether a result is
// rescued, stores it, makes the handle and answers requests for slices. It does
// not touch the folder of the store before the first use. A Rescuer is safe for
// concurrent use.
type Rescuer struct {
	in     RescueInputs
	Limits rescue.Limits // which are active

	opening sync.Mutex
	opened  *rescue.Store
	swept   time.Time // the last time, from here
}

// Rescued is the outcome for a result. If the result is not rescued, only the
// decision, the counts in Meta, Envelope and OriginalTokens are set.
type Rescued struct {
	rescue.Decision
	Meta           rescue.Meta
	Envelope       string // envelope that was removed; empty for none
	Preview        rescue.Preview
	OriginalTokens int // tokens of the unwrapped result
	HandleTokens   int // tokens of Preview.Text
}

// StatePath returns the path of what the program keeps by a name, such as rescue, the default
// folder of the store, under XDG_STATE_HOME or else ~/.local/state. It is empty when the
// environment has no home folder.
func StatePath(getenv func(string) string, name string) string {
	folder := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) { // the XDG specification ignores relative ones
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "caliper", name)
}

// NewRescuer returns a Rescuer. Close it when done.
func NewRescuer(in RescueInputs) *Rescuer {
	return &Rescuer{in: in, Limits: in.Config}
}

// Path returns the folder of the store, which may not exist yet; empty when
// neither the configuration nor the environment names one.
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

// folder returns Path, or an error when it cannot be used.
func (r *Rescuer) folder() (string, error) {
	path := r.Path()
	switch {
	case path == "":
		return "", errors.New("no folder to keep results in: set HOME or toolaria.store_path")
	case strings.HasPrefix(path, "~/"): // otherwise a folder named ~ would be created
		return "", fmt.Errorf("toolaria.store_path: %s: HOME is not set", safetext.Line(path))
	}
	return path, nil
}

// StoreCap returns the largest size of the store in bytes.
func (r *Rescuer) StoreCap() int64 { return int64(r.in.Config.MaxStoreMB * (1 << 20)) }

// sweptStore is store, and removes what has expired, at most once a minute: nobody gets it
// anyhow. The next use finds what could not be removed now.
func (r *Rescuer) sweptStore(ctx context.Context) (*rescue.Store, error) {
	kept, err := r.store()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	if r.in.Now != nil {
		now = r.in.Now()
	}
	r.opening.Lock()
	due := now.Sub(r.swept).Abs() >= time.Minute
	if due {
		r.swept = now
	}
	r.opening.Unlock()
	if due {
		_, _ = kept.Sweep(ctx, false)
	}
	return kept, nil
}

// Expire removes what has expired, if there is a store.
func (r *Rescuer) Expire(ctx context.Context) {
	if !r.none() {
		_, _ = r.sweptStore(ctx)
	}
}

// store opens the store at the first use. It does not remember an error,
// because the cause may be gone the next time.
func (r *Rescuer) store() (*rescue.Store, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.opened != nil {
		return r.opened, nil
	}
	path, err := r.folder()
	if err != nil {
		return nil, err
	}
	c := r.in.Config
	kept, err := rescue.OpenStore(path, rescue.StoreOptions{
		TTL:          time.Duration(c.TTLHours * float64(time.Hour)),
		TombstoneTTL: time.Duration(c.TombstoneTTLHours * float64(time.Hour)),
		MaxBytes:     r.StoreCap(),
		Now:          r.in.Now,
	})
	r.opened = kept
	return kept, err
}

// Close releases the store.
func (r *Rescuer) Close() error {
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.opened == nil {
		return nil
	}
	err := r.opened.Close()
	r.opened = nil
	return err
}

// Judge returns the outcome for a result without storing it: the handle is the
// one that Put would make.
func (r *Rescuer) Judge(t *Result) (Rescued, error) {
	out := r.decide(t)
	if !out.Rescue {
		return out, nil
	}
	out.Meta.ID = rescue.ID(t.Text)
	return r.preview(t, out)
}

// Put reads a result of a tool from in, unwraps and counts it, and stores it
// for a session if it is to be rescued. name is the source in error messages. A
// result that is too short or whose tool is exempt is not stored; its decision
// has the reason.
func (r *Rescuer) Put(ctx context.Context, session, tool, name string, in io.Reader) (Rescued, error) {
	t, err := r.Read(ctx, tool, name, in)
	if err != nil {
		return Rescued{}, err
	}
	return r.Keep(ctx, session, t)
}

// Read reads a result as Put does, for Judge and Keep. The source of a result
// may be at most as large as the store, and larger by the length of JSON
// escapes when it begins like an envelope. The limit also holds for results
// that are not stored.
func (r *Rescuer) Read(ctx context.Context, tool, name string, in io.Reader) (*Result, error) {
	const escaped = 6 // the most bytes that an envelope needs for one byte of text
	most := r.StoreCap()
	plain := escaped * most
	if rescue.Subject(r.in.Registry, r.Limits, tool).Rescue {
		plain = most
	}
	var all bytes.Buffer
	for ended := false; !ended; {
		_, err := io.CopyN(&all, in, 256<<10)
		ended = err == io.EOF
		switch size := int64(all.Len()); {
		case err != nil && !ended: // of the source
		case ctx.Err() != nil:
			err = ctx.Err()
		case size > escaped*most, size > plain && !bytes.HasPrefix(bytes.TrimLeft(all.Bytes(), " \t\r\n"), []byte("{")): // only an envelope is longer than its text
			err = &rescue.StoreFull{Cap: most}
		default:
			continue
		}
		return nil, fmt.Errorf("%s: %w", safetext.Line(name), err)
	}
	text, envelope := rescue.Unwrap(all.Bytes())
	return &Result{
		Tool: tool, Envelope: envelope, Text: text,
		Chars: utf8.RuneCount(text), Lines: rescue.CountLines(text), Kind: rescue.Detect(text),
	}, nil
}

// Keep stores a result that Read has returned, as Put does.
func (r *Rescuer) Keep(ctx context.Context, session string, t *Result) (Rescued, error) {
	out := r.decide(t)
	if !out.Rescue {
		return out, nil
	}
	kept, err := r.sweptStore(ctx)
	if err != nil {
		return Rescued{}, err
	}
	if out.Meta, err = kept.Put(ctx, session, t.Tool, t.Kind, t.Text); err != nil {
		return Rescued{}, fmt.Errorf("%s: %w", safetext.Line(kept.Path()), err)
	}
	return r.preview(t, out)
}

// decide computes the outcome of a result without its handle.
func (r *Rescuer) decide(t *Result) Rescued {
	return Rescued{
		Decision:       rescue.Decide(r.in.Registry, r.Limits, t.Tool, t.Chars),
		Meta:           rescue.Meta{Tool: t.Tool, Bytes: int64(len(t.Text)), Chars: t.Chars, Lines: t.Lines, Kind: t.Kind},
		Envelope:       t.Envelope,
		OriginalTokens: textTokens(t.Text, r.in.Tokenizer, t.Chars),
	}
}

// preview adds the handle to the outcome.
func (r *Rescuer) preview(t *Result, out Rescued) (Rescued, error) {
	var err error
	if out.Preview, err = rescue.Handle(t.Text, out.Meta, r.Limits); err != nil {
		return Rescued{}, err
	}
	out.HandleTokens = r.Tokens(out.Preview.Text)
	return out, nil
}

// Tokens returns the tokens of a text by the configured method.
func (r *Rescuer) Tokens(text string) int {
	return textTokens([]byte(text), r.in.Tokenizer, utf8.RuneCount([]byte(text)))
}

// Fetch answers a request for a slice of a blob that the session holds, by its id or a
// prefix of it, as the tool rescuer_fetch does, and returns the whole id too. RescueCode
// returns the code of an error.
func (r *Rescuer) Fetch(ctx context.Context, session, id string, q fetch.Request) (a fetch.Answer, whole string, err error) {
	kept, err := r.sweptStore(ctx)
	if err != nil {
		return a, "", err
	}
	// SECURITY: the store is asked every time, so that a session cannot read
	// through a reference that has ended.
	m, text, err := kept.Open(ctx, session, id)
	if err != nil {
		return a, "", err
	}
	a, err = fetch.Do(text, m, q, r.Limits)
	return a, m.ID, err
}

// none reports whether the store does not exist yet. It does not create one.
func (r *Rescuer) none() bool {
	path, err := r.folder()
	if err == nil {
		_, err = os.Lstat(path)
	}
	return errors.Is(err, fs.ErrNotExist)
}

// Status returns the counts of the store.
func (r *Rescuer) Status(ctx context.Context) (rescue.StoreStatus, error) {
	if r.none() {
		path, err := filepath.Abs(r.Path())
		return rescue.StoreStatus{Path: path}, err
	}
	kept, err := r.store()
	if err != nil {
		return rescue.StoreStatus{}, err
	}
	return kept.Status(ctx)
}

// References returns the references of all sessions, the newest first.
func (r *Rescuer) References(ctx context.Context) ([]rescue.Reference, error) {
	if r.none() {
		return nil, nil
	}
	kept, err := r.store()
	if err != nil {
		return nil, err
	}
	return kept.References(ctx)
}

// Sweep removes expired blobs, or with dryRun only counts them.
func (r *Rescuer) Sweep(ctx context.Context, dryRun bool) (rescue.Swept, error) {
	if r.none() {
		return rescue.Swept{}, nil
	}
	kept, err := r.store()
	if err != nil {
		return rescue.Swept{}, err
	}
	return kept.Sweep(ctx, dryRun)
}

// RescueCode returns the stable code of an error that answers a fetch: an error
// of the request, the id or the blob. It is empty for other errors, such as one
// of the store's folder. The text of an error with a code is meant for the
// model.
func RescueCode(err error) string {
	var coded *rescue.Error
	if errors.As(err, &coded) {
		return coded.Code
	}
	return ""
}

// Result is the result of a tool, without its envelope and counted.
type Result struct {
	Tool         string
	Envelope     string // envelope that was removed; empty for none
	Chars, Lines int
	Kind         rescue.Kind
	Text         []byte // the text that the model would get
}

// tokenWindow is the number of bytes that are counted at once.
const tokenWindow = 1 << 20

// textTokens returns the tokens of a text with chars characters. chars4 is a
// quarter of them, rounded up. The exact methods count windows that end at a
// line end if possible, so the count may be off by a token or more at each
// boundary.
func textTokens(text []byte, m tokens.Method, chars int) int {
	if m = m.Base(); m == tokens.Chars4 {
		return tokens.Chars4.Tokens(chars)
	}
	total := 0
	for len(text) > 0 {
		part := text[:min(tokenWindow, len(text))]
		if end := bytes.LastIndexByte(part, '\n'); end >= 0 && len(part) < len(text) {
			part = part[:end+1]
		}
		// Package tokens counts JSON as if it had no spaces, because it counts definitions, while the
		// model gets a result unchanged. JSON is therefore split before its last bracket or quote into
		// two halves that are not JSON.
		halves := [][]byte{part}
		if end := len(bytes.TrimRight(part, " \t\r\n")) - 1; end > 0 && bytes.IndexByte([]byte(`]}"`), part[end]) >= 0 && !bytes.Equal(tokens.Compact(nil, part), part) {
			halves = [][]byte{part[:end], part[end:]}
		}
		units := 0
		for _, half := range halves {
			units += m.Units(half)
		}
		total += m.Tokens(units)
		text = text[len(part):]
	}
	return total
}
