import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratorInput } from './generator.ts'
import { installStep, runProgram } from './run-program.ts'

export const openApiGeneratorVersion = '7.25.0'

/** Fetches the generator from Maven Central and generates a client. @throws ToolUnavailable */
export async function generateClient({ cache, document }: GeneratorInput, folder: string, args: readonly string[]) {
  const artifact = `org.openapitools:openapi-generator-cli:${openApiGeneratorVersion}`
  await mkdir(cache, { recursive: true })
  await installStep('java', ['-version'])
  await installStep('mvn', [
    ...['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy', `-Dartifact=${artifact}`],
    ...[`-DoutputDirectory=${cache}`, '-Dmdep.overWriteReleases=false'],
  ])
  const jar = join(cache, `openapi-generator-cli-${openApiGeneratorVersion}.jar`)
  return runProgram('java', ['-jar', jar, 'generate', '-i', document, '-o', folder, ...args])
}
