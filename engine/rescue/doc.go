// Package rescue decides which tool results are too long for a context, and
// what the model is given in their place: one block with an excerpt and the
// id under which the rest is kept.
//
// Goals: the block is never longer than its budget and always shorter than
// the result, whatever the result holds; it always says that it is a preview;
// nothing inside the result can pass for our own lines; memory stays bounded
// by the budget, not by the result.
//
// Non-goals: keeping results (package store) and answering requests for
// slices of them (package fetch). This package does no file I/O of its own:
// it reads what it is handed.
package rescue
