// Package store keeps rescued results on disk by the hash of their content,
// for any number of processes at once.
//
// Goals: a put that returned is there after a crash, whole; nothing is served
// whose hash is not its id; a session reads what it put and learns nothing of
// the rest; the folder never holds more than its cap; no kill at any moment
// needs a repair.
//
// Non-goals: deciding which results are rescued (package rescue), reading slices
// (package fetch), and keeping secrets from the user who owns the folder.
//
// # Layout
//
//	caliper-rescue-store            empty; makes the folder ours
//	lock                            shared by readers, exclusive to writers
//	blobs/ab/<id>                   content; id is its SHA-256 in hexadecimal
//	refs/<session hash>/<id>.json   one reference; its mtime is the last use
//	tombstones/<session hash>/<id>.json  a reference that was; its mtime is the end
//	quarantine/<id>                 content that failed its hash; its mtime is when
//	plan                            when the next sweep is due, as its mtime
//	temp/<pid>-<random>/            one put at work, locked for as long as it lives
//
// Every fact is a file of its own and there is no index: what one file loses,
// no other file loses. A reference becomes a tombstone by a rename, so that no
// moment knows both or neither. What can be slow (reading the input, fsync)
// happens outside the lock; what has to be seen at once (the renames of a put,
// making room, a sweep) happens inside it, exclusively, so that no sweep comes
// between a blob and its reference.
package store
