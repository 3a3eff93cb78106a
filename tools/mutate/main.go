// Command mutate measures what the tests notice: it changes one operator, constant, condition or statement of the code
// at a time, runs the tests that can see the change, and lists the changes that no test noticed.
//
//	go -C tools run ./mutate -n 100 aitree internal/executor
//
// The arguments are folders of the repository, with what is below them. The changes are drawn by -seed from all that
// are possible, so that a run can be repeated. A change that cannot change any result is recorded in equivalent.txt
// with the reason, and does not count. No file of the repository is written: the go command reads the changed files
// through an overlay. All changes are compiled at once; see instrument.go.
//
// With -tests aitree,internal/executor only the tests of these folders count, which is quicker and asks for more.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"os"
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
	tests := flag.String("tests", "", "run the tests of these `folders` alone, divided by commas, in place of all")
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
	if err := run(absolute, flag.Args(), *n, *seed, *jobs, *only, *tests, *list); err != nil {
		log.Fatal(err)
	}
}

func run(root string, folders []string, n int, seed uint64, jobs int, only, tests string, list bool) error {
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
	if tests != "" {
		packages = slices.DeleteFunc(packages, func(p testPackage) bool {
			return !slices.Contains(strings.Split(tests, ","), p.dir)
		})
	}
	return try(root, all, n, jobs, equivalent, packages)
}

// try tries n changes that compile and are not equivalent, or all if there are fewer.
func try(root string, all []*mutant, n, jobs int, equivalent map[string]bool, packages []testPackage) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rest := slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return equivalent[m.id()] })
	w, err := newWorkshop(root, dir, rest, n)
	if err != nil {
		return err
	}
	numbers := slices.Sorted(maps.Keys(w.changes))
	skipped := 0 // of those before the last that is tried
	for _, m := range all {
		if len(numbers) > 0 && m == w.changes[numbers[len(numbers)-1]] {
			break
		}
		if equivalent[m.id()] {
			skipped++
		}
	}
	var mutex sync.Mutex
	var group sync.WaitGroup
	var failure error
	var survivors []string
	next := 0
	for range jobs {
		group.Go(func() {
			mutex.Lock()
			defer mutex.Unlock()
			for next < len(numbers) && failure == nil {
				number := numbers[next]
				next++
				mutex.Unlock()
				start := time.Now()
				by, err := w.try(number, packages)
				mutex.Lock()
				failure = errors.Join(failure, err)
				id, seconds := w.changes[number].id(), time.Since(start).Seconds()
				switch {
				case err != nil:
				case by != "":
					fmt.Printf("noticed  %s (%s, %.0f s)\n", id, by, seconds)
				default:
					fmt.Printf("SURVIVED %s (%.0f s)\n", id, seconds)
					survivors = append(survivors, id)
				}
			}
		})
	}
	group.Wait()
	if failure != nil {
		return failure
	}
	slices.Sort(survivors)
	tried := len(numbers)
	fmt.Printf("\n%d changes tried, %d noticed (%.1f %%), %d equivalent ones passed over\n", tried,
		tried-len(survivors), 100*float64(tried-len(survivors))/float64(max(tried, 1)), skipped)
	for _, s := range survivors {
		fmt.Println("survived", s)
	}
	return nil
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
