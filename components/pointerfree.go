package components

import (
	"fmt"
	"reflect"
)

// CheckPointerFree returns an error that names the first field of t that holds a Go pointer, or nil. The bytes of
// components are copied without the garbage collector's knowledge, so a pointer in them would corrupt the heap.
func CheckPointerFree(t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		return fmt.Errorf("a component is a struct, and %v is a pointer; pass the value", t)
	}
	if path, what := findPointer(t, t.String()); what != "" {
		return fmt.Errorf("component %v holds a Go pointer: %s is a %s; use an index or a handle instead",
			t, path, what)
	}
	return nil
}

func findPointer(t reflect.Type, path string) (string, string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan,
		reflect.Func, reflect.Interface:
		return path, t.Kind().String()
	case reflect.Array:
		if t.Len() == 0 {
			return "", ""
		}
		return findPointer(t.Elem(), path+"[0]")
	case reflect.Struct:
		for i := range t.NumField() {
			field := t.Field(i)
			if p, what := findPointer(field.Type, path+"."+field.Name); what != "" {
				return p, what
			}
		}
	}
	return "", ""
}
