import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runtimePath, startTestFleet, type TestFleet } from '@wp/testkit'
import { publint } from 'publint'
import { createProgram, type Program } from './fixture/program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

let parent: string
/** The installed package. */
let folder: string
let fleet: TestFleet
/** The oldest supported Node.js comes from `npm run runtimes`. */
const nodes = {
  [process.version]: process.execPath,
  'Node.js 20': runtimePath('node-20/bin/node'),
}
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cli-package-'))
  ;[folder, fleet] = await Promise.all([installPackage(), startTestFleet({ services: ['auth', 'data'] })])
})
afterAll(async () => {
  await fleet?.stop()
  await rm(parent, { recursive: true })
})

/**
 * Builds and packs the command line as it is published, and unpacks it in an empty project. @returns its folder there
 */
async function installPackage(): Promise<string> {
  const [built, project] = [join(parent, 'built'), join(parent, 'project/node_modules')]
  await run(process.execPath, [join(root, 'infra/toolchain/build-package.ts'), 'cli', built])
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: built })
  const installed = join(project, '@workspace-platform/cli')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(parent, stdout.trim()), '--strip-components=1', '-C', installed])
  // Libraries come from the registry otherwise, which tests do without.
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await symlink(join(root, 'packages/cli/node_modules', name), join(project, name))
  }
  return installed
}

it('the package has the program, its modules, licence and README, and imports nothing but its dependencies', async () => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['wp.mjs', 'main.js', 'LICENSE', 'README.md']))
  expect(files.filter(({ name }) => !/\.(?:m?js|md|json)$|^LICENSE$/.test(name))).toEqual([])
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  for (const { name, parentPath } of files.filter((file) => /js$/.test(file.name))) {
    const text = await readFile(join(parentPath, name), 'utf8')
    const imported = [...text.matchAll(/(?:^import .*?|from |import\()["']([^"'\n]+)["']/gm)].map(
      ([, path = '']) => path,
    )
    const others = imported.filter((path) => !/^(?:node:|\.)/.test(path) && !Object.hasOwn(dependencies, path))
    expect([name, others]).toEqual([name, []])
  }
})

it('publint has no remarks', async () => {
  const { messages } = await publint({ pkgDir: folder, pack: false, strict: true })
  expect(messages).toEqual([])
})

describe.each(Object.entries(nodes))('the installed program on %s', (_name, node) => {
  const [test, reason] = existsSync(node) ? [it, ''] : [it.skip, ' (skipped: not installed, see npm run runtimes)']
  let wp: Program
  beforeAll(async () => {
    wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey }, join(folder, 'bin/wp.mjs'), node)
  })
  afterAll(() => wp.close())

  test(`prints its version, and commands call the platform${reason}`, async () => {
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    expect(await wp.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
    const name = `Rooms ${process.versions.node} ${node.length}`
    expect(await wp.run(['sources', 'create', name, '--key', 'room', '--json', 'name'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(name),
    })
    const named = await wp.run(['sources', 'list', '--jq', '.[].name'])
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining(`${name}\n`)])
    expect((await wp.run(['whoami'])).stdout).toContain(fleet.owner.workspaceId)
    expect((await wp.run(['forecast', '--help'])).code).toBe(0)
  })
})
