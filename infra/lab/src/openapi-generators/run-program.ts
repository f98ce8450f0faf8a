import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GeneratorInput, ToolUnavailable } from './generator.ts'

export interface ProgramResult {
  exitCode: number | null
  output: string
  errors: string
}

interface ProgramOptions {
  cwd?: string
  env?: Readonly<Record<string, string>>
  /** Longest time; default: that of installing a tool over a slow network. */
  timeoutMs?: number
  /** Ends the program after that time. */
  killSignal?: 'SIGTERM' | 'SIGINT'
}

/** Runs a program to its end. An exit code of null means that it could not be started or took too long. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000, killSignal = 'SIGTERM' }: ProgramOptions = {},
) {
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal,
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  return new Promise<ProgramResult>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, output, errors: error.message }))
    child.once('close', (exitCode) => resolve({ exitCode, output, errors }))
  })
}

/** Runs a step of an installation. @throws ToolUnavailable with the end of its messages */
export async function installStep(command: string, args: readonly string[], options?: ProgramOptions): Promise<string> {
  const { exitCode, output, errors } = await runProgram(command, args, options)
  if (exitCode === 0) return output
  const reason = lastLines(`${output}\n${errors}`) || `exit code ${exitCode}`
  throw new ToolUnavailable(`${command} ${args.slice(0, 3).join(' ')}: ${reason}`)
}

/** Returns the end of messages in one line. */
export const lastLines = (text: string): string => text.trim().split('\n').slice(-3).join(' | ').slice(0, 400)

/**
 * Runs a program that calls the platform with generated code. It reads its credentials from `credentials.json` in its
 * folder and prints a line for each call that succeeded.
 */
export async function callPlatform(
  { credentials }: GeneratorInput,
  folder: string,
  command: string,
  args: readonly string[],
): Promise<{ calls: string[]; failure?: string }> {
  await writeFile(join(folder, 'credentials.json'), JSON.stringify(await credentials()))
  const { exitCode, output, errors } = await runProgram(command, args, { cwd: folder })
  const calls = output.split('\n').filter((line) => line !== '')
  return exitCode === 0 ? { calls } : { calls, failure: `after ${calls.length} calls: ${lastLines(errors)}` }
}

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
