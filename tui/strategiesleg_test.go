package tui

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
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// silent is an embedder that never answers, and heeds no context.
type silent struct {
	asked atomic.Int32
	until <-chan struct{}
}

func (s *silent) Identity() embed.Identity { return embed.Identity{Provider: "silent", Model: "none"} }
func (s *silent) Floor() float64           { return 0 }
func (s *silent) Scores(context.Context, string, []*model.Tool) ([]float64, error) {
	s.asked.Add(1)
	<-s.until
	return nil, errors.New("too late")
}

// opening returns options of the demo whose semantic leg is opened so.
func opening(open func(ctx context.Context, tools []*model.Tool, progress func(done, total int)) (embed.Similarity, error)) Options {
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Query = refund
	opt.OpenSimilarity = func(ctx context.Context, _ config.PreSelection, tools []*model.Tool, _ workbench.Embedding, progress func(done, total int)) (embed.Similarity, error) {
		return open(ctx, tools, progress)
	}
	return opt
}

// An embedder that never answers costs a selection its timeout, and the typing
// nothing: no key waits for it, and the keywords go on.
func TestStrategiesEmbedderThatNeverAnswers(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	defer close(until)
	leg := &silent{until: until}
	opt := opening(func(context.Context, []*model.Tool, func(int, int)) (embed.Similarity, error) { return leg, nil })
	d := startExplorer(t, opt, 120, 36)
	d.reload(ConfigPart, strings.Replace(string(demo.Config()), "selection: eager", "selection: eager\n  rag_embed_model: ollama:mute", 1))
	d.selected("alt+4").wants("keywords only: ", "did not answer").wants("mcp_payments_refund_batch")
	asked := leg.asked.Load()
	d.Press("e")
	for _, r := range "with tax" { // whatever the keys start is not run, and they return all the same
		d.app().Update(d.key(map[bool]string{true: "space", false: string(r)}[r == ' ']))
	}
	d.check()
	d.wants(refund + "with tax")
	if leg.asked.Load() != asked {
		t.Error("a key asks the embedder itself")
	}
	for range 5 {
		d.Type("x").selected()
	}
	d.wants("calls that do not return", "mcp_payments_refund_batch")
	if n := leg.asked.Load(); n > asked+5 {
		t.Errorf("%d calls", n)
	}
}

// A server that never answers, and an index that holds nothing: the index waits
// for it beside the screen, and no selection does.
func TestStrategiesServerThatNeverAnswers(t *testing.T) {
	asked := make(chan struct{}, 16)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then it is not told that nobody waits
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	opt := testOptions(demo.Registry(), []byte("tools: {rag_embed_model: small, rag_embed_url: "+server.URL+"}\n"))
	opt.Query = refund
	d := startExplorer(t, opt, 120, 36)
	a, came := d.app(), make(chan tea.Msg, 64)
	s := &a.strategies
	var start func(tea.Cmd) // without waiting for it
	start = func(cmd tea.Cmd) {
		go func() {
			if cmd == nil {
				return
			}
			msg := cmd()
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, cmd := range batch {
					start(cmd)
				}
			} else if msg != nil {
				came <- msg
			}
		}()
	}
	press := func(key string) {
		_, cmd := a.Update(d.key(key))
		for start(cmd); key != "esc" && (s.answer.picks == nil || s.late()); start(cmd) {
			_, cmd = a.Update(<-came)
		}
		d.check()
	}
	press("alt+4")
	<-asked
	d.wants("indexing", "keywords only: the index is being made", "mcp_payments_refund_batch")
	press("e")
	press("s")
	if s.leg.cancel == nil || s.pick(selection.Hybrid).Message != refund+"s" {
		t.Error("a selection waits for the index")
	}
	if len(asked) > 0 {
		t.Error("the server is asked for a message while the index is being made")
	}
	press("esc") // out of the message
	press("esc")
	d.wants("making the index was", "R tries again")
}

// What is to be known of the index is told, and stays on screen.
func TestStrategiesTellOfTheIndex(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			return
		}
		vectors := make([][]float32, len(body.Input))
		for i := range vectors {
			vectors[i] = []float32{1, 0}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
	}))
	defer server.Close()
	opt := testOptions(demo.Registry(), []byte("tools: {rag_embed_model: small, rag_embed_url: "+server.URL+"}\n"))
	opt.Query, opt.Embedding.Cache = refund, filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(opt.Embedding.Cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := startExplorer(t, opt, 120, 36).selected("alt+4")
	d.wants("semantic index of", "the index of vectors is not")
	if !strings.Contains(d.app().notices.text, "the index of vectors is not kept: ") {
		t.Errorf("told is %q", d.app().notices.text)
	}
}

func TestStrategiesBrokenModel(t *testing.T) {
	t.Parallel()
	broken := true
	opened := 0
	opt := opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		opened++
		if broken {
			return nil, errors.New("model2vec:/nowhere: no such folder")
		}
		return workbench.OpenSimilarity(ctx, config.Default().PreSelection, tools, workbench.Embedding{}, progress)
	})
	d := startExplorer(t, opt, 120, 36).selected("alt+4")
	d.wants("embedder: model2vec:/nowhere: no such folder · keywords go on", "keywords only: model2vec:/nowhere: no such folder", "mcp_payments_refund_batch", "R tries again")
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		d.Resize(size[0], size[1])
		d.view(partTuning).view(partComparison).Press("tab").wants("keywords only").Press("tab")
	}
	d.Resize(120, 36)
	// Turning a knob does not try the model again, and R does.
	d.Press("tab", "tab", "down").selected("right")
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
	broken = false
	d.selected("R").lacks("keywords only", "R tries again").wants("fuzzy index of")
	if opened != 2 {
		t.Errorf("opened %d times", opened)
	}
}

func TestStrategiesMissingModelFolder(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), []byte("tools: {selection: hybrid, rag_embed_model: 'model2vec:/no/such/folder'}\n"))
	opt.Query = refund
	d := startExplorer(t, opt, 120, 36).selected("alt+4")
	d.wants("model2vec:/no/such/folder: ", "keywords only", "hybrid in force", "semantic")
	if leg := d.app().strategies.leg; leg.absent == nil || leg.similarity != nil {
		t.Fatal("the model is not missed")
	}
}

func TestStrategiesIndexProgress(t *testing.T) {
	t.Parallel()
	opt := opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(len(tools), len(tools))
		return workbench.OpenSimilarity(ctx, config.Default().PreSelection, tools, workbench.Embedding{}, nil)
	})
	d := startExplorer(t, opt, 120, 36)
	a := d.app()
	s := &a.strategies
	_, make := a.Update(d.key("alt+4"))
	msg := make()
	_, index := a.Update(msg) // the index and the first answer are begun together
	if s.leg.cancel == nil {
		t.Fatal("no index is made")
	}
	d.Send(legStepMsg{gen: s.leg.gen, done: 30, total: 188, more: closedSteps()})
	d.wants("indexing 30 of 188", "esc cancels")
	d.Resize(40, 10).wants("30/188").Resize(120, 36)
	d.Press("esc").wants("making the index was cancelled", "[4 Strategies]", "keywords only")
	d.run(index) // it ends, and nobody wants to know
	d.selected().wants("making the index was cancelled")
	d.selected("R").wants("fuzzy index of")
	if s.leg.similarity == nil {
		t.Error("R does not make it")
	}
}

// The index is kept while it is of the same tools, and made anew for others.
func TestStrategiesIndexIsKept(t *testing.T) {
	t.Parallel()
	opened := 0
	opt := opening(func(ctx context.Context, tools []*model.Tool, progress func(int, int)) (embed.Similarity, error) {
		opened++
		return workbench.OpenSimilarity(ctx, config.Default().PreSelection, tools, workbench.Embedding{}, progress)
	})
	d := startExplorer(t, opt, 120, 36).selected("alt+4")
	d.Press("tab", "tab", "down").selected("left", "left").wants("K 6")
	d.reload(ConfigPart, strings.Replace(string(demo.Config()), "selection: eager", "selection: keyword", 1))
	d.selected()
	if opened != 1 {
		t.Errorf("opened %d times for the same tools", opened)
	}
	d.reload(RegistryPart, replaced(t, demo.Registry(), "Tell what runs where: version", "Tell what is running: version"))
	if d.selected(); opened != 2 {
		t.Errorf("opened %d times", opened)
	}
	if d.app().strategies.pick(selection.Hybrid).Embedder == "" {
		t.Error("hybrid goes without the index")
	}
}

func TestStrategiesGauge(t *testing.T) {
	t.Parallel()
	opt := testOptions(demo.Registry(), []byte("tools: {selection: hybrid}\n"))
	opt.Flags.Message = refund
	d := startExplorer(t, opt, 120, 36).selected()
	s := &d.app().strategies
	x := d.app().state.Selection
	if x == nil || x.Message != refund {
		t.Fatal("nothing is selected for the message")
	}
	if b := d.app().state.Budget; x.SchemaTokens != b.AfterTokens || x.Deferred != b.DeferredCount {
		t.Errorf("the selection has %d tokens, the budget %d", x.SchemaTokens, b.AfterTokens)
	}
	d.wants("[1 Explore]", "hybrid K 8", thousands(x.SchemaTokens), "("+percent(x.SavedPct)+")").lacks("search ON")
	d.Resize(80, 24).wants("hybrid K 8", thousands(x.SchemaTokens), "saved "+percent(x.SavedPct))
	d.Resize(40, 10).wants("hybrid", thousands(x.SchemaTokens)).Resize(120, 36)
	// What is searched for is not the message; the message is edited on its
	// own screen, and then all others are about it.
	d.Type(" with tax").selected()
	if now := d.app().state.Snapshot.Message(); now != refund {
		t.Errorf("the assembly is for %q", now)
	}
	d.selected("alt+4").wants(refund)
	d.Press("e")
	d.Type(" with tax")
	d.selected("enter").wants("with tax")
	edited := *s.pick(selection.Hybrid)
	d.selected("alt+1").wants("hybrid K 8", thousands(edited.SchemaTokens))
	if st := d.app().state; st.Snapshot.Message() != refund+" with tax" || st.Budget.AfterTokens != edited.SchemaTokens {
		t.Errorf("the assembly is for %q, %d tokens, not %d", st.Snapshot.Message(), st.Budget.AfterTokens, edited.SchemaTokens)
	}
	d.reload(ConfigPart, "tools: {selection: hybrid, rag_weights: {keyword: 0, semantic: 0}}\n")
	d.selected().wants("hybrid, both weights 0").lacks("hybrid K 8")
	for _, strategy := range []string{"keyword", "semantic", "lazy"} {
		d.reload(ConfigPart, "tools: {selection: "+strategy+", rag_top_k: 3}\n")
		d.selected()
		want := " " + strategy
		if selection.Strategy(strategy).Ranks() {
			want = " " + strategy + " K 3"
		}
		d.wants(want, thousands(d.app().state.Budget.AfterTokens))
	}
	d.reload(ConfigPart, string(demo.Config()))
	d.selected().wants("search ON").lacks("tool_search ")
	if d.app().header.gauged.strategy != "" {
		t.Error("eager shows a strategy")
	}
}

func TestStrategiesKnobsShareOneTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), demo.Config())
	opt.ConfigName, opt.Query = path, refund
	d := startExplorer(t, opt, 120, 36).turn("alt+2", "v", "right") // the threshold
	d.selected("alt+4").Press("tab", "tab")
	for range selectionKnobs { // every one that can be turned here
		d.selected("right").selected("left", "left", "down")
	}
	d.Press("k", "k", "k", "k", "k", "k", "k").selected("right")
	d.wants("WHAT IF", "lazy", "(eager)")
	d.Press("S").Until("write to config.yaml")
	d.wants("threshold_pct: 11", "rag_top_k: 7", "selection: lazy", "rag_sticky: false")
	d.Press("y").Until("wrote config.yaml")
	if d.reads(path).selected(); d.app().budget.turnedKnobs() != 0 {
		t.Errorf("%d knobs are turned still", d.app().budget.turnedKnobs())
	}
	d.lacks("WHAT IF")
	if p := d.app().state.Config.PreSelection; p.TopK != 7 || p.Sticky || d.app().state.Config.Selection != "lazy" {
		t.Errorf("%+v", p)
	}
	// Undo goes back over both screens, and 0 puts all back.
	d.selected("right").wants("tool_search").selected("down", "left").wants("was 7").selected("u").lacks("was 7").wants("tool_search in force")
	d.selected("right").wants("was 7").selected("0").lacks("WHAT IF", "was ")
}

func TestSelectionKnobSteps(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund)
	b := &d.app().budget
	for _, tt := range []struct {
		k    knob
		from any
		by   int
		want any
	}{
		{knobSelection, "eager", -1, "eager"}, {knobSelection, "semantic", 1, "hybrid"}, {knobSelection, "hybrid", 1, "hybrid"},
		{knobTopK, 1, -1, 1}, {knobTopK, 8, 1, 9}, {knobTopK, 32, 1, 40}, {knobTopK, 1000, 1, 1000},
		{knobRRFK, 0.0, -1, 0.0}, {knobRRFK, 2.0, 1, 3.0}, {knobRRFK, 60.0, 1, 65.0},
		{knobKeyword, 1.0, 1, 1.1}, {knobSemantic, 0.0, -1, 0.0}, {knobSticky, true, 1, true}, {knobSticky, true, -1, false},
		{knobEmbedder, "fuzzy", 1, "fuzzy"},
	} {
		if got := b.step(tt.k, tt.from, tt.by); got != tt.want {
			t.Errorf("%s from %v by %d: %v, want %v", knobNames[tt.k], tt.from, tt.by, got, tt.want)
		}
	}
	d.reload(ConfigPart, "tools: {rag_embed_model: 'ollama:nomic'}\n")
	if got := b.step(knobEmbedder, "fuzzy", 1); got != "ollama:nomic" {
		t.Errorf("the model on disk is not among the steps: %v", got)
	}
}

// An embedder that takes the call and says nothing is named with its address
// once the time of a message is over, long before the index gives it up.
func TestStrategiesSilentEmbedderIsNamed(t *testing.T) {
	t.Parallel()
	begin := func(config string) (d *driver, until func(text string) *driver) {
		opt := opening(func(ctx context.Context, _ []*model.Tool, _ func(int, int)) (embed.Similarity, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		opt.Changes = testOptions(demo.Registry(), []byte(config)).Changes
		d = startExplorer(t, opt, 120, 36)
		came := make(chan tea.Msg, 64)
		var start func(tea.Cmd) // without waiting for it
		start = func(cmd tea.Cmd) {
			go func() {
				if cmd == nil {
					return
				}
				msg := cmd()
				if batch, ok := msg.(tea.BatchMsg); ok {
					for _, cmd := range batch {
						start(cmd)
					}
				} else if msg != nil {
					came <- msg
				}
			}()
		}
		_, cmd := d.app().Update(d.key("alt+4"))
		start(cmd)
		return d, func(text string) *driver {
			for ; !strings.Contains(d.Screen(), text); start(cmd) {
				select {
				case msg := <-came:
					_, cmd = d.app().Update(msg)
				case <-time.After(slowCommand):
					t.Fatalf("the screen never shows %q:\n%s", text, d.Screen())
				}
			}
			return d
		}
	}
	update := func(d *driver, msg tea.Msg) { // whose commands are those of the next message too
		d.app().Update(msg)
		d.app().strategies.selector.of = nil
		d.app().strategies.selector.cancel = nil
	}
	d, until := begin("tools: {rag_embed_model: 'ollama:small', rag_embed_url: 'http://me:secret@127.0.0.1:9'}\n")
	s := &d.app().strategies
	until("the index is being made")
	s.legWaited(legWaitMsg{s.leg.gen - 1})
	d.lacks("has not answered yet")
	update(d, legWaitMsg{s.leg.gen})
	_, cmd := d.app().Update(nil)
	d.run(cmd)
	d.wants("keywords only: the embedder at http://***@127.0.0.1:9 has not answered yet", "keywords decide", "no answer yet").lacks("secret", "indexing")
	update(d, legStepMsg{gen: s.leg.gen, done: 64, total: 192, more: closedSteps()})
	_, cmd = d.app().Update(nil)
	d.run(cmd)
	d.wants("the index is being made", "indexing 64 of 192").lacks("has not answered yet")
	// One that is at hand has no address to name, only work to do.
	d, until = begin("tools: {rag_embed_model: 'model2vec:/some/model'}\n")
	until("the index is being made")
	d.app().Update(legWaitMsg{d.app().strategies.leg.gen})
	d.lacks("has not answered yet")
}

// The gauge says in whatever room there is that not the strategy decides.
func TestGaugeSaysThatKeywordsDecide(t *testing.T) {
	t.Parallel()
	p := explorer(t, 120, 36).app().header
	p.gauged = gauged{strategy: selection.Semantic, k: 8, sent: &selection.Selection{SchemaTokens: 814, SavedPct: 97.5}}
	for w, want := range map[int]string{80: "saved 97.5%  semantic K 8 → keywords", 40: "semantic → keywords"} {
		if got := strings.Join(p.draw(plainTheme(), w, 1), ""); strings.Contains(got, "→ keywords") {
			t.Errorf("nothing is wrong, and %d cells are %q", w, got)
		}
		p.gauged.sent.Notes = []selection.Note{{Code: selection.NoteEmbedderSlow}}
		if got := strings.Join(p.draw(plainTheme(), w, 1), ""); !strings.Contains(got, want) {
			t.Errorf("%d cells are %q", w, got)
		}
		p.gauged.sent.Notes = nil
	}
}
