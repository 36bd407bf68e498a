package workbench

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"caliper/config"
	"caliper/model/require"
	"caliper/tui/demo"
	"caliper/watch"
)

// TestFirstRunEmbedsTheMessageOnce counts the texts that a server is asked for
// when an index is made and a message is selected for. The server may be slow
// and may cost money.
func TestFirstRunEmbedsTheMessageOnce(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&request)
		vectors := make([][]float32, len(request.Input))
		mu.Lock()
		defer mu.Unlock()
		for i, text := range request.Input {
			asked[text]++
			vectors[i] = []float32{1, float32(len(text))}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
	}))
	t.Cleanup(server.Close)
	st, err := New().Load(t.Context(), Input{Registry: []watch.File{{Name: demo.RegistryFile, Data: demo.Registry()}}})
	require.NoError(t, err)
	const message = "refund the charge"
	tools := st.Snapshot.Registry.Tools[:5]
	settings := config.PreSelection{EmbedModel: "ollama:small", EmbedURL: server.URL}
	s, err := OpenSimilarity(t.Context(), settings, tools, Embedding{Message: message}, nil)
	require.NoError(t, err)
	first, err := s.Scores(t.Context(), message, tools)
	require.NoError(t, err)
	if asked[message] != 1 {
		t.Errorf("the message was asked for %d times", asked[message])
	}
	again, err := OpenSimilarity(t.Context(), settings, tools, Embedding{}, nil)
	require.NoError(t, err)
	want, err := again.Scores(t.Context(), message, tools)
	if err != nil || !slices.Equal(first, want) {
		t.Errorf("scores %v, want %v; %v", first, want, err)
	}
	if _, err := s.Scores(t.Context(), "another message", tools); err != nil || asked["another message"] != 1 {
		t.Errorf("another message was asked for %d times, %v", asked["another message"], err)
	}
}
