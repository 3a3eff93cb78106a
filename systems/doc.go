// Package systems holds the steps of a frame as arche systems, and the resources they share.
package systems
