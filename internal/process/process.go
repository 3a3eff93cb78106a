// Package process reads properties of this process and of the machine from /proc. Without /proc the functions return 0
// or "", except [PeakMemory].
package process

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// ResidentMemory returns the bytes that the process has in memory.
func ResidentMemory() int64 { return statusBytes("VmRSS") }

// PeakMemory returns the greatest number of bytes that the process has had in memory. Without /proc it returns the
// memory that Go's runtime has obtained from the system.
func PeakMemory() int64 {
	if peak := statusBytes("VmHWM"); peak > 0 {
		return peak
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}

// statusBytes returns a size of /proc/self/status in bytes, or 0.
func statusBytes(key string) int64 {
	kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/self/status", key), " kB"), 10, 64)
	return kilobytes * 1024
}

// CPUModel returns the name of the processor.
func CPUModel() string { return field("/proc/cpuinfo", "model name") }

// KernelRelease returns the release of the operating system's kernel.
func KernelRelease() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// field returns the value of the first line "key: value" of a file, "" where there is none.
func field(path, key string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
