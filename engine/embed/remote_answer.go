package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

func ollamaRequest(model string, input []string) any {
	return struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Truncate bool     `json:"truncate"`
	}{model, input, true}
}

func openaiRequest(model string, input []string) any {
	return struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Encoding string   `json:"encoding_format"`
	}{model, input, "float"}
}

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
