package serving

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"caliper/model/safetext"
)

// path is where a collector takes spans (OTLP specification, OTLP/HTTP request).
const path = "/v1/traces"

// Address returns the URL to which batches are sent. Without a scheme it is https, so
// that spans are sent in the clear only where that is said; without a path it is
// /v1/traces; another path stands as it is.
func Address(s string) (string, error) {
	text := s
	if !strings.Contains(s, "://") {
		text = "https://" + s
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		var fault *url.Error
		if errors.As(err, &fault) {
			err = fault.Err // without the URL, which is named already
		}
		return "", fmt.Errorf("%s is not a URL: %s", safetext.Line(s), safetext.Line(err.Error()))
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%s: want http:// or https://", safetext.Line(s))
	case u.Hostname() == "":
		return "", fmt.Errorf("%s has no host: want a URL such as http://127.0.0.1:4318", safetext.Line(s))
	case u.User != nil:
		return "", errors.New("a name or password does not belong in the URL: OTEL_EXPORTER_OTLP_HEADERS may have a header Authorization")
	case u.Fragment != "":
		return "", fmt.Errorf("%s: a URL to send to has no part after #", safetext.Line(s))
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = path
	}
	return u.String(), nil
}

// headersOf reads headers as OTEL_EXPORTER_OTLP_HEADERS has them: name=value with commas
// between, values percent-encoded (OpenTelemetry protocol exporter, specifying headers).
//
// SECURITY: values are secret, and no error has one.
func headersOf(s string) (http.Header, error) {
	notInName := func(r rune) bool { // of a header: RFC 9110, section 5.1
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	headers := http.Header{}
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || name == "" || err != nil || strings.ContainsFunc(name, notInName) || strings.ContainsFunc(value, isControl) {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS: want name=value,name=value, with % before the codes of special characters")
		}
		headers.Set(name, value)
	}
	return headers, nil
}
