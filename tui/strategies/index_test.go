package strategies

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// silent is an embedder that never answers, and heeds no context.
type silent struct {
	asked atomic.Int32
	until <-chan struct{}
}

func (s *silent) Identity() embed.Identity { return embed.Identity{Provider: "silent", Model: "none"} }

func (s *silent) Floor([]float64, float64) float64 { return 0 }
func (s *silent) Scores(context.Context, string, []*model.Tool) ([]float64, error) {
	s.asked.Add(1)
	<-s.until
	return nil, errors.New("too late")
}

// opening returns options under which the index is opened by a function.
func opening(open func(ctx context.Context, tools []*model.Tool, progress func(done, total int)) (embed.Similarity, error)) Options {
	return Options{Open: func(ctx context.Context, _ config.PreSelection, tools []*model.Tool, _ workbench.Embedding, progress func(done, total int)) (embed.Similarity, error) {
		return open(ctx, tools, progress)
	}}
}

// openFuzzy opens the index that is built in.
func openFuzzy(ctx context.Context, tools []*model.Tool, progress func(done, total int)) (embed.Similarity, error) {
	return workbench.OpenSimilarity(ctx, config.Default().PreSelection, tools, workbench.Embedding{}, progress)
}

// An embedder that never answers costs a selection its timeout, and the typing
// nothing: no key waits for it, and the keywords go on.
func TestEmbedderThatNeverAnswers(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	defer close(until)
	mute := &silent{until: until}
	o := opening(func(context.Context, []*model.Tool, func(int, int)) (embed.Similarity, error) { return mute, nil })
	d := open(t, o, strings.Replace(string(demo.Config()), "selection: eager", "selection: eager\n  rag_embed_model: ollama:mute", 1), refund).Visit().Settle()
	d.Wants("keywords only: ", "did not answer").Wants("mcp_payments_refund_batch")
	d.Press("e", "end")
	asked := mute.asked.Load()
	for _, r := range "with tax" { // whatever the keys begin is not run, and they return all the same
		d.S.Layer().Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		_ = d.S.Start(true)
	}
	d.Wants(refund + "with tax")
	if mute.asked.Load() != asked {
		t.Error("a key asks the embedder itself")
	}
	d.Type("xxxxx").Wants("calls that do not return", "mcp_payments_refund_batch")
	if n := mute.asked.Load(); n > asked+5 {
		t.Errorf("%d calls", n)
	}
}

// A server that never answers, and an index that holds nothing: the index waits
// for it beside the screen, and no selection does.
func TestServerThatNeverAnswers(t *testing.T) {
	asked := make(chan struct{}, 16)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then it is not told that nobody waits
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	d := open(t, Options{}, "tools: {rag_embed_model: small, rag_embed_url: "+server.URL+"}\n", refund).Visit()
	d.Until("mcp_payments_refund_batch")
	<-asked
	d.Wants("indexing", "keywords only: the index is being made", "mcp_payments_refund_batch")
	d.Hold("e").Hold("end").Hold("s")
	for d.S.late() {
		d.Take(d.Next())
	}
	if !d.S.indexing.Running || d.S.pick(selection.Hybrid).Message != refund+"s" {
		t.Error("a selection waits for the index")
	}
	if len(asked) > 0 {
		t.Error("the server is asked for a message while the index is being made")
	}
	d.Hold("esc") // out of the message
	d.Hold("esc").Settle().Wants("making the index was", "R tries again")
}

// embedding returns a server of embeddings, which leaves requests without an answer that
// answers is false for.
func embedding(t *testing.T, answers func(inputs int, r *http.Request) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&body) != nil || !answers(len(body.Input), r) {
			return
		}
		vectors := make([][]float32, len(body.Input))
		for i := range vectors {
			vectors[i] = []float32{1, float32(i)}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
	}))
	t.Cleanup(server.Close)
	return server
}

// A model that takes longer to be loaded than a message waits, on a server that gives the
// load up when the client leaves: keywords answer, the screen names the model waited for, and
// everything is selected anew when the model is there.
func TestModelThatIsAsleep(t *testing.T) {
	t.Parallel()
	var loaded atomic.Bool
	load, left := make(chan struct{}), make(chan struct{}, 100)
	server := embedding(t, func(inputs int, r *http.Request) bool {
		if inputs > 1 || loaded.Load() { // the index is made in batches
			return true
		}
		select {
		case <-load:
			loaded.Store(true)
			return true
		case <-r.Context().Done():
			left <- struct{}{}
			return false
		}
	})
	d := open(t, Options{}, "tools: {selection: hybrid, rag_embed_model: small, rag_embed_timeout_ms: 30, rag_embed_url: "+server.URL+"}\n", refund).Visit()
	d.Until("waking small").Until("keywords only: waking ollama:small").Wants("mcp_payments_refund_batch", "keywords decide")
	<-left
	close(load)
	// From here on any message may wait as long as the machine is slow.
	d.Configure("tools: {selection: hybrid, rag_embed_model: small, rag_embed_timeout_ms: 60000, rag_embed_url: "+server.URL+"}\n").Settle().Lacks("waking", "keywords only").Wants("semantic index of")
}

// The state of the index is in the notice, and stays on screen.
func TestNotesOfTheIndex(t *testing.T) {
	server := embedding(t, func(int, *http.Request) bool { return true })
	cache := filepath.Join(require.ShortFolder(t), "file")
	require.NoError(t, os.WriteFile(cache, nil, 0o600))
	d := open(t, Options{Embedding: workbench.Embedding{Cache: cache}}, "tools: {rag_embed_model: small, rag_embed_url: "+server.URL+"}\n", refund).Visit().Settle()
	d.Wants("semantic index of")
	if notice := d.Notices[len(d.Notices)-1]; !strings.Contains(notice, "the index of vectors is not kept: ") {
		t.Errorf("the notice is %q", notice)
	}
	if d.Notices = nil; !strings.Contains(d.Picture(), "the index of vectors is not") {
		t.Errorf("it does not stay on screen:\n%s", d.Picture())
	}
}

func TestBrokenModel(t *testing.T) {
	t.Parallel()
	broken, opened := true, 0
	d := open(t, opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		if opened++; broken {
			return nil, errors.New("model2vec:/nowhere: no such folder")
		}
		return openFuzzy(ctx, tools, progress)
	}), string(demo.Config()), refund).Visit().Settle()
	d.Wants("embedder: model2vec:/nowhere: no such folder · keywords go on", "keywords only: model2vec:/nowhere: no such folder", "mcp_payments_refund_batch", "R tries again")
	for _, size := range [][2]int{{78, 17}, {38, 6}} {
		d.W, d.H = size[0], size[1]
		d.View(viewTuning.String()).View(viewComparison.String()).Press("tab", "tab").Wants("keywords only").Press("tab")
	}
	d.W, d.H = 118, 29
	// Turning a knob does not try the model again, and R does.
	onKnob(d, "K").Press("right")
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
	broken, d.Notices = false, nil
	d.Press("R").Lacks("keywords only", "R tries again").Wants("semantic index of")
	if opened != 2 {
		t.Errorf("opened %d times", opened)
	}
}

func TestIndexIsCancelled(t *testing.T) {
	t.Parallel()
	waits := true
	d := open(t, opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		progress(30, 188)
		if waits {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return openFuzzy(ctx, tools, progress)
	}), string(demo.Config()), refund).Visit().Until("indexing 30 of 188")
	d.Wants("esc cancels")
	d.W, d.H = 38, 6
	d.Wants("30/188")
	d.W, d.H = 118, 29
	if !d.S.Back() {
		t.Error("esc leaves the screen")
	}
	d.Settle().Wants("making the index was cancelled", "keywords only")
	waits = false
	d.Press("R").Wants("semantic index of")
	if d.S.similarity == nil {
		t.Error("R does not make it")
	}
}

// The index is kept while it is of the same tools, and made anew for others.
func TestIndexIsKept(t *testing.T) {
	t.Parallel()
	opened := 0
	d := open(t, opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		opened++
		return openFuzzy(ctx, tools, progress)
	}), string(demo.Config()), refund).Visit().Settle()
	onKnob(d, "K").Press("left", "left").Wants("K 6")
	d.Configure(strings.Replace(string(demo.Config()), "selection: eager", "selection: keyword", 1)).Settle()
	if opened != 1 {
		t.Errorf("opened %d times for the same tools", opened)
	}
	registry := strings.Replace(string(demo.Registry()), "Tell what runs where: version", "Tell what is running: version", 1)
	d.Input.Registry[0].Data = []byte(registry)
	d.Reload()
	if d.Settle(); opened != 2 {
		t.Errorf("opened %d times", opened)
	}
	if d.S.pick(selection.Hybrid).Embedder == "" {
		t.Error("hybrid goes without the index")
	}
}

// An embedder that takes the call and says nothing is named with its address
// once the time of a message is over, long before the index gives it up.
func TestSilentEmbedderIsNamed(t *testing.T) {
	t.Parallel()
	begin := func(config string) (d *driver, answer chan<- struct{}) {
		answered := make(chan struct{})
		return open(t, opening(func(ctx context.Context, _ []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
			select {
			case <-answered:
				progress(64, 192)
			case <-ctx.Done():
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}), config, refund).Visit().Until("the index is being made"), answered
	}
	d, answer := begin("tools: {rag_embed_model: 'ollama:small', rag_embed_url: 'http://me:secret@127.0.0.1:9'}\n")
	d.Take(embedTimeoutMsg(&indexed{}))
	d.Lacks("has not answered yet", "no answer yet")
	d.Take(embedTimeoutMsg(d.S.indexing.Of))
	d.Until("keywords only: the embedder at http://***@127.0.0.1:9 has not answered yet")
	d.Wants("keywords decide", "no answer yet").Lacks("secret", "indexing")
	close(answer)
	d.Until("indexing 64 of 192").Until("the index is being made").Lacks("has not answered yet", "no answer yet")
	// One that is at hand has no address to name, only work to do.
	d, _ = begin("tools: {rag_embed_model: 'model2vec:/some/model'}\n")
	d.Take(embedTimeoutMsg(d.S.indexing.Of))
	d.Lacks("has not answered yet", "no answer yet")
}
