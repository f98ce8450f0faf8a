import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { callPlatform, installStep, lastLines, runProgram } from './run-program.ts'
import { typescriptProgram } from './typescript-program.ts'

const packages = { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3', '@types/node': '24' }
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noEmit: true,
  types: ['node'],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

export const typescriptGenerator: Generator = {
  name: 'openapi-typescript',
  async run(input) {
    const tools = join(input.cache, 'npm')
    await mkdir(tools, { recursive: true })
    await writeFile(join(tools, 'package.json'), '{"private":true}')
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent']
    await installStep('npm', ['install', ...options, ...wanted], { cwd: tools })

    const folder = join(input.folder, 'typescript')
    await mkdir(folder, { recursive: true })
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await copyFile(input.document, join(folder, 'openapi.json'))
    await writeFile(join(folder, 'calls.ts'), typescriptProgram)
    const program = (name: string, ...args: string[]) =>
      runProgram(process.execPath, [join(tools, 'node_modules', name), ...args], { cwd: folder })
    const generated = await program('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'platform.ts')
    const compiled = await program('typescript/bin/tsc', '-p', '.')
    const result = {
      name: this.name,
      version: packages['openapi-typescript'],
      generated: generated.exitCode === 0 ? '1 file' : 'failed',
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.output) }
    return { ...result, ...(await callPlatform(input, folder, process.execPath, ['calls.ts'])) }
  },
}
