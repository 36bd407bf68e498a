package export

import "caliper/model/jsontree"

// gemini writes a function declaration with JSON Schema, as Google's SDKs and others send
// it untouched (API reference, FunctionDeclaration.parametersJsonSchema and
// responseJsonSchema; @google/genai 3.3.0, @ai-sdk/google 4.0.121), not in the older
// dialect of "parameters", which has no references, no unions of types and no formats.
// Parameters may be left out.
func (w *writer) gemini(d definition) {
	w.out.WriteByte('{')
	w.member(true, "name", jsontree.Encode(d.name))
	w.text("description", d.Description)
	if d.parameters != nil {
		w.member(false, "parametersJsonSchema", w.schema(d))
	}
	for _, m := range d.beside {
		if m.Name == responseSchema {
			w.member(false, m.Name, m.Value)
		}
	}
	w.out.WriteByte('}')
	w.unsaid(d)
	w.refuse(d)
	w.origin(d)
}
