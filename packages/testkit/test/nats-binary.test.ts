import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { findNatsServer } from '../src/index.ts'

let folder: string
const before = { ...process.env }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wp-nats-binary-test-'))
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  process.env.PATH = join(folder, 'path')
  for (const name of ['NATS_SERVER_BIN', 'NATS_SERVER_SUITE']) delete process.env[name]
})
afterEach(() => {
  for (const name of ['XDG_CACHE_HOME', 'PATH', 'NATS_SERVER_BIN', 'NATS_SERVER_SUITE']) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  rmSync(folder, { recursive: true, force: true })
})

it('takes the binary that is named, else one on the PATH, else one in the cache', async () => {
  const cached = program('cache/workspace-platform/nats-server-debian/nats-server')
  expect(await findNatsServer()).toBe(cached)
  const onPath = program('path/nats-server')
  expect(await findNatsServer()).toBe(onPath)
  process.env.NATS_SERVER_BIN = program('named/nats-server')
  expect(await findNatsServer()).toBe(process.env.NATS_SERVER_BIN)
})

it('does not fall through when the binary that is named is none', async () => {
  program('path/nats-server')
  process.env.NATS_SERVER_BIN = join(folder, 'nowhere')
  await expect(findNatsServer()).rejects.toThrow('which is no program')
})

it('takes that of the Debian release that is named, and no other that is at hand', async () => {
  program('path/nats-server')
  program('cache/workspace-platform/nats-server-debian/nats-server')
  process.env.NATS_SERVER_SUITE = 'trixie'
  const fetched = program('cache/workspace-platform/nats-server-debian-trixie/nats-server')
  expect(await findNatsServer()).toBe(fetched)
  process.env.NATS_SERVER_SUITE = '../trixie'
  await expect(findNatsServer()).rejects.toThrow('which is no release of Debian')
})

function program(name: string): string {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, 0o755)
  return file
}
