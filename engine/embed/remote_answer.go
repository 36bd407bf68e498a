package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/model/safetext"
)

// decodeOllama reads {"embeddings":[[...]]}, vectors in the order of the input.
// It returns n vectors, none of them empty and all numbers finite.
func decodeOllama(body []byte, n int) ([]vector, error) {
	var answer struct {
		Embeddings []vector `json:"embeddings"`
	}
	if err := decodeAnswer(body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Embeddings) != n {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(answer.Embeddings), n)
	}
	return answer.Embeddings, allFilled(answer.Embeddings)
}

// decodeOpenAI reads {"data":[{"index":0,"embedding":[...]}]}. The entries come
// in any order; index says which text an entry is for, and each text has
// exactly one. It returns what decodeOllama does.
func decodeOpenAI(body []byte, n int) ([]vector, error) {
	var answer struct {
		Data []struct {
			Index     *int   `json:"index"`
			Embedding vector `json:"embedding"`
		} `json:"data"`
	}
	if err := decodeAnswer(body, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data) != n {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(answer.Data), n)
	}
	vectors := make([]vector, n)
	seen := make([]bool, n)
	for place, entry := range answer.Data {
		switch {
		case entry.Index == nil:
			return nil, fmt.Errorf("data[%d].index: missing", place)
		case *entry.Index < 0 || *entry.Index >= n:
			return nil, fmt.Errorf("data[%d].index: %d is not that of one of %d texts", place, *entry.Index, n)
		case seen[*entry.Index]:
			return nil, fmt.Errorf("data[%d].index: %d a second time", place, *entry.Index)
		}
		seen[*entry.Index] = true
		vectors[*entry.Index] = entry.Embedding
	}
	return vectors, allFilled(vectors)
}

func decodeAnswer(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(body)):
		return fmt.Errorf("the answer ends within its JSON, after %d bytes", len(body))
	case errors.As(err, &syntax):
		return fmt.Errorf("the answer is not JSON: byte %d: %v", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("the answer has a JSON %s out of place, at byte %d", kind.Value, kind.Offset)
	}
	return err
}

func allFilled(vectors []vector) error {
	for i, v := range vectors {
		if len(v) == 0 {
			return fmt.Errorf("vector %d is empty", i)
		}
	}
	return nil
}

// vector is a list of finite numbers.
type vector []float32

// UnmarshalJSON accepts a list of numbers and nothing else. The standard decoder
// would make a 0 of a null, and leave the vector as it was for one.
func (v *vector) UnmarshalJSON(data []byte) error {
	text := string(data)
	inner, opens := strings.CutPrefix(text, "[")
	inner, closes := strings.CutSuffix(inner, "]")
	if !opens || !closes {
		return errors.New("a vector is not a list of numbers")
	}
	if strings.TrimSpace(inner) == "" {
		*v = nil
		return nil
	}
	list := make(vector, 0, 1+strings.Count(inner, ","))
	for number := range strings.SplitSeq(inner, ",") {
		number = strings.TrimSpace(number)
		if number == "" || number[0] != '-' && (number[0] < '0' || number[0] > '9') {
			return fmt.Errorf("number %d of a vector is not a number", len(list))
		}
		f, err := strconv.ParseFloat(number, 32)
		if err != nil {
			return fmt.Errorf("number %d of a vector is beyond 32-bit floats", len(list))
		}
		list = append(list, float32(f))
	}
	*v = list
	return nil
}

// quoteRunes is how much of a text of the server an error quotes.
const quoteRunes = 200

// refusal is the error of a try that returned no vectors.
type refusal struct {
	text  string
	again bool          // another try may succeed
	after time.Duration // how long the server asks to wait before it
	cause error         // of the context or the system, ErrWaking while the server loads its model, or nil
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.cause }

// failure is an error with its provider, model and host.
func (c *RemoteClient) failure(err error) error {
	return fmt.Errorf("%s: %w", safetext.Line(c.String()), err)
}

// refused returns the error of an answer with another status than 200.
func (c *RemoteClient) refused(response *http.Response) *refusal {
	r := &refusal{
		text: strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))),
		again: slices.Contains([]int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout}, response.StatusCode), // a temporary fault
	}
	if r.again {
		r.after = retryAfter(response.Header)
	}
	if to, err := response.Location(); err == nil && response.StatusCode/100 == 3 {
		r.text += ": points to " + c.quote(to.Scheme+"://"+to.Host) + ", which is not followed; give that url if it is right"
		return r
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, errorBody))
	said, ok := serverError(body)
	switch {
	case ok:
		r.text += ": " + c.quote(said)
	case isMarkup(body):
		r.text += ": a page of HTML"
	case err == nil && len(body) < errorBody && strings.TrimSpace(string(body)) != "":
		r.text += ": " + c.quote(string(body))
	}
	// llama.cpp's "Loading model", "Model X is currently loading" of Hugging Face
	if response.StatusCode == http.StatusServiceUnavailable && strings.Contains(strings.ToLower(said), "loading") {
		r.cause = ErrWaking
	}
	return r
}

// serverError finds the message in the JSON of an error: {"error":"..."} of
// Ollama, {"error":{"message":"..."}} of OpenAI, and the "message" or "detail"
// beside them of servers that speak the latter's API.
func serverError(body []byte) (string, bool) {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message any             `json:"message"`
		Detail  any             `json:"detail"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", false
	}
	var inner struct {
		Message any `json:"message"`
	}
	var plain any
	_ = json.Unmarshal(answer.Error, &inner) // either of the two forms, or none
	_ = json.Unmarshal(answer.Error, &plain)
	for _, found := range []any{plain, inner.Message, answer.Message, answer.Detail} {
		if text, ok := found.(string); ok && strings.TrimSpace(text) != "" {
			return text, true
		}
	}
	return "", false
}

func isMarkup(body []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(body[:min(len(body), 512)]), " \t\r\n\uFEFF"), "<")
}

// quote makes a text from outside fit for an error: one line, short, safe to
// draw, without secrets.
//
// SECURITY: secrets go before the text is cut, or the start of one would stay.
func (c *RemoteClient) quote(text string) string {
	runes := []rune(strings.Join(strings.Fields(c.redact(text)), " "))
	if len(runes) > quoteRunes {
		runes = append(runes[:quoteRunes], '…')
	}
	return safetext.Line(string(runes))
}
