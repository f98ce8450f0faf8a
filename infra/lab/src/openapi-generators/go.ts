import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { goProgram } from './go-program.ts'
import {
  callPlatform,
  generateClient,
  installStep,
  lastLines,
  openApiGeneratorVersion,
  runProgram,
} from './run-program.ts'

/** The optional field `secret` gets a method `HasSecret`, which would be the name of the field `has_secret` too. */
const nameMappings = 'has_secret=hasSigningSecret'

export const goGenerator: Generator = {
  name: 'openapi-generator (Go)',
  async run(input) {
    await installStep('go', ['version'])
    const folder = join(input.folder, 'go')
    const generated = await generateClient(input, folder, [
      ...['-g', 'go', '--package-name', 'platform', '--git-user-id', 'example', '--git-repo-id', 'platform'],
      ...['--name-mappings', nameMappings],
      ...['--additional-properties', 'withGoMod=true,disallowAdditionalPropertiesIfNotPresent=false'],
    ])
    await mkdir(join(folder, 'calls'), { recursive: true })
    await writeFile(join(folder, 'calls/main.go'), goProgram)
    await installStep('go', ['mod', 'tidy'], { cwd: folder })
    const compiled = await runProgram('go', ['build', './...'], { cwd: folder })
    const files = await readdir(folder)
    const result = {
      name: this.name,
      version: openApiGeneratorVersion,
      generated: `${files.filter((file) => file.endsWith('.go')).length} files`,
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.errors) }
    return { ...result, ...(await callPlatform(input, folder, 'go', ['run', './calls'])) }
  },
}
