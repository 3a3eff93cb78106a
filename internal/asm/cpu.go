package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// cpu emits the instructions by which package cpu queries the processor.
func cpu(c *build.Context) {
	c.Function("cpuid")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(leaf, subleaf uint32) (a, b, c, d uint32)")
	c.Doc("cpuid returns what the processor says of itself under a number.")
	c.Load(c.Param("leaf"), reg.EAX)
	c.Load(c.Param("subleaf"), reg.ECX)
	c.CPUID()
	c.Store(reg.EAX, c.Return("a"))
	c.Store(reg.EBX, c.Return("b"))
	c.Store(reg.ECX, c.Return("c"))
	c.Store(reg.EDX, c.Return("d"))
	c.RET()

	c.Function("xgetbv")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func() uint32")
	c.Doc("xgetbv returns which registers the operating system keeps; only where cpuid says that it can be asked.")
	c.XORL(reg.ECX, reg.ECX)
	c.XGETBV()
	c.Store(reg.EAX, c.ReturnIndex(0))
	c.RET()
}
