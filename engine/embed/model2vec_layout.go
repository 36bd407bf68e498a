package embed

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
)

// The most that is read of the small files, in bytes.
const (
	maxTokenizer = 256 << 20
	maxConfig    = 1 << 20
)

// nested is the folder of the embedding in a folder that sentence-transformers
// wrote, where modules.json does not say another.
const nested = "0_StaticEmbedding"

// layout has the paths of the files of a model.
type layout struct {
	weights   string // path of model.safetensors
	tokenizer string // path of tokenizer.json
	normalize bool   // whether the model's own vectors have unit length
}

// findLayout finds the files of the model in a folder. A folder of model2vec
// has all of them; in one of sentence-transformers, modules.json says in which
// folder the embedding is, and whether its vectors are normalized.
func findLayout(dir string) (layout, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return layout{}, plain(err)
	}
	if !info.IsDir() {
		return layout{}, fmt.Errorf("%s: not a folder", dir)
	}
	folder, normalize, listed, err := readModules(filepath.Join(dir, "modules.json"))
	if err != nil {
		return layout{}, err
	}
	if !listed && !exists(filepath.Join(dir, "model.safetensors")) && exists(filepath.Join(dir, nested)) {
		folder = nested
	}
	l := layout{
		weights:   filepath.Join(dir, folder, "model.safetensors"),
		tokenizer: filepath.Join(dir, folder, "tokenizer.json"),
		normalize: normalize,
	}
	said, found, err := readConfig(filepath.Join(dir, "config.json"))
	switch {
	case err != nil:
		return layout{}, err
	case said != nil:
		l.normalize = *said
	case !found && !listed && !exists(filepath.Join(dir, "config_sentence_transformers.json")):
		return layout{}, fmt.Errorf("%s: missing, and so is modules.json: not a static embedding model", filepath.Join(dir, "config.json"))
	}
	return l, nil
}

// readModules returns the folder of the static embedding, relative to the one of
// the file, whether a normalizing module follows, and whether there is such a
// file. Any other module is an error, since it would change the vectors.
func readModules(path string) (folder string, normalize, found bool, err error) {
	data, err := readFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, false, nil
	}
	if err != nil {
		return "", false, false, err
	}
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if err := json.Unmarshal(data, &modules); err != nil {
		return "", false, false, fmt.Errorf("%s: %w", path, err)
	}
	for i, m := range modules {
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case i == 0 && kind == "StaticEmbedding":
			folder, found = filepath.FromSlash(m.Path), true
		case i > 0 && kind == "Normalize":
			normalize = true
		default:
			return "", false, false, fmt.Errorf("%s: module %d is a %s; a static model is a StaticEmbedding, and a Normalize or nothing after it", path, i, kind)
		}
	}
	if !found {
		return "", false, false, fmt.Errorf("%s: no modules", path)
	}
	// SECURITY: a model's files are inside its folder.
	if folder != "" && !filepath.IsLocal(folder) {
		return "", false, false, fmt.Errorf("%s: path %q leaves the folder", path, folder)
	}
	return folder, normalize, true, nil
}

// readConfig returns what config.json says of normalizing, nil for nothing,
// and whether there is such a file.
func readConfig(path string) (normalize *bool, found bool, err error) {
	data, err := readFile(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var config struct {
		Normalize *bool `json:"normalize"`
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return config.Normalize, true, nil
}

// readFile returns the bytes of a regular file; more than limit is an error.
func readFile(path string, limit int64) ([]byte, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, fmt.Errorf("%s: %d bytes; at most %d are read", path, size, limit)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// open opens a regular file and returns its size. Anything else, a pipe say,
// could hold up or feed a reader without end.
func open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, plain(err)
	}
	return f, info.Size(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// plain returns an error of the file system without the name of the call, and
// says of a file that is not there that it is missing.
func plain(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", p.Path, errMissing)
	}
	return fmt.Errorf("%s: %w", p.Path, p.Err)
}

// errMissing reads "missing" and is fs.ErrNotExist.
var errMissing error = missing{}

type missing struct{}

func (missing) Error() string        { return "missing" }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }
