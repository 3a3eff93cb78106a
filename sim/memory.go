package sim

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
)

// peakMemory returns the most memory the process has held, in bytes: the system's account where it has one in
// /proc, else what Go's runtime has asked the system for.
func peakMemory() int64 {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		lines := bufio.NewScanner(bytes.NewReader(status))
		for lines.Scan() {
			fields := bytes.Fields(lines.Bytes())
			if len(fields) == 3 && string(fields[0]) == "VmHWM:" {
				if kilobytes, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
					return kilobytes * 1024
				}
			}
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}
