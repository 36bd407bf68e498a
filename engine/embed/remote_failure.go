package embed

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"caliper/model/safetext"
)

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
		text:  strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))),
		again: worthRetry(response.StatusCode),
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

// redactor returns a function that blacks out the key and the secrets in the
// url: the password, how basic authentication spells it, and the longer values
// of the query, where some services want their key.
//
// SECURITY: servers and proxies repeat in their errors what they were sent.
func redactor(key string, u *url.URL) func(string) string {
	secrets := []string{key}
	if password, ok := u.User.Password(); ok {
		basic := u.User.Username() + ":" + password
		secrets = append(secrets, password, base64.StdEncoding.EncodeToString([]byte(basic)))
	}
	for _, values := range u.Query() {
		for _, value := range values {
			if len(value) >= 8 {
				secrets = append(secrets, value)
			}
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
	// The longest first, lest one that is part of another leaves the rest of it.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(secrets))
	for _, s := range secrets {
		pairs = append(pairs, s, "[secret]")
	}
	return strings.NewReplacer(pairs...).Replace
}
