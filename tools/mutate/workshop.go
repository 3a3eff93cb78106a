package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// workshop compiles changes and runs tests with one of them.
type workshop struct {
	root, dir string
	overlay   string // the file
	changes   map[int]*mutant

	mutex    sync.Mutex
	binaries map[string]binary // by name of the run
}

// binary is a compiled test.
type binary struct {
	file  string
	limit time.Duration // of processor time: a change may make a loop endless
	err   error         // why it cannot be used
}

// newWorkshop compiles the first n changes of a list that compile. It numbers them from 1 in the order of the list.
func newWorkshop(root, dir string, list []*mutant, n int) (*workshop, error) {
	w := &workshop{
		root: root, dir: dir, overlay: filepath.Join(dir, "overlay.json"),
		changes: map[int]*mutant{}, binaries: map[string]binary{},
	}
	next := 0
	for {
		for next < len(list) && len(w.changes) < n {
			next++
			w.changes[next] = list[next-1]
		}
		folders, at, err := w.write()
		if err != nil {
			return nil, err
		}
		arguments := append([]string{"build", "-overlay", w.overlay, "-gcflags=-e"}, folders...)
		out, err := w.goCommand(arguments...)
		if err == nil {
			return w, nil
		}
		if !w.dropBroken(out, at) {
			return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, out)
		}
	}
}

// write writes the overlay. It returns the folders of the changed packages, and where the changes stand
// in each file that it has written.
func (w *workshop) write() (folders []string, at map[string]map[int]lines, err error) {
	files := map[string]map[int]*mutant{}
	for number, m := range w.changes {
		if files[m.file] == nil {
			files[m.file] = map[int]*mutant{}
		}
		files[m.file][number] = m
	}
	replace := map[string]string{}
	at = map[string]map[int]lines{}
	for file, changes := range files {
		var one *mutant
		for _, one = range changes {
			break
		}
		text, places := instrument(one.source, changes)
		folder := filepath.Dir(file)
		for name, text := range map[string]string{
			filepath.Base(file): text, "mutant_number__.go": fmt.Sprintf(chooser, one.pack),
		} {
			flat := strings.ReplaceAll(filepath.Join(folder, name), string(filepath.Separator), "--")
			if err := os.WriteFile(filepath.Join(w.dir, flat), []byte(text), 0o600); err != nil {
				return nil, nil, err
			}
			if name == filepath.Base(file) {
				at[flat] = places
			}
			replace[filepath.Join(w.root, folder, name)] = filepath.Join(w.dir, flat)
		}
		if f := "./" + filepath.ToSlash(folder); !slices.Contains(folders, f) {
			folders = append(folders, f)
		}
	}
	slices.Sort(folders)
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	return folders, at, os.WriteFile(w.overlay, overlay, 0o600)
}

// compileError is a message of the compiler, with the file's name and the line.
var compileError = regexp.MustCompile(`(?m)^\S*?([^\s:/\\]+\.go):(\d+):`)

// dropBroken leaves out the changes in which the compiler found errors, and reports whether there are any.
func (w *workshop) dropBroken(out []byte, at map[string]map[int]lines) (dropped bool) {
	for _, match := range compileError.FindAllSubmatch(out, -1) {
		line, _ := strconv.Atoi(string(match[2]))
		for number, l := range at[string(match[1])] {
			if l.first <= line && line <= l.last {
				delete(w.changes, number)
				dropped = true
			}
		}
	}
	return dropped
}

// buildTime is how long the go command may take.
const buildTime = 20 * time.Minute

func (w *workshop) goCommand(arguments ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildTime)
	defer cancel()
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = w.root
	return command.CombinedOutput()
}

// binary compiles a test once, and sees it pass without a change.
func (w *workshop) binary(r testRun) binary {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	b, ok := w.binaries[r.name()]
	if !ok {
		b.file = filepath.Join(w.dir, strings.NewReplacer("/", "--", " ", "-").Replace(r.name())+".test")
		arguments := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", w.overlay, "-o", b.file}
		if r.purego {
			arguments = append(arguments, "-tags=purego")
		}
		if out, err := w.goCommand(append(arguments, "./"+r.dir)...); err != nil {
			b.err = fmt.Errorf("tests of %s: %w\n%s", r.name(), err, out)
		} else {
			out, used, err := w.runTests(r, b.file, 0, waitTime)
			if err != nil {
				b.err = fmt.Errorf("tests of %s fail without a change: %w\n%s", r.name(), err, out)
			}
			b.limit = 5*time.Second + 2*used
		}
		w.binaries[r.name()] = b
	}
	return b
}

// waitTime is how long the tests of a package may take if they wait for each other in vain.
const waitTime = 4 * time.Minute

// runTests runs compiled tests with a change, or with none for 0. It returns the processor time that they took. The
// limit is of that time, so that it does not depend on what else the machine does.
func (w *workshop) runTests(r testRun, file string, number int, limit time.Duration) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), waitTime)
	defer cancel()
	limited := fmt.Sprintf(`ulimit -t %d && exec "$0" "$@"`, int(limit.Seconds())+1)
	arguments := []string{"-c", limited, file, "-test.short", "-test.failfast", "-test.paniconexit0"}
	if r.rapid {
		arguments = append(arguments, "-rapid.nofailfile", "-rapid.shrinktime=1ms")
	}
	command := exec.CommandContext(ctx, "sh", arguments...)
	command.Dir = filepath.Join(w.root, r.dir)
	command.Env = append(os.Environ(), variable+"="+strconv.Itoa(number))
	command.WaitDelay = time.Second
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if command.ProcessState == nil {
		return out.Bytes(), 0, err
	}
	return out.Bytes(), command.ProcessState.UserTime() + command.ProcessState.SystemTime(), err
}

// try runs the tests that can see a change, package by package, until one fails. It returns the package, or "" when no
// test noticed the change.
func (w *workshop) try(number int, packages []testPackage) (by string, err error) {
	folder := filepath.ToSlash(filepath.Dir(w.changes[number].file))
	for _, r := range testsOf(folder, packages) {
		b := w.binary(r)
		if b.err != nil {
			return "", b.err
		}
		for attempt := 1; ; attempt++ {
			out, used, err := w.runTests(r, b.file, number, b.limit)
			var exit *exec.ExitError
			switch { // the system counts the time of a process less finely than it limits it
			case err == nil:
			case bytes.Contains(out, []byte("FAIL")) || bytes.Contains(out, []byte("goroutine ")):
				return r.name(), nil
			case used >= b.limit*3/4 || errors.Is(err, context.DeadlineExceeded):
				return r.name() + ", without end", nil
			case errors.As(err, &exit) && exit.ExitCode() > 0:
				return r.name() + ", " + exit.Error(), nil
			case attempt < 3: // something else has ended it, such as a lack of memory
				continue
			default:
				return "", fmt.Errorf("tests of %s: %w", r.name(), err)
			}
			break
		}
	}
	return "", nil
}
