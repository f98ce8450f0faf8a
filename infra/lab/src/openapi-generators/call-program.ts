import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratorInput } from './generator.ts'
import { lastLines, runProgram } from './run-program.ts'

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
