import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { RolloutStep } from './rollout.ts'

/**
 * Runs a step with its output on this terminal. Returns the exit code of kubectl, or 1 if the step failed otherwise.
 */
export async function runStep({ args, manifests, failsWhen }: RolloutStep): Promise<number> {
  const input = manifests === undefined ? '' : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests })
  const main = start(args, input, 'inherit')
  if (failsWhen === undefined) return await exitCode(main)
  const watch = start(failsWhen, '', 'ignore')
  try {
    return await Promise.race([
      exitCode(main),
      // Without success it decides nothing, for example because its time is over.
      exitCode(watch).then((code) => (code === 0 ? 1 : exitCode(main))),
    ])
  } finally {
    for (const child of [main, watch]) child.kill()
  }
}

/** Returns what kubectl prints. @throws Error if it exits with another code than 0 */
export async function readKubectl(args: readonly string[]): Promise<string> {
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${code}`)
  return output
}

function start(args: readonly string[], input: string, output: 'inherit' | 'ignore'): ChildProcess {
  const child = spawn('kubectl', args, { stdio: ['pipe', output, output] })
  // If kubectl does not read its input, its exit code tells why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  return child
}

/** Returns the exit code, also of a process that has ended. */
async function exitCode(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? 1
}
