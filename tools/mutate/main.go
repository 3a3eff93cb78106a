// Command mutate measures what the tests notice: it changes one operator, constant, condition or statement of the code
// at a time, runs the tests that can see the change, and lists the changes that no test noticed.
//
//	go -C tools run ./mutate -n 100 aitree internal/executor
//
// The arguments are folders of the repository, with what is below them. The changes are drawn by -seed from all that
// are possible, so that a run can be repeated. A change that cannot change any result is recorded in equivalent.txt
// with the reason, and does not count. No file of the repository is written: the go command reads the changed file
// through an overlay.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutate: ")
	n := flag.Int("n", 100, "how many changes to try")
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	jobs := flag.Int("jobs", 1, "how many changes to try at the same time")
	only := flag.String("only", "", "try all changes of functions whose `name` is this, in place of a sample")
	list := flag.Bool("list", false, "list the changes and try none")
	root := flag.String("root", "..", "the root of the repository")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("name at least one folder of the repository, such as aitree")
	}
	absolute, err := filepath.Abs(*root)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(absolute, flag.Args(), *n, *seed, *jobs, *only, *list); err != nil {
		log.Fatal(err)
	}
}

func run(root string, folders []string, n int, seed uint64, jobs int, only string, list bool) error {
	equivalent, err := readEquivalent(filepath.Join(root, "tools", "mutate", "equivalent.txt"))
	if err != nil {
		return err
	}
	var all []*mutant
	for _, folder := range folders {
		found, err := mutantsBelow(root, folder)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	if only != "" {
		all = slices.DeleteFunc(all, func(m *mutant) bool { return m.function != only })
		n = len(all)
	} else {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if list {
		for _, m := range all[:min(n, len(all))] {
			fmt.Println(m.id())
		}
		return nil
	}
	packages, err := listTests(root)
	if err != nil {
		return err
	}
	return try(root, all, n, jobs, equivalent, packages)
}

// try tries n changes that compile and are not equivalent, or all if there are fewer.
func try(root string, all []*mutant, n, jobs int, equivalent map[string]bool, packages []testPackage) error {
	var mutex sync.Mutex
	next, tried, noticed, skipped := 0, 0, 0, 0
	var survivors []string
	take := func() *mutant {
		mutex.Lock()
		defer mutex.Unlock()
		for next < len(all) && tried < n {
			m := all[next]
			next++
			if equivalent[m.id()] {
				skipped++
				continue
			}
			tried++
			return m
		}
		return nil
	}
	var group sync.WaitGroup
	var failure error
	for range jobs {
		group.Go(func() {
			for m := take(); m != nil; m = take() {
				start := time.Now()
				verdict, by, err := m.try(root, packages)
				mutex.Lock()
				switch {
				case err != nil:
					failure = errors.Join(failure, err)
					tried = n
				case verdict == broken:
					tried--
				case verdict == survived:
					survivors = append(survivors, m.id())
				default:
					noticed++
				}
				if err == nil && verdict != broken {
					fmt.Printf("%-8s %s (%s, %.0f s)\n", verdict, m.id(), by, time.Since(start).Seconds())
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if failure != nil {
		return failure
	}
	slices.Sort(survivors)
	fmt.Printf("\n%d changes tried, %d noticed (%.1f %%), %d equivalent ones passed over\n",
		tried, noticed, 100*float64(noticed)/float64(max(tried, 1)), skipped)
	for _, s := range survivors {
		fmt.Println("survived", s)
	}
	return nil
}

// verdict is what became of a change.
type verdict string

const (
	broken   verdict = "broken" // it does not compile
	noticed  verdict = "noticed"
	survived verdict = "SURVIVED"
)

// timeout is how long the tests of one package may run: a change may make a loop endless. Unchanged, none takes a
// quarter of it.
const timeout = time.Minute

// buildTime is how long the go command may take beside that.
const buildTime = 5 * time.Minute

// try runs the tests that can see the change, package by package, until one fails.
func (m *mutant) try(root string, packages []testPackage) (verdict, string, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(root, m.file)
	changed := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(changed, m.apply(), 0o644); err != nil {
		return "", "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", "", err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o644); err != nil {
		return "", "", err
	}
	here := "./" + filepath.ToSlash(filepath.Dir(m.file))
	if _, err := goCommand(root, buildTime, "build", "-overlay", overlayFile, here); err != nil {
		return broken, "", nil
	}
	for _, r := range testsOf(filepath.ToSlash(filepath.Dir(m.file)), packages) {
		if out, err := goCommand(root, buildTime+timeout, r.arguments(overlayFile)...); err != nil {
			if bytes.Contains(out, []byte("[setup failed]")) {
				return "", "", fmt.Errorf("%s: %s", r.dir, out)
			}
			return noticed, r.name(), nil
		}
	}
	return survived, "no test", nil
}

func goCommand(root string, limit time.Duration, arguments ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = root
	command.WaitDelay = time.Second
	return command.CombinedOutput()
}

// readEquivalent reads the recorded changes: lines with an identity; the reason stands in the lines before, after #.
func readEquivalent(file string) (map[string]bool, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known, nil
}
