// Package remote asks a server for vectors: one that speaks the API of Ollama,
// or one that speaks the embeddings API of OpenAI.
//
// Goals: an answer that is wrong in any way (fewer vectors, another order,
// another length, half a body, a page of HTML) becomes an error that says so
// and never a wrong vector; a server that is busy gets another try, later; a
// caller that stops waiting is let go at once; what is secret (the key, and
// credentials within the url) goes to the one server it is for, and nowhere
// else.
//
// Non-goals: starting servers or pulling models, keeping vectors (package embed
// does), several requests at a time, and reading the environment: the caller
// gives the key, and an HTTP client of its own where a proxy is wanted.
package remote
