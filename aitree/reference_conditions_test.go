package aitree_test

import (
	"math"
	"strings"
)

// Conditions of the reference. They are kept as text.

// combination takes a condition apart that is put together, such as (all A !B).
func combination(text string) (head string, parts []string) {
	x, err := readSexpr(text)
	if err != nil {
		panic(err)
	}
	for _, part := range x.list[1:] {
		parts = append(parts, part.String())
	}
	return x.list[0].atom, parts
}

// countChances numbers the chances of a condition that have no number yet.
func (t *refTree) countChances(text string) {
	if !strings.HasPrefix(text, "(") {
		return
	}
	head, parts := combination(text)
	if head != "chance" {
		for _, part := range parts {
			t.countChances(part)
		}
		return
	}
	if _, known := t.chances[text]; !known {
		t.chances[text] = len(t.chances)
	}
}

// countConsidered numbers the chances of the conditions that an evaluator considers.
func (t *refTree) countConsidered(b *refEvaluator) {
	for _, a := range b.evaluator.Actions {
		for _, c := range a.Considerations {
			if !c.OfTarget && c.Input >= inputTests {
				t.countChances(b.tests[c.Input-inputTests])
			}
		}
	}
}

// holds is the value of a condition in this tick (7).
func (a *refAgent) holds(text string) bool {
	if text[0] == '!' {
		return !a.holds(text[1:])
	}
	value, known := a.conditions[text]
	if !known {
		value = a.evaluate(text)
		a.conditions[text] = value
	}
	return value
}

func (a *refAgent) evaluate(text string) bool {
	if text[0] != '(' {
		return a.script.holds(text)
	}
	switch head, parts := combination(text); head {
	case "not":
		return !a.holds(parts[0])
	case "all":
		for _, part := range parts {
			if !a.holds(part) {
				return false
			}
		}
		return true
	case "any":
		for _, part := range parts {
			if a.holds(part) {
				return true
			}
		}
		return false
	case "chance":
		drawn := a.draw(a.entity, a.clock, &refNode{index: -1 - a.tree.chances[text]}, 0)
		return float64(drawn>>32)/(1<<32) < float64(probabilityOf(a.script, text))
	}
	panic("reference: no such condition: " + text)
}

// oneOf picks a number by a script, which may pick another in another tick.
func oneOf(script refScript, name string, from [8]float32) float32 {
	i := 0
	for _, bit := range []string{" 1", " 2", " 3"} {
		i <<= 1
		if script.holds(name + bit) {
			i++
		}
	}
	return from[i]
}

// defaultPause is the duration of a pause whose fact is not finite, in seconds.
const defaultPause = 0.75

// pauseOf is what an agent's fact says to a WaitFact, in seconds.
func pauseOf(script refScript, number string) float32 {
	nan := float32(math.NaN())
	return oneOf(script, "pause "+number, [8]float32{0.25, 0, 0.5, 1, -1, nan, 1e9, 0.1})
}

// probabilityOf is what an agent's fact says to a chance.
func probabilityOf(script refScript, chance string) float32 {
	return oneOf(script, chance, [8]float32{0.5, 0, 1, 0.25, 0.9, -1, 2, 1e-6})
}
