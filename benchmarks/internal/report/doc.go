// Package report has the result of the command herd, [Herd], as it is written to herd.json and herd.txt. The command
// fills it, and the module charts reads it.
package report
