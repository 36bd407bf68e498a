package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caliper/screenshots/scene"
	"caliper/screenshots/tmux"
)

const sceneSuffix = ".scene"

// loadScenes reads the named scenes of a folder, or all of them, in the order of their names. All
// files are read either way, because no two may make the same picture.
func loadScenes(folder string, names []string) ([]*scene.Scene, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+sceneSuffix))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no %s files", folder, sceneSuffix)
	}
	slices.Sort(paths)
	var out []*scene.Scene
	found := map[string]bool{}
	taken := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := scene.Parse(path, data)
		if err != nil {
			return nil, err
		}
		if err := checkKeys(s); err != nil {
			return nil, err
		}
		for _, p := range s.Pictures() {
			if other, ok := taken[p.Name]; ok {
				return nil, fmt.Errorf("%s: picture %s is also taken by %s", path, p.Name, other)
			}
			taken[p.Name] = path
		}
		name := strings.TrimSuffix(filepath.Base(path), sceneSuffix)
		found[name] = true
		if len(names) == 0 || slices.Contains(names, name) {
			out = append(out, s)
		}
	}
	for _, name := range names {
		if !found[name] {
			return nil, fmt.Errorf("%s: no scene %s", folder, name)
		}
	}
	return out, nil
}

// checkKeys finds misspelt keys before anything runs.
func checkKeys(s *scene.Scene) error {
	for _, step := range s.Steps {
		for _, key := range step.Keys {
			if !tmux.KnownKey(key) {
				return fmt.Errorf("%s:%d: key %q: unknown name; use type for text", s.Name, step.Line, key)
			}
		}
	}
	return nil
}
