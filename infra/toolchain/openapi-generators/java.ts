import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { generateClient, openApiGeneratorVersion } from './openapi-generator.ts'
import { installStep, lastLines, runProgram } from './run-program.ts'

/**
 * Bodies that are a list or something else. The templates name the class of a list `List<String>` in an expression, which
 * is no Java, so these schemas are left out: their fields are plain objects.
 */
const untyped = [
  ...['CreateAgentRun_input', 'createForecastRun_capacity', 'CreateForecastRun_capacity'],
  ...['CreateWebhookReplay_status', 'DataUploadRecords_request', 'data_uploadRecords_request'],
  ...['SearchFilter', 'SearchFilterInput'],
]

export const javaGenerator: Generator = {
  name: 'openapi-generator (Java)',
  async run(input) {
    await installStep('javac', ['-version'])
    const folder = join(input.folder, 'java')
    const generated = await generateClient(input, folder, [
      ...['-g', 'java', '--library', 'native', '--invoker-package', 'com.example.platform'],
      ...['--schema-mappings', untyped.map((name) => `${name}=Object`).join(',')],
      ...['--additional-properties', 'openApiNullable=false,hideGenerationTimestamp=true'],
    ])
    await installStep('mvn', ['-q', '-B', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], { cwd: folder })
    const sources = (await readdir(join(folder, 'src/main'), { recursive: true })).filter((file) =>
      file.endsWith('.java'),
    )
    const compiled = await runProgram(
      'bash',
      ['-c', 'javac -nowarn -proc:none -d out -cp "$(cat classpath)" $(find src/main -name "*.java")'],
      {
        cwd: folder,
      },
    )
    return {
      name: this.name,
      version: openApiGeneratorVersion,
      generated: `${sources.length} files`,
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
      calls: [],
      ...(compiled.exitCode === 0 ? {} : { failure: lastLines(generated.errors + compiled.errors) }),
    }
  },
}
