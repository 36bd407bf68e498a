//go:build !unix

package e2e

// pending reports false: there is no terminal here to ask, and every test that
// would ask skips.
func (x *terminal) pending() bool { return false }
