// Package ecs connects the project to an arche world: it reads component columns, converts entities, queues
// structural changes and runs systems. It is the only package that knows arche's insides or uses unsafe.
package ecs
