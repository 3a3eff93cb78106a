package main

import "testing"

func TestAgentsWalkInAnArcheModelApp(t *testing.T) {
	walked, err := run(300)
	if err != nil {
		t.Fatal(err)
	}
	if walked < 1 {
		t.Errorf("they came %v m far in 10 seconds at 2 m/s", walked)
	}
}
