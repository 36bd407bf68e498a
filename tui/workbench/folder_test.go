package workbench

import "testing"

func TestFilesOfAFolderAreToolsets(t *testing.T) {
	files := []File{
		{Name: "d/boats.json", Data: []byte(`[{"type":"function","function":{"name":"hire"}}]`), Toolset: "boats"},
		{Name: "d/mail.json", Data: []byte(`[{"type":"function","function":{"name":"send"},"toolset":"post"}]`), Toolset: "mail"},
	}
	st, err := New().Load(t.Context(), Input{Registry: files})
	if err != nil || len(st.Errors) > 0 {
		t.Fatal(err, st.Errors)
	}
	for name, want := range map[string]string{"hire": "boats", "send": "post"} {
		found := st.Snapshot.Registry.Lookup(name)
		if len(found) != 1 || found[0].Toolset != want {
			t.Errorf("%s is of %v, want %s", name, found, want)
		}
	}
}
