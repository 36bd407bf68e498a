// Package labelled makes labelled queries of the calls of a replay: what was
// asked, with the tool that answered it. Package labels reads them.
//
// A call becomes a label when it succeeded and tool search could have led to
// it: the tool is granted and not a core tool. Its query is the one that was
// ranked: the last that the agent searched for, else the user's words. Calls
// with the same query are one label with all of their tools.
//
// # Masking
//
// The texts are the user's own, so that what should not leave a conversation is
// masked in what is written: e-mail addresses, keys and tokens. A token is told
// by a known beginning (sk-, ghp_, AKIA and the like), by what stands before it
// (Bearer, password=, api_key:), by its form (a JSON web token, a private key,
// the user and password of an address), or by being long and random: at least
// 20 characters with capital letters, small letters and digits, or at least 32
// hexadecimal digits. Words, names of tools and paths stay as they are.
//
// Invariants:
//   - Mask(Mask(t)) is Mask(t).
//   - No label has a blank query or no tool.
//   - Labels are in the order of the log, and have different queries and ids.
//
// Non-goals: finding every secret, which no pattern can. A file of labels is
// therefore written for its owner alone (mode 0600).
package labelled
