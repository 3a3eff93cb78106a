package components

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheKeyOfAnEntityHasBothOfItsNumbers(t *testing.T) {
	assert.Equal(t, uint64(0x00000002_00000007), Entity{Index: 7, Generation: 2}.Key())
}
