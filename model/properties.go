package model

// PropertyNames returns the names of t's top-level parameters in the order of
// the schema: the members of its "properties", if that is an object. The
// names are as the model sees them, unsafe for a terminal. The schema is read
// anew at each call.
func (t *Tool) PropertyNames() []string {
	if len(t.Parameters) == 0 {
		return nil
	}
	var names []string
	c := newCursor(t.Parameters, 0)
	// Parameters were validated when they were imported, so an error can only
	// mean a Tool made by hand: it has the names read so far.
	_, _ = c.object(func(name []byte) error {
		if string(name) == "properties" && c.next() == '{' {
			_, err := c.object(func(name []byte) error {
				names = append(names, string(name))
				_, err := c.value()
				return err
			})
			return err
		}
		_, err := c.value()
		return err
	})
	return names
}
