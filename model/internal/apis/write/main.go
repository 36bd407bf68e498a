// Command write writes a document that describes an HTTP API to standard output: its
// argument is the name of a shape of package apis.
package main

import (
	"fmt"
	"os"

	"caliper/model/internal/apis"
)

func main() {
	for _, s := range apis.Shapes {
		if len(os.Args) == 2 && os.Args[1] == s.Name {
			if _, err := os.Stdout.Write(s.Document()); err != nil {
				fmt.Fprintln(os.Stderr, "write:", err)
				os.Exit(2)
			}
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: write inline|form|kinds > FILE")
	os.Exit(2)
}
