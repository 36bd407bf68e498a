// Package model says what caliper's data is: tool definitions, the toolsets
// that group them, and the registry that holds them all.
//
// Goals:
//
//   - Parse reads every format in which tools are handed around (shapes.go)
//     into one Registry, which never changes afterwards.
//   - What the model is sent is kept byte for byte, in the order of the source:
//     a Tool's Function and Parameters are slices of it wherever they can be.
//   - Every fault has a place: file, line, column and JSON path. One bad
//     definition never hides the good ones; a file that holds none says why.
//   - Text for the screen is made safe here and once: Sanitize, and the fields
//     that are called Shown.
//   - ParseSchema makes a parameter schema a tree to look at.
//
// Non-goals: reading files (a Source is bytes), deciding what a session may use
// or what a tool costs (package engine), validating arguments, fetching
// references, judging whether a schema is a good one.
//
// Codes of the errors that Parse returns: empty_file, not_utf8, json_syntax,
// unexpected_end, unknown_format, client_config, server_error. Of the warnings:
// missing_name, blank_in_name, no_definition, names_only, hosted_tool, description_not_text,
// parameters_not_object, toolset_not_object, duplicate_name, lookalike_name,
// name_rule, toolset_inferred, unlisted_tool, injection, duplicate_key, invalid_utf8,
// lone_surrogate, json_comments, incomplete, server_error, empty.
//
// A source is read strictly and in one pass. If it does not bear that, because
// it holds bad UTF-8, lone surrogates, comments or repeated names, it is
// repaired and read again: Function and Parameters are therefore always valid
// UTF-8 without repeated names, and positions still lead to the bytes of the
// source. Of an event stream the data is read.
//
// Reading definitions takes less than four times the size of their source: arrays of
// tools are read entry by entry, texts are slices of the source, and warnings of
// a kind are told a thousand times.
package model
