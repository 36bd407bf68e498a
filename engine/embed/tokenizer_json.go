package embed

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// supported ends the error about every tokenizer of another kind.
const supported = "only WordPiece with a BertNormalizer and a BertPreTokenizer is supported"

// component is a part of a tokenizer file that may be a sequence of others.
type component struct {
	Type          string       `json:"type"`
	Normalizers   []*component `json:"normalizers"`
	Pretokenizers []*component `json:"pretokenizers"`
	CleanText     *bool        `json:"clean_text"`
	Chinese       *bool        `json:"handle_chinese_chars"`
	StripAccents  *bool        `json:"strip_accents"`
	Lowercase     *bool        `json:"lowercase"`
}

// tokenizerFile is the part of a tokenizer.json of github.com/huggingface/tokenizers
// that tells how text becomes tokens. Its special tokens around a
// text, of padding and of truncation is not used by static models.
type tokenizerFile struct {
	Normalizer   *component `json:"normalizer"`
	PreTokenizer *component `json:"pre_tokenizer"`
	AddedTokens  []struct {
		ID         *int64 `json:"id"`
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		Special    bool   `json:"special"`
		Normalized *bool  `json:"normalized"` // without it: unless special
	} `json:"added_tokens"`
	Model *struct {
		Type     string         `json:"type"`
		Unknown  *string        `json:"unk_token"`
		Prefix   *string        `json:"continuing_subword_prefix"`
		MaxChars *int           `json:"max_input_chars_per_word"`
		Vocab    jsontext.Value `json:"vocab"`
	} `json:"model"`
}

// parseTokenizer returns the tokenizer that a tokenizer.json describes. The
// numbers of its tokens are not checked against a model.
func parseTokenizer(data []byte) (*tokenizer, error) {
	var file tokenizerFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	if file.Model == nil {
		return nil, errors.New("model: missing")
	}
	switch kind := file.Model.Type; kind {
	case "WordPiece":
	case "":
		return nil, errors.New("model.type: missing; " + supported)
	default:
		return nil, fmt.Errorf("model.type: a %s tokenizer; %s", kind, supported)
	}
	c := single(file.Normalizer)
	if c == nil {
		return nil, errors.New("normalizer: missing, or more than one; " + supported)
	}
	if c.Type != "BertNormalizer" {
		return nil, fmt.Errorf("normalizer: of type %q; %s", c.Type, supported)
	}
	// What the file leaves out is as in BERT's own: all steps, accents stripped when lower case is made.
	or := func(b *bool, otherwise bool) bool {
		if b == nil {
			return otherwise
		}
		return *b
	}
	n := normalizer{clean: or(c.CleanText, true), chinese: or(c.Chinese, true), lowercase: or(c.Lowercase, true)}
	n.stripAccents = or(c.StripAccents, n.lowercase)
	switch p := single(file.PreTokenizer); {
	case p == nil:
		return nil, errors.New("pre_tokenizer: missing, or more than one; " + supported)
	case p.Type != "BertPreTokenizer":
		return nil, fmt.Errorf("pre_tokenizer: of type %q; %s", p.Type, supported)
	}
	t := &tokenizer{normalizer: n, maxChars: 100}
	if m := file.Model.MaxChars; m != nil {
		if t.maxChars = *m; t.maxChars < 0 {
			return nil, fmt.Errorf("model.max_input_chars_per_word: %d is negative", t.maxChars)
		}
	}
	prefix := "##"
	if file.Model.Prefix != nil {
		prefix = *file.Model.Prefix
	}
	if err := t.readVocabulary(file.Model.Vocab, prefix); err != nil {
		return nil, fmt.Errorf("model.vocab: %w", err)
	}
	unknown := "[UNK]"
	if file.Model.Unknown != nil {
		unknown = *file.Model.Unknown
	}
	var ok bool
	if t.unknown, ok = t.heads[unknown]; !ok {
		return nil, fmt.Errorf("model.unk_token: %q is not in the vocabulary", unknown)
	}
	for i, a := range file.AddedTokens {
		added := addedToken{singleWord: a.SingleWord}
		if id, ok := t.heads[a.Content]; ok {
			added.id = id
		} else if a.ID == nil || *a.ID < 0 || *a.ID > math.MaxInt32 {
			return nil, fmt.Errorf("added_tokens[%d].id: missing or impossible", i)
		} else {
			added.id = int32(*a.ID)
			t.top = max(t.top, added.id)
		}
		if a.Normalized == nil && !a.Special || a.Normalized != nil && *a.Normalized {
			t.addedLow.put(string(t.normalize(a.Content)), added)
		} else {
			t.added.put(a.Content, added)
		}
	}
	return t, nil
}

// single returns the component itself, or the only one of a sequence; nil when
// there is none or there are several. A sequence in a sequence is not looked
// into.
func single(c *component) *component {
	if c == nil || c.Type != "Sequence" {
		return c
	}
	if parts := append(c.Normalizers, c.Pretokenizers...); len(parts) == 1 {
		return parts[0]
	}
	return nil
}

// readVocabulary reads a vocabulary, which is an object from token to number or
// a list of tokens by number.
func (t *tokenizer) readVocabulary(value jsontext.Value, prefix string) error {
	var numbers map[string]int64
	switch value.Kind() {
	case '{':
		if err := json.Unmarshal(value, &numbers); err != nil {
			return err
		}
	case '[':
		var tokens []string
		if err := json.Unmarshal(value, &tokens); err != nil {
			return err
		}
		numbers = make(map[string]int64, len(tokens))
		for i, token := range tokens {
			if before, twice := numbers[token]; twice {
				return fmt.Errorf("%q: both %d and %d", token, before, i)
			}
			numbers[token] = int64(i)
		}
	case 0:
		return errors.New("missing")
	default:
		return errors.New("neither an object nor a list")
	}
	t.heads = make(map[string]int32, len(numbers))
	t.tails = make(map[string]int32, len(numbers)/2)
	worst, fault := "", false // of several, the first by name: the same error each time
	for token, number := range numbers {
		if number < 0 || number > math.MaxInt32 {
			if !fault || token < worst {
				worst, fault = token, true
			}
			continue
		}
		t.top = max(t.top, int32(number))
		if token == "" {
			continue // no text holds it
		}
		t.longest = max(t.longest, len(token))
		t.heads[token] = int32(number)
		if tail, ok := strings.CutPrefix(token, prefix); ok && tail != "" {
			t.tails[tail] = int32(number)
		}
	}
	if fault {
		return fmt.Errorf("%q: impossible number %d", worst, numbers[worst])
	}
	return nil
}
