import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { afterAll, expect, it } from '@jest/globals'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { buildTarball, compile } from './package/build-tarball.ts'
import { readSamples } from './package/readme-samples.ts'
import { equalTypes, userProgram } from './package/type-programs.ts'

const root = join(import.meta.dirname, '../../..')
/** Size of a bundle with the whole client, minified and compressed with gzip. */
const maxBundleBytes = 12_000

const parent = await mkdtemp(join(tmpdir(), 'client-package-'))
const built = await buildTarball(parent)
afterAll(() => rm(parent, { recursive: true }))

it('the package has modules, declarations, licence and README, no dependency and nothing of the contracts', async () => {
  const files = (await readdir(built.folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.cjs']),
  )
  expect(files.filter(({ name }) => !/\.(?:js|cjs|d\.ts|d\.cts|md|json)$|^LICENSE$/.test(name))).toEqual([])
  const manifest = JSON.parse(await readFile(join(built.folder, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  for (const { name, parentPath } of files) {
    const imports =
      (await readFile(join(parentPath, name), 'utf8')).match(/(?:from|require\(|import\() ?['"][^.'"][^'"]*['"]/g) ?? []
    if (!name.endsWith('.md'))
      expect([name, imports.filter((specifier) => !specifier.includes('node:'))]).toEqual([name, []])
  }
})

it('publint has no remarks', async () => {
  const { messages } = await publint({ pkgDir: built.folder, pack: false, strict: true })
  expect(messages).toEqual([])
})

it('the types are found and right in every way to resolve modules', async () => {
  const result = await checkPackage(createPackageFromTarballData(await readFile(built.tarball)))
  const problems = result.types === false ? ['no types'] : result.problems
  // Resolution of Node.js 10 knows no entries beside the main one.
  const isOfNode10 = (problem: (typeof problems)[number]) =>
    typeof problem === 'object' && problem.kind === 'NoResolution' && problem.resolutionKind === 'node10'
  expect(problems.filter((problem) => !isOfNode10(problem))).toEqual([])
})

it(`a bundle of the client has at most ${maxBundleBytes} bytes`, async () => {
  const input = join(built.project, 'bundled.js')
  await writeFile(input, "import { createClient } from '@workspace-platform/client'\nconsole.log(createClient)")
  const build = await rolldown({ input, platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const [{ code }] = output
  const bytes = gzipSync(code).length
  process.stdout.write(`client: ${bytes} bytes minified and compressed\n`)
  expect(output).toHaveLength(1)
  expect(code).not.toMatch(/\bfrom *["']/)
  expect(bytes).toBeLessThan(maxBundleBytes)
  expect(bytes).toBeGreaterThan(1000)
})

it('the emitted types are those of the contracts', async () => {
  // Beside the client, so that the modules of the contracts resolve.
  const folder = join(root, 'packages/client/node_modules/.equal-types')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'equal.ts'), equalTypes('@wp/client', join(built.folder, 'esm/index.js')))
  const config = { extends: join(root, 'tsconfig.json'), include: [], files: ['equal.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  expect(await compile(folder)).toBe('')
  await rm(folder, { recursive: true })
})

// The other ways to resolve modules, such as that of bundlers, are those of the checks of the types above.
it.each([
  ['nodenext', 'module'],
  ['nodenext', 'commonjs'],
])('a user compiles with moduleResolution %s in a package of type %s', async (moduleResolution, type) => {
  const folder = join(built.project, `${moduleResolution}-${type}`)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type }))
  const programs = type === 'module' ? [userProgram, ...readSamples('js'), ...readSamples('ts')] : [userProgram]
  const files = programs.map((_, index) => `main-${index}.ts`)
  await Promise.all(programs.map((text, index) => writeFile(join(folder, `main-${index}.ts`), text)))
  const compilerOptions = {
    module: moduleResolution,
    moduleResolution,
    target: 'es2022',
    moduleDetection: 'force',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: false,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  expect(await compile(folder)).toBe('')
})
