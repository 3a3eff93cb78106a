package aitree

import (
	"fmt"
	"strings"
	"time"

	"github.com/flockwork-ai/flockwork/internal/executor"
)

// longestText is how long the text of a condition may grow, in bytes, before the rest is left out.
const longestText = 1000

// String returns the condition as text, with the names of its facts. It leaves out the end of a very long one.
func (c *Condition) String() string {
	var text strings.Builder
	c.write(&text)
	return text.String()
}

// write appends the condition as text.
func (c *Condition) write(text *strings.Builder) {
	if c == nil {
		text.WriteString("no condition")
		return
	}
	t := &c.test
	if signs, ok := signsOf(t.op); ok {
		sign := signs[0]
		if c.negate {
			sign = signs[1]
		}
		fmt.Fprintf(text, "%s %s %s", t.fact.Name(), sign, t.otherSide())
		return
	}
	if c.negate {
		text.WriteString("not ")
	}
	switch t.op {
	case executor.TestTrue:
		text.WriteString(t.fact.Name())
	case executor.TestAlive:
		text.WriteString(t.fact.Name() + " is alive")
	case executor.TestPredicate:
		text.WriteString(t.predicate.name)
	case executor.TestChance:
		text.WriteString("chance of " + t.fact.Name())
	case executor.TestAll:
		t.writeCombination(text)
	}
}

// texts returns the condition without its negation and with one. Those of a combination, which is explained by its
// parts, are empty.
func (c *Condition) texts() (texts [2]string) {
	if c.test.op == executor.TestAll {
		return texts
	}
	plain := *c
	for i := range texts {
		plain.negate = i == 1
		texts[i] = plain.String()
	}
	return texts
}

// signsOf returns the sign of a comparison and that of its negation.
func signsOf(op executor.TestOp) (signs [2]string, ok bool) {
	switch op {
	case executor.TestLess, executor.TestLessFact:
		return [2]string{"<", ">="}, true
	case executor.TestLessEqual, executor.TestLessEqualFact:
		return [2]string{"<=", ">"}, true
	case executor.TestEqual, executor.TestEqualFact:
		return [2]string{"==", "!="}, true
	}
	return signs, false
}

// otherSide returns what a fact is compared with.
func (t *test) otherSide() string {
	switch {
	case t.op == executor.TestLessFact || t.op == executor.TestLessEqualFact || t.op == executor.TestEqualFact:
		return t.other.Name()
	case t.number.duration:
		return time.Duration(t.number.integer).String()
	case t.number.whole:
		return fmt.Sprint(t.number.integer)
	}
	return fmt.Sprint(t.number.float)
}

// writeCombination appends an AllOf or an AnyOf.
func (t *test) writeCombination(text *strings.Builder) {
	word := " and "
	if t.any {
		word = " or "
	}
	text.WriteString("(")
	for i, c := range t.of {
		if text.Len() > longestText { // what is shared by many conditions would be written again for each
			text.WriteString("…")
			break
		}
		if i > 0 {
			text.WriteString(word)
		}
		c.write(text)
	}
	text.WriteString(")")
}
