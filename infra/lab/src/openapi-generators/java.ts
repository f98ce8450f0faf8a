import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { javaProgram } from './java-program.ts'
import {
  callPlatform,
  generateClient,
  installStep,
  lastLines,
  openApiGeneratorVersion,
  runProgram,
} from './run-program.ts'

const base = 'com.example.platform'

/**
 * The templates of `jersey3` know bodies that are a list or an object; those of the other libraries write them as code
 * that does not compile. A number is a `double`, because the constants of `BigDecimal` do not compile either.
 */
const options = [
  ...['-g', 'java', '--library', 'jersey3', '--type-mappings', 'number=Double'],
  ...['--invoker-package', base, '--api-package', `${base}.api`, '--model-package', `${base}.model`],
  ...['--additional-properties', 'openApiNullable=false'],
]

export const javaGenerator: Generator = {
  name: 'openapi-generator (Java)',
  async run(input) {
    await installStep('javac', ['-version'])
    const folder = join(input.folder, 'java')
    const generated = await generateClient(input, folder, options)
    await installStep('mvn', ['-q', '-B', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], { cwd: folder })
    const libraries = await readFile(join(folder, 'classpath'), 'utf8')
    const files = (await readdir(join(folder, 'src/main'), { recursive: true })).filter((file) =>
      file.endsWith('.java'),
    )
    await mkdir(join(folder, 'calls'), { recursive: true })
    await writeFile(join(folder, 'calls/Calls.java'), javaProgram)
    await writeFile(
      join(folder, 'sources'),
      [...files.map((file) => `src/main/${file}`), 'calls/Calls.java'].join('\n'),
    )
    const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', 'out', '-cp', libraries, '@sources'], {
      cwd: folder,
    })
    const result = {
      name: this.name,
      version: openApiGeneratorVersion,
      generated: `${files.length} files`,
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.errors) }
    return { ...result, ...(await callPlatform(input, folder, 'java', ['-cp', `out:${libraries}`, 'Calls'])) }
  },
}
