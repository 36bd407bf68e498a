// Package fetch answers requests for slices of a rescued result, the blob:
// the tool rescuer_fetch.
//
// Goals: every answer keeps its budget of characters and says exactly what it
// holds; every answer that is not the end names the request that continues;
// every character of a blob is reached by some sequence of requests, also in
// a blob of one line; a search that was stopped never looks like one that found nothing.
//
// Non-goals: keeping blobs and deciding who may read them (rescue.Store),
// and making text safe for a terminal. Content is given as it is, but for
// bytes that are no UTF-8, each shown as U+FFFD.
//
// Positions. Lines are counted from 1 and characters from 0, as package
// rescue defines both; the endings of lines are characters. From and To are
// both inclusive, so that an answer of one line has From equal to To, an
// empty one has To = From-1, and what follows always starts at To+1.
package fetch
