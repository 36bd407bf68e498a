package labels

// Tasks returns the task of each query, numbered from 0 in the order in which tasks are
// first met: the clusters of evaluation.Compare and evaluation.Interval. Queries of one
// group, or without a group of one text, are of one task.
func Tasks(queries []Query) []int {
	tasks, _ := tasksOf(queries)
	return tasks
}
