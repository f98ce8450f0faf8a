import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bundledProgram } from '@wp/testkit'
import { exampleInvoice } from '../../../services/billing/test/invoices/example-invoice.ts'
import { buildPrograms } from '../programs/build-programs.ts'
// biome-ignore lint/correctness/useImportExtensions: its types are in find-program.d.mts
import { areProgramsCurrent, findProgram, manifestName, programsFolder } from '../programs/find-program.mjs'
import { bundleName, listProgramSources } from '../programs/program-sources.ts'

const root = join(import.meta.dirname, '../../..')
mkdirSync(join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist/programs-test-'))
const invoice = 'services/billing/src/invoices/pdf/render-invoice.ts'
const worker = 'services/solutions/src/forecast/threads/worker.ts'
const child = 'packages/outbound/src/postgres/child/main.ts'
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the path of a bundle of the build that all tests use. */
async function bundleOf(source: string): Promise<string> {
  const { path } = await bundledProgram(source)
  // Not the source itself, which runs where a bundle is missing.
  expect(path).toMatch(/\.js$/)
  return path
}

describe('the bundles of the programs', () => {
  const services = listProgramSources(root).filter((source) =>
    /^(gateway|services\/[^/]+)\/src\/main\.ts$/.test(source),
  )

  it.each(services)('%s starts and names what is missing in its configuration', async (source) => {
    const { env } = await bundledProgram(source)
    const path = await bundleOf(source)
    const { status, stderr, stdout } = spawnSync(process.execPath, [path], { encoding: 'utf8', env })
    expect(stdout + stderr).toMatch(/PUBLIC_BASE_URL is missing/)
    expect(status).toBe(1)
  })

  it('render an invoice with the fonts of an installed package', async () => {
    const bundle = join(await buildPrograms(root, folder, [invoice]), `${bundleName(invoice)}.js`)
    const script = `import { renderInvoice } from ${JSON.stringify(pathToFileURL(bundle).href)}
      for await (const chunk of renderInvoice(${JSON.stringify(exampleInvoice())}, {})) process.stdout.write(chunk)`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect(stderr.toString()).toBe('')
    expect(stdout.subarray(0, 5).toString()).toBe('%PDF-')
    expect(stdout.toString('latin1')).toContain('DejaVuSans')
  })

  it('start the thread and the child process of the same build', async () => {
    const build = dirname(await bundleOf(worker))
    const code = readdirSync(build)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(build, name), 'utf8'))
      .join('\n')
    for (const source of [worker, child])
      expect(code).toMatch(new RegExp(`new URL\\(["']\\./${bundleName(source)}\\.js`))
    expect(code.match(/new URL\([^(),]*\.ts["'], sourceUrlOfModule/g)).toBeNull()
    const thread = new Worker(await bundleOf(worker))
    thread.postMessage({ kind: 'series', input: { series: [], horizon: 0 } })
    expect((await once(thread, 'message'))[0]).toMatchObject({
      output: { kind: 'refused', code: 'horizon_invalid' },
    })
    await thread.terminate()
    const reader = fork(await bundleOf(child), { serialization: 'advanced', execArgv: [] })
    reader.send({ kind: 'next' })
    expect((await once(reader, 'message'))[0]).toMatchObject({ kind: 'failed' })
    reader.disconnect()
    await once(reader, 'exit')
  })
})

describe('a build', () => {
  const project = join(folder, 'project')
  const source = 'gateway/src/main.ts'
  beforeAll(() => {
    mkdirSync(join(project, 'gateway/src'), { recursive: true })
    for (const path of [...['services', 'infra/toolchain'].map((path) => join(project, path))])
      mkdirSync(path, { recursive: true })
    writeFileSync(join(project, source), 'export {}\n')
  })

  it('is not used when a source has changed or is gone', () => {
    const programs = join(project, 'dist/programs')
    mkdirSync(join(programs, 'first'), { recursive: true })
    const manifest = JSON.parse(readFileSync(join(root, programsFolder, manifestName), 'utf8'))
    expect(Object.keys(manifest.sources)).toEqual(
      expect.arrayContaining(['pnpm-lock.yaml', 'gateway/package.json', 'packages/contracts/src/index.ts', source]),
    )
    const write = (sources: Record<string, string>) =>
      writeFileSync(
        join(programs, manifestName),
        JSON.stringify({ folder: 'first', programs: { [source]: 'a.js' }, sources }),
      )
    const present = { ...manifest.sources }
    write({})
    expect(findProgram(project, source)).toBe(join(programs, 'first/a.js'))
    expect(findProgram(project, 'services/none/src/main.ts')).toBeUndefined()
    write({ [source]: present[source] })
    expect(areProgramsCurrent(project)).toBe(false)
    write({ 'gateway/src/gone.ts': '1:1' })
    expect(findProgram(project, source)).toBeUndefined()
  })
})
