package glossary

// Setting returns what a setting of the configuration does, in one sentence, by
// its key; empty for a key that is no setting. What it takes is in package config.
func Setting(key string) string { return settings[key] }

// settings has what each setting does.
var settings = map[string]string{
	"model.default":                          "The model, whose context is looked up in the agent's table.",
	"model.model":                            "The same under another name, which the agent reads too.",
	"model.context_length":                   "The context window where no model is named; of a named model the agent's table decides.",
	"tools.tool_search.enabled":              "Whether tool search is used; auto decides by the threshold.",
	"tools.tool_search.threshold_pct":        "With auto: the share of the context that deferrable tokens must reach. 20,000 tokens when the context is unknown.",
	"tools.tool_search.max_search_limit":     "The most hits that the model may ask for.",
	"tools.tool_search.search_default_limit": "How many hits the model sees when it does not ask for a number.",
	"tools.tool_search.ranker":               "How hits are ordered; see caliper help rankers.",
	"tools.core":                             "The tools that are always sent in full, in place of the agent's own list.",
	"tools.selection":                        "How tools are selected for a message; see caliper help selection.",
	"tools.rag_top_k":                        "How many tools are selected; always-sent tools are not counted.",
	"tools.rag_core":                         "The tools that every selection has, if they are granted.",
	"tools.rag_exclude":                      "The tools that are never selected.",
	"tools.rag_embed_model":                  "The embedder: fuzzy, model2vec:DIR, ollama:MODEL or openai:MODEL.",
	"tools.rag_embed_url":                    "Where an embedder over HTTP answers; for openai with its /v1.",
	"tools.rag_rrf_k":                        "The k of the fusion weight / (k + rank).",
	"tools.rag_weights.keyword":              "The weight of the ranker's list in the fusion.",
	"tools.rag_weights.semantic":             "The weight of the embedder's list in the fusion.",
	"tools.rag_sticky":                       "Whether what was selected once stays for the session.",
	"toolaria.max_result_chars":              "The size limit: a longer result is rescued.",
	"toolaria.fetch_max_chars":               "The most that one answer to a fetch has.",
	"toolaria.full_fetch_max_chars":          "The largest full read.",
	"toolaria.excerpt_max_chars":             "The most that the model sees in place of a result.",
	"toolaria.head_lines":                    "Lines of the beginning in an excerpt.",
	"toolaria.tail_lines":                    "Lines of the end in an excerpt.",
	"toolaria.json_head_items":               "Items of the beginning in an excerpt of JSON.",
	"toolaria.json_tail_items":               "Items of the end in an excerpt of JSON.",
	"toolaria.refuse_full_fetch":             "Whether a result over the largest full read is refused instead of cut.",
	"toolaria.ttl_hours":                     "How long a result is kept.",
	"toolaria.tombstone_ttl_hours":           "How long the name of an expired result is kept.",
	"toolaria.max_store_mb":                  "The most that the store holds; what was used least goes first.",
	"toolaria.grep_timeout_ms":               "The longest that a grep may take.",
	"toolaria.grep_max_pattern_len":          "The longest expression of a grep.",
	"toolaria.grep_max_line_len":             "From which length on a line is shown around its hit.",
	"toolaria.store_path":                    "The folder of rescued results, in place of the one in the user's state folder.",
	"toolaria.exclude_tools":                 "Tools whose results are never rescued.",
	"toolaria.error_line_patterns":           "What makes a line look like an error, in place of the built-in words.",
	"plugins.enabled":                        "The agent's plugins. A list without toolaria switches rescue off.",
	"plugins.disabled":                       "The agent's plugins that are off; toolaria in it switches rescue off.",
}
