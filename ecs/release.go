package ecs

// Release gives the columns' filter back to the world's cache. They must not be opened again.
func (c *Columns) Release() { c.world.Cache().Unregister(&c.filter) }
