// Package reach answers why an agent cannot call a tool: it follows the tool from the
// client's configuration to a call that every gate lets through.
//
// Find returns a Chain of ten steps, which is the only answer to that question in this
// program; what is wrong is a Code with the setting that changes it, and words are made
// elsewhere. The steps, in their order:
//
//	configured   a client has the server, and it is on
//	listed       the server starts and lists the tool, and the client takes the list
//	kept         the client's filters let the tool through
//	named        the name that the model sees is the tool's alone, and is taken
//	granted      the session is given the tool
//	exposed      the model is sent the tool, or a search that leads to it
//	searchable   the search finds it by its own name
//	found        and by the first sentence of its description
//	described    the model reads the parameters
//	authorized   a call passes every gate
//
// Example: a server that the project's settings switch off breaks the chain at configured,
// with the Code SwitchedOff and the Setting disabledMcpjsonServers in the file that has it;
// the other nine steps are not reached.
//
// Invariants:
//   - a step after one that fails is skipped, and so is a search for a tool that is sent in full
//   - what no file, dump or answer says is Unknown, which breaks nothing and proves nothing
//   - steps of the reference agent are its own: grants, assembly, search and gates are asked
//     of the snapshot that commands and screens show
//
// Cost: two searches, and the names of all granted tools.
//
// # Agents side by side
//
// A Searcher is the tools of a session as one agent searches them. The rules of the agents are
// in package hosts, the reference agent's in packages engine and retrieval. Compared are what each
// agent finds of one query, how labelled queries fare in all, and what other words change. An
// agent that leaves an order to chance never loses or wins a query by it, and equal inputs give
// equal answers, in the order of the searchers.
//
// Non-goals: starting servers, reading files, words.
package reach
