import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runtimePath, startTestFleet, type TestFleet } from '@wp/testkit'
import { type BuiltPackage, buildTarball } from './package/build-tarball.ts'
import { readSamples } from './package/readme-samples.ts'
import { runnableProgram } from './package/user-program.ts'

/**
 * The programs of the runtimes, and the arguments before a file. All but that of the project come from
 * `npm run runtimes`.
 */
const runtimes: Record<string, [program: string, ...before: string[]]> = {
  [`Node.js ${process.versions.node}`]: [process.execPath],
  'Node.js 20': [runtimePath('node-20/bin/node')],
  'Node.js 22': [runtimePath('node-22/bin/node')],
  'Node.js 26': [runtimePath('node-26/bin/node')],
  Bun: [runtimePath('bun/bin/bun')],
  Deno: [runtimePath('deno/deno'), 'run', '--allow-all', '--quiet'],
}

const rows = Array.from({ length: 30 }, (_, row) => `door ${row},${row}`)
const doors = ['door,count', ...rows, ''].join('\n')

let parent: string
let built: BuiltPackage
let fleet: TestFleet
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'client-runtimes-'))
  ;[built, fleet] = await Promise.all([
    buildTarball(parent),
    startTestFleet({ services: ['auth', 'system', 'data', 'solutions'] }),
  ])
  await writeFile(join(built.project, 'main.mjs'), runnableProgram('import'))
  await writeFile(join(built.project, 'main.cjs'), runnableProgram('require'))
  await writeFile(join(built.project, 'doors.csv'), doors)
})
afterAll(async () => {
  await fleet.stop()
  await rm(parent, { recursive: true })
})

describe.each(Object.entries(runtimes))('the installed package on %s', (name, [program, ...before]) => {
  const [test, reason] = existsSync(program) ? [it, ''] : [it.skip, ' (skipped: not installed, see npm run runtimes)']
  test.each(['main.mjs', 'main.cjs'])(`calls the platform from %s${reason}`, async (file) => {
    const { clientId, clientSecret, workspaceId } = fleet.owner
    const env = { BASE_URL: fleet.baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CSV: 'doors.csv' }
    const { stdout } = await promisify(execFile)(program, [...before, file, `${name} ${file}`], {
      cwd: built.project,
      env,
    })
    expect(JSON.parse(stdout)).toEqual({
      workspace_id: workspaceId,
      sent: doors.length,
      uploaded: 30,
      records: 30,
      forged: true,
      missing: true,
      refused: 'ValidationFailedError',
      status: 200,
    })
  })
})

const sampleEnvironment = () => ({
  WP_BASE_URL: fleet.baseUrl,
  WP_API_KEY: fleet.owner.apiKey,
  WP_CLIENT_ID: fleet.owner.clientId,
  WP_CLIENT_SECRET: fleet.owner.clientSecret,
})

describe('the README', () => {
  it.each(readSamples('js').map((text, index) => [index + 1, text] as const))('sample %i runs', async (index, text) => {
    const file = `sample-${index}.mjs`
    await writeFile(join(built.project, file), text)
    const options = { cwd: built.project, env: sampleEnvironment() }
    expect((await promisify(execFile)(process.execPath, [file], options)).stderr).toBe('')
  })
})

describe('the README of the Python client', () => {
  const python = join(import.meta.dirname, '../../../node_modules/.cache/python/bin/python')
  const [test, reason] = existsSync(python) ? [it, ''] : [it.skip, ' (skipped: see clients/python/run-tests.sh)']
  test.each(readSamples('python').map((text, index) => [index + 1, text] as const))(
    `sample %i runs${reason}`,
    async (_, text) => {
      const options = { cwd: built.project, env: sampleEnvironment() }
      expect((await promisify(execFile)(python, ['-W', 'error', '-c', text], options)).stderr).toBe('')
    },
  )
})
