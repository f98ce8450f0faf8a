import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { fetchNatsRelease, findNatsServer, readNatsRelease } from '../src/index.ts'
import { buildNatsRelease } from '../src/servers/nats-release.ts'

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

it('findNatsServer prefers NATS_SERVER_BIN, then the cached release, then PATH, then the cached Debian package', async () => {
  const cached = createProgram('cache/workspace-platform/nats-server-debian/nats-server')
  expect(await findNatsServer()).toBe(cached)
  const onPath = createProgram('path/nats-server')
  expect(await findNatsServer()).toBe(onPath)
  const release = createProgram(`cache/workspace-platform/nats-server-${readNatsRelease()}/nats-server`)
  expect(await findNatsServer()).toBe(release)
  process.env.NATS_SERVER_BIN = createProgram('named/nats-server')
  expect(await findNatsServer()).toBe(process.env.NATS_SERVER_BIN)
})

it('findNatsServer fails when NATS_SERVER_BIN is not an executable file', async () => {
  createProgram('path/nats-server')
  process.env.NATS_SERVER_BIN = join(folder, 'nowhere')
  await expect(findNatsServer()).rejects.toThrow('which is not an executable file')
})

it('findNatsServer uses only the Debian release in NATS_SERVER_SUITE when it is set', async () => {
  createProgram('path/nats-server')
  createProgram('cache/workspace-platform/nats-server-debian/nats-server')
  process.env.NATS_SERVER_SUITE = 'trixie'
  const fetched = createProgram('cache/workspace-platform/nats-server-debian-trixie/nats-server')
  expect(await findNatsServer()).toBe(fetched)
  process.env.NATS_SERVER_SUITE = '../trixie'
  await expect(findNatsServer()).rejects.toThrow('which is not a Debian release')
})

it('fetchNatsRelease uses the cached release, not another version in PATH or the cache', async () => {
  createProgram('path/nats-server')
  createProgram('cache/workspace-platform/nats-server-debian/nats-server')
  const release = createProgram(`cache/workspace-platform/nats-server-${readNatsRelease()}/nats-server`)
  expect(await fetchNatsRelease()).toBe(release)
})

it.each([
  ['builds', 'h1:ETr9+LamgSyw+70x1iJm4J9m//sN5KSChQWk4uxJJJo='],
  ['rejects', 'h1:AAAA+LamgSyw+70x1iJm4J9m//sN5KSChQWk4uxJJJo='],
])('buildNatsRelease %s a program from sources with the checksum %s', async (expected, checksum) => {
  const line = `mod\\tgithub.com/nats-io/nats-server/v2\\tv${readNatsRelease()}\\t${checksum}`
  writeFileSync(createProgram('path/go'), `#!/bin/sh\n[ "$1" = install ] || printf '${line}\\n'\n`)
  const built = buildNatsRelease(folder)
  if (expected === 'builds') expect(await built).toBe(join(folder, 'nats-server'))
  else await expect(built).rejects.toThrow(`was not built from the sources of v${readNatsRelease()}`)
})

function createProgram(name: string): string {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, 0o755)
  return file
}
