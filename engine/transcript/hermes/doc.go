// Package hermes reads what Hermes wrote of its sessions as text: the export
// (one object a session, in lines or alone) and the gateway's log of one
// session, whose first line holds its tools.
//
// The sums of a session exclude cache reads and writes from its input. An
// inactive row was paid for, but is in no later history. After a compaction
// the kept tail is written again with the same times: such rows are copies.
package hermes
