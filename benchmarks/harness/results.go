package harness

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
)

// PrepareDirectory makes a directory where there is none, and returns an error unless a file can be written there.
func PrepareDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return err
	}
	if err := probe.Close(); err != nil {
		return err
	}
	return os.Remove(probe.Name())
}

// Result is what a command has measured. It is written as JSON by package encoding/json.
type Result interface {
	WriteText(w io.Writer) error // writes the result as text
}

// WriteFiles writes a result into a directory as text, name.txt, and as JSON, name.json.
func WriteFiles(dir, name string, r Result) error {
	if err := writeFile(filepath.Join(dir, name+".txt"), r.WriteText); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, name+".json"), func(w io.Writer) error { return WriteJSON(w, r) })
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}

// WriteJSON writes v as one indented JSON value.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
