#!/usr/bin/env node
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const minimumVersion = 20

if (Number(process.versions.node.split('.')[0]) < minimumVersion) {
  process.stderr.write(`wp: Node.js ${minimumVersion} or newer is required; this is ${process.version}\n`)
  process.exit(1)
}
// Compiled once, a command starts in a third of the time. The folder is the user's own, as the cache contains code.
// Node.js 20 has none.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wp'))
await import('../src/main.ts')
