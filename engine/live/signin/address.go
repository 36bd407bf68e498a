package signin

import (
	"net"
	"net/url"
)

// isLocal reports whether an address is one of this machine.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	return err == nil && isLoopback(u.Hostname())
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isSafe reports whether an address may be asked, or opened in a browser: one over https
// that is elsewhere, and, where local is set, one of this machine.
func isSafe(address string, local bool) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	if isLoopback(u.Hostname()) {
		return local && (u.Scheme == "http" || u.Scheme == "https")
	}
	return u.Scheme == "https"
}
