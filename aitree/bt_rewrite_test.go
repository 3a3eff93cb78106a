package aitree_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A lack is the reason why a tree has no rewriting.
type lack string

func (l lack) Error() string { return string(l) }

// A rewriter puts the tree of a case into our nodes.
type rewriter struct {
	profile string
	leaves  []btLeaf
}

// rewrite puts a node and what is below it into our nodes. The head of the parent says what it is to be skipped.
func (w *rewriter) rewrite(x sexpr, in string) (sexpr, error) {
	if !x.isList() {
		return x, nil
	}
	f, err := formOf(x)
	if err != nil {
		return x, err
	}
	option := func(name, otherwise string) string {
		if v, has := f.options[name]; has {
			return v.String()
		}
		return otherwise
	}
	// node makes the rewritten node, which keeps the label.
	node := func(head string, items ...sexpr) sexpr {
		if f.label != "" {
			head += "#" + f.label
		}
		return sHead(head, items...)
	}
	// children rewrites those arguments that are nodes.
	children := func(args []sexpr) ([]sexpr, error) {
		out := make([]sexpr, len(args))
		for i, arg := range args {
			if out[i], err = w.rewrite(arg, f.head); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	// plain is for a node that is ours under another head, with its first n arguments kept.
	plain := func(head string, n int, options ...sexpr) (sexpr, error) {
		kids, err := children(f.rest[n:])
		return node(head, slices.Concat(f.rest[:n], options, kids)...), err
	}
	policies := func(success, failure string, latched bool) []sexpr {
		return []sexpr{sAtom(":s"), sAtom(success), sAtom(":f"), sAtom(failure), sAtom(":latched"),
			sAtom(strconv.FormatBool(latched))}
	}

	switch f.head {
	case "seq", "sel": // :persist
		return plain(f.head, 0)
	case "rseq", "rsel": // :reset-running
		return plain(f.head, 0)
	case "inv", "force-s", "force-f", "until-s", "until-f":
		return plain(f.head, 0)
	case "cooldown":
		if option(":when-cooling", "") == "wait" { // it starts on entry, and while it cools it runs
			child, err := w.rewrite(f.rest[1], f.head)
			gate := sHead("until-s", sHead("cooldown", f.rest[0], sHead("succeed")))
			return node("seq", gate, child), err
		}
		return plain(f.head, 1)
	case "retry", "timeout", "guard":
		return plain(f.head, 1)
	case "wait":
		return x, nil

	case "repeat":
		if option(":abort-on-failure", "true") == "false" && len(f.rest) == 2 { // a failed round counts
			child, err := w.rewrite(f.rest[1], f.head)
			return node("repeat", f.rest[0], sHead("force-s", child)), err
		}
		return plain("repeat", 1)

	case "keep-running-until-failure":
		return plain("repeat", 0, sNumber(0))

	case "map":
		for _, m := range []struct {
			from, to, head string
			options        []sexpr
		}{
			{":f", "S", "force-s", nil},
			{":s", "F", "force-f", nil},
			{":f", "R", "until-s", nil},
			{":s", "R", "repeat", []sexpr{sNumber(0)}},
		} {
			if option(m.from, "") == m.to && len(f.options) == 1 {
				return plain(m.head, 0, m.options...)
			}
		}

	case "par":
		latched := true // a child that completed is not ticked again
		switch w.profile {
		case "pytrees":
			latched = option(":sync", "false") == "true"
		case "gdx":
			latched = option(":orch", "") == "join"
		case "limbo":
			latched = option(":repeat", "") == "false"
		}
		switch policy := f.options[":policy"]; {
		case policy.isList():
			return w.selected(&f, policy.list[1:], node)
		case policy.atom == "all":
			return plain("par", 0, policies("all", "one", latched)...)
		case policy.atom == "one" && w.profile == "gdx":
			return plain("par", 0, policies("one", "all", latched)...)
		case policy.atom == "one":
			return plain("par", 0, policies("one", "one", latched)...)
		}
		threshold := func(name string) string {
			t := option(name, "")
			if n, err := strconv.Atoi(t); err == nil && n < 0 {
				return strconv.Itoa(len(f.rest) + 1 + n)
			}
			return t
		}
		success, failure := threshold(":s"), threshold(":f")
		if w.profile == "btcpp" { // it fails too when not enough are left to succeed
			s, _ := strconv.Atoi(success)
			t, _ := strconv.Atoi(failure)
			failure = strconv.Itoa(min(t, len(f.rest)-s+1))
		}
		return plain("par", 0, policies(success, failure, latched)...)

	case "par-all": // waits for all; our third rule of a Parallel fails it if one of them failed
		if option(":max-failures", "") == "1" {
			return plain("par", 0, policies("all", "all", true)...)
		}
	case "par-wait-all":
		return plain("par", 0, policies("all", "all", true)...)
	case "all":
		return plain("par", 0, policies("all", "one", true)...)
	case "any":
		return plain("par", 0, policies("one", "all", true)...)
	case "race":
		return plain("par", 0, policies("one", "one", true)...)

	case "wait-forever":
		return node("repeat", sNumber(0), sHead("wait", sNumber(0))), nil

	case "delay": // a wait before the child
		kids, err := children(f.rest[1:])
		if len(kids) != 1 {
			return node("timeout", f.rest[0]), err // which is refused as the delay would be
		}
		return node("seq", sHead("wait", f.rest[0]), kids[0]), err

	case "try-catch": // the last child is the catch branch; it runs if one of the others fails, which fails
		kids, err := children(f.rest)
		last := len(kids) - 1
		return node("sel", sHead("seq", kids[:last]...), sHead("force-f", kids[last])), err

	case "foreach": // one round per item
		rounds := len(f.rest[0].list)
		if rounds == 0 {
			if option(":if-empty", "") == "F" {
				return node("fail"), nil
			}
			return node("succeed"), nil
		}
		f.rest[0] = sNumber(float64(rounds))
		return plain("repeat", 1)

	case "prob-sel": // draws again among the others when a child fails
		kids := make([]sexpr, len(f.rest))
		equal := true
		for i, pair := range f.rest {
			child, err := w.rewrite(pair.list[0], f.head)
			if err != nil {
				return x, err
			}
			kids[i] = sList(pair.list[1], child)
			equal = equal && pair.list[1].atom == f.rest[0].list[1].atom
		}
		if !equal {
			return node("choice", kids...), nil
		}
		for i := range kids {
			kids[i] = kids[i].list[1]
		}
		return node("rndsel", kids...), nil

	case "wde": // decides on every tick
		if len(f.rest) != 3 {
			return x, lack(lackArity)
		}
		kids, err := children(f.rest)
		return node("rsel", sHead("guard", kids[0], kids[1]), sHead("guard", sAtom("!"+kids[0].atom), kids[2])), err

	case "switch": // reads its variable on every tick
		variable, values := option(":var", ""), []string{}
		branches := []sexpr{}
		for _, branch := range f.rest {
			b, err := formOf(branch)
			if err != nil {
				return x, err
			}
			child, err := w.rewrite(b.rest[len(b.rest)-1], f.head)
			if err != nil {
				return x, err
			}
			is := "!" + variable + "=" + strings.Join(values, "|")
			if b.head == "case" {
				value := strings.Trim(b.rest[0].atom, `"`)
				values = append(values, value)
				is = variable + "=" + value
			}
			branches = append(branches, sHead("guard", sAtom(is), child))
		}
		return node("rsel", branches...), nil

	case "pre":
		child, err := w.rewrite(f.rest[0], f.head)
		if err != nil || len(f.options) != 1 {
			return x, cmp.Or(err, fmt.Errorf("%s: more than one option", x))
		}
		for name, flag := range f.options {
			tested := sHead("cond", flag)
			switch name {
			case ":success-if":
				return sHead("sel", tested, child), nil
			case ":failure-if":
				return sHead("seq", sHead("inv", tested), child), nil
			case ":while": // when it does not hold the child is reset, and skipped
				return sHead("guard", flag, child), nil
			case ":skip-if": // a sequence goes on after a child that is skipped, as after one that succeeds
				if in == "sel" || in == "rsel" {
					return sHead("seq", sHead("inv", tested), child), nil
				}
				return sHead("sel", tested, child), nil
			}
		}

	case "if": // decides on entry, and takes the result of the branch
		if len(f.rest) > 3 {
			return x, lack(lackArity)
		}
		if w.runs(f.rest[0].atom) {
			return x, lack(lackIf)
		}
		kids, err := children(f.rest[1:])
		return node("decide", append([]sexpr{f.rest[0]}, kids...)...), err

	case "wait-ticks":
		ticks, err := strconv.Atoi(f.rest[0].atom)
		return node("repeat", sNumber(float64(ticks+1)), sHead("succeed")), err

	case "run-once": // is skipped once it is done, and a sequence goes on then
		if in != "seq" {
			return x, lack(lackRunLimit)
		}
		return plain("every", 0, sNumber(longestSeconds))
	case "oneshot":
		if option(":policy", "") != "completion" {
			return x, lack(lackRunLimit)
		}
		return plain("every", 0, sNumber(longestSeconds))
	case "run-limit":
		return x, lack(lackRunLimit)
	case "while", "while-all":
		return x, lack(lackLoop)
	case "after":
		return x, lack(lackAfter)
	}
	return x, fmt.Errorf("%s: no rewriting, and no reason why", x)
}

// longestSeconds is the longest duration there is, which is longer than any case.
const longestSeconds = 2147

// runs reports whether a leaf may return running.
func (w *rewriter) runs(name string) bool {
	return slices.ContainsFunc(w.leaves, func(l btLeaf) bool {
		return l.Leaf == name && slices.Contains(l.Returns, "R")
	})
}

// selected rewrites a Parallel that succeeds when the selected children do. The others are repeated, so that their
// success does not count.
func (w *rewriter) selected(f *form, selected []sexpr, node func(string, ...sexpr) sexpr) (sexpr, error) {
	items := []sexpr{sAtom(":s"), sNumber(float64(len(selected))), sAtom(":f"), sAtom("one")}
	found := 0
	for _, child := range f.rest {
		kid, err := w.rewrite(child, f.head)
		if err != nil {
			return kid, err
		}
		if slices.ContainsFunc(selected, func(s sexpr) bool { return s.atom == child.atom }) {
			found++
		} else {
			kid = sHead("repeat", sNumber(0), kid)
		}
		items = append(items, kid)
	}
	if found != len(selected) {
		return sexpr{}, lack(lackSelected)
	}
	return node("par", items...), nil
}

// refused is the error of a tree that is not built.
type refused string

func (r refused) Error() string { return string(r) }

// differs is the error of a case that runs otherwise than its test asserts.
type differs string

func (d differs) Error() string { return string(d) }

// check says whether a tree is one that is built: composites have children, decorators one.
func check(n *refNode) error {
	if !n.isLeaf() && len(n.children) == 0 {
		return fmt.Errorf("%v has no child", n)
	}
	for _, child := range n.children {
		if err := check(child); err != nil {
			return err
		}
	}
	return nil
}
