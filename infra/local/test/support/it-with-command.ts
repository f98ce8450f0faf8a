import { execFileSync } from 'node:child_process'
import { it } from '@jest/globals'

/** Returns `it`, or, with a printed reason, `it.skip` if a command is not installed. */
export function itWithCommand(command: string): typeof it {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return it
  } catch {
    process.stdout.write(`skipped: ${command} is not installed, its example is not run\n`)
    return it.skip as typeof it // the same call; only its members, which are not used, are missing
  }
}
