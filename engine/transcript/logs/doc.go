// Package logs finds the logs of agents among files and folders, tells by
// its content who wrote each, and reads them all into one transcript.Log.
//
// A file that the user names is read whatever it is called. In a folder, files
// are looked at whose names end as logs' names do (find.go). What the first
// objects of a file hold tells its format (recognise.go); a file of no format
// is counted as left out. All files of one agent go through one reader, because
// a session may be in several of them. A file that is compressed with zstd, as Codex
// does with sessions of a week ago, is read by its content (read.go).
//
// Example: in a folder with a.jsonl, whose first line is
// {"type":"session_meta","payload":{...}}, and notes.json, which holds {"x":1},
// the first is a rollout of Codex, and the second is counted as "no log".
//
// Invariants:
//   - equal paths with equal content give equal logs: files are read in the
//     order of their paths, and sessions are in the order of their files;
//   - nothing is written beside a log, and nothing but regular files is opened;
//   - a file is read to the size that it had when it was opened;
//   - a file that cannot be read, or is no log, is counted and stops nothing.
//
// What the lines of a format mean, its reader knows: ClaudeReader, CodexReader, RecordReader and
// CopilotReader here, and HermesReader and RequestsReader of package transcript.
package logs
