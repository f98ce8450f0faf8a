import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { pythonProgram } from './python-program.ts'
import { callPlatform, installStep, lastLines, runProgram } from './run-program.ts'

const version = '0.29.1'
/** Formats of files that the generator does not know. */
const config = join(import.meta.dirname, '../../../../docs/examples/openapi-python-client.yaml')

export const pythonGenerator: Generator = {
  name: 'openapi-python-client',
  async run(input) {
    const tools = join(input.cache, 'python')
    const python = join(tools, 'bin/python')
    await installStep('python3', ['-m', 'venv', tools])
    await installStep(python, ['-m', 'pip', 'install', '--quiet', `openapi-python-client==${version}`])
    const templates = await patchTemplates(python, join(input.folder, 'python-templates'))

    const folder = join(input.folder, 'python')
    await mkdir(folder, { recursive: true })
    const options = ['--meta', 'none', '--output-path', join(folder, 'workspace_platform_client')]
    const generated = await runProgram(join(tools, 'bin/openapi-python-client'), [
      ...['generate', '--path', input.document, '--config', config, '--custom-template-path', templates, ...options],
    ])
    await writeFile(join(folder, 'calls.py'), pythonProgram)
    const imported = await runProgram(python, ['calls.py', 'import'], { cwd: folder })
    const files = await readdir(folder, { recursive: true })
    const result = {
      name: this.name,
      version,
      generated: `${files.filter((file) => file.endsWith('.py')).length} files`,
      compiled: imported.exitCode === 0 ? `${imported.output.trim()} modules` : 'no',
    }
    if (imported.exitCode !== 0)
      return { ...result, calls: [], failure: lastLines(imported.errors || generated.errors + generated.output) }
    return { ...result, ...(await callPlatform(input, folder, python, ['calls.py'])) }
  },
}

/**
 * Copies the templates of the generator and corrects a fault: a module with a required body of two content types uses
 * `Unset`, which it imports only if a parameter is optional.
 */
async function patchTemplates(python: string, folder: string): Promise<string> {
  const { output } = await runProgram(python, ['-c', 'import openapi_python_client as c; print(c.__path__[0])'])
  await cp(join(output.trim(), 'templates'), folder, { recursive: true })
  const file = join(folder, 'endpoint_module.py.jinja')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('import Response, UNSET\n', 'import Response, UNSET, Unset\n'))
  return folder
}
