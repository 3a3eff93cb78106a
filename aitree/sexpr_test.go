package aitree_test

import (
	"fmt"
	"strconv"
	"strings"
)

// S-expressions, in which trees are written down.

// A sexpr is an atom or a list.
type sexpr struct {
	atom string
	list []sexpr // of a list; not nil
}

func (x sexpr) isList() bool { return x.list != nil }

func (x sexpr) String() string {
	if !x.isList() {
		return x.atom
	}
	parts := make([]string, len(x.list))
	for i, e := range x.list {
		parts[i] = e.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// These make s-expressions.
func sAtom(s string) sexpr { return sexpr{atom: s} }

func sList(items ...sexpr) sexpr { return sexpr{list: append([]sexpr{}, items...)} }

func sNumber(v float64) sexpr { return sAtom(strconv.FormatFloat(v, 'g', -1, 64)) }

func sHead(h string, r ...sexpr) sexpr { return sList(append([]sexpr{sAtom(h)}, r...)...) }

// readSexpr reads one s-expression, all of the text.
func readSexpr(text string) (sexpr, error) {
	var tokens []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case c == '(' || c == ')':
			tokens = append(tokens, string(c))
			i++
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return sexpr{}, fmt.Errorf("%s: a string without end", text)
			}
			tokens = append(tokens, text[i:i+end+2])
			i += end + 2
		default:
			end := strings.IndexAny(text[i:], " \n\t()")
			if end < 0 {
				end = len(text) - i
			}
			tokens = append(tokens, text[i:i+end])
			i += end
		}
	}
	x, rest, err := readTokens(tokens)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q follows the tree", strings.Join(rest, " "))
	}
	if err != nil {
		return sexpr{}, fmt.Errorf("%s: %w", text, err)
	}
	return x, nil
}

func readTokens(tokens []string) (sexpr, []string, error) {
	if len(tokens) == 0 {
		return sexpr{}, nil, fmt.Errorf("ends too early")
	}
	first, rest := tokens[0], tokens[1:]
	switch first {
	case ")":
		return sexpr{}, nil, fmt.Errorf("a ) too many")
	case "(":
		items := []sexpr{}
		for len(rest) > 0 && rest[0] != ")" {
			var item sexpr
			var err error
			if item, rest, err = readTokens(rest); err != nil {
				return sexpr{}, nil, err
			}
			items = append(items, item)
		}
		if len(rest) == 0 {
			return sexpr{}, nil, fmt.Errorf("a ) is missing")
		}
		return sexpr{list: items}, rest[1:], nil
	}
	return sexpr{atom: first}, rest, nil
}

// A form is a list taken apart: its head and label, its options, and everything else in order.
type form struct {
	head, label string
	options     map[string]sexpr
	rest        []sexpr
}

func formOf(x sexpr) (form, error) {
	if !x.isList() || len(x.list) == 0 || x.list[0].isList() {
		return form{}, fmt.Errorf("%s is not a node", x)
	}
	f := form{options: map[string]sexpr{}}
	f.head, f.label, _ = strings.Cut(x.list[0].atom, "#")
	for i := 1; i < len(x.list); i++ {
		item := x.list[i]
		if strings.HasPrefix(item.atom, ":") {
			if i++; i == len(x.list) {
				return form{}, fmt.Errorf("%s: option %s has no value", x, item)
			}
			f.options[item.atom] = x.list[i]
			continue
		}
		f.rest = append(f.rest, item)
	}
	return f, nil
}
