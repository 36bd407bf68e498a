package cli

import (
	"fmt"
	"slices"
	"strings"

	"caliper/config"
	"caliper/tui/cli/runner"

	"github.com/spf13/cobra"
)

// freeSettings are the settings whose values nobody can know before they are typed,
// with the reason. Another setting that nothing is offered for fails a test.
var freeSettings = map[string]string{
	"model.default":                "the name of a model",
	"model.model":                  "the name of a model",
	"tools.rag_embed_model":        "the name of a model of the embedder's server",
	"tools.rag_embed_url":          "an address",
	"toolaria.error_line_patterns": "expressions",
}

// completeSetting offers what may follow on a command line: the settings with what
// each takes, then values of the one that is named. A number has its default alone,
// as an example of how it is written.
func (r *run) completeSetting(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const only = cobra.ShellCompDirectiveNoFileComp
	var list []cobra.Completion
	if len(args) == 0 {
		for _, key := range config.Settable() {
			s, _ := config.SpecOf(key)
			list = append(list, cobra.CompletionWithDesc(key, s.Takes()))
		}
		return list, only
	}
	s, known := config.SpecOf(config.KeyOf(args[0]))
	_, free := freeSettings[s.Key]
	switch {
	case len(args) > 1 || !known || free:
	case s.Key == "toolaria.store_path":
		return nil, cobra.ShellCompDirectiveFilterDirs
	case s.Kind == config.Choice:
		return s.Choices, only
	case s.Kind == config.Bool:
		return []cobra.Completion{"true", "false"}, only
	case s.Kind == config.List:
		return r.completeNames(cmd, s.Key, prefix), only | cobra.ShellCompDirectiveNoSpace
	case s.Default == nil:
		list = append(list, cobra.CompletionWithDesc("null", "the context of the model"))
	default:
		list = append(list, cobra.CompletionWithDesc(fmt.Sprint(s.Default), "the default; "+s.Takes()))
	}
	return list, only
}

// completeNames offers a list of names with one name more: of a plugin, or of any tool
// of the registry, as what is a core tool for one session is none for another.
func (r *run) completeNames(cmd *cobra.Command, key, prefix string) []cobra.Completion {
	type name struct{ name, about string }
	var names []name
	if strings.HasPrefix(key, "plugins.") {
		names = append(names, name{"toolaria", "rescue of oversized results"})
	} else if st, err := r.LoadForCompletion(cmd); err == nil {
		for _, t := range st.Snapshot.ByName() {
			names = append(names, name{t.Qualified, t.ShownToolset()})
		}
	}
	before, typed := "", strings.TrimPrefix(strings.TrimSuffix(prefix, "]"), "[")
	if at := strings.LastIndex(typed, ","); at >= 0 {
		before, typed = typed[:at+1], typed[at+1:]
	}
	had := strings.Split(before, ",")
	var list []cobra.Completion
	for _, n := range names {
		// SECURITY: the brackets are ours; a name that a shell would interpret is not offered.
		if strings.HasPrefix(n.name, typed) && runner.Completable(n.name) && !slices.Contains(had, n.name) {
			list = append(list, cobra.CompletionWithDesc("["+before+n.name+"]", n.about))
		}
	}
	return list
}
