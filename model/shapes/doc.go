// Package shapes reads tool definitions in every format in which they are handed around: dumps of
// registries, requests to OpenAI, Anthropic, Gemini and Bedrock, answers of MCP servers, and logs
// of them.
//
// Parse reads sources into one model.Registry. A format of a whole document is a shape, and a
// format of one definition is a form; each is one line in shapes.go.
//
// A source is read strictly and in one pass. If it holds bad UTF-8, lone surrogates, comments or
// repeated names, it is repaired and read again: Function and Parameters are always valid UTF-8
// without repeated names, and positions still lead to the bytes of the source.
//
// Invariants:
//
//   - Every fault has a place: file, line, column and JSON path.
//   - One bad definition never hides the good ones; a file that holds none says why.
//   - Reading takes less than five times the size of the source, six times Gemini's, whose schemas
//     are translated one by one. A source in YAML takes some hundred bytes a value beside, and has
//     a million at most; an OpenAPI document takes its tree, and 256 MB of tools at most. A
//     thousand warnings of a kind are kept.
//
// Codes of the errors of Parse: empty_file, not_utf8, json_syntax, unexpected_end, unknown_format,
// client_config, server_error, yaml_syntax, yaml_depth, yaml_empty. Codes of the warnings:
// missing_name, blank_in_name, no_definition, names_only, hosted_tool, description_not_text,
// parameters_not_object, toolset_not_object, duplicate_name, lookalike_name, name_rule,
// toolset_inferred, unlisted_tool, injection, duplicate_key, invalid_utf8, lone_surrogate,
// json_comments, incomplete, server_error, empty, search_hint, and of APIs no_paths,
// paths_not_object, path_not_object, operation_not_object, unresolved_ref, schemas_cut.
package shapes
