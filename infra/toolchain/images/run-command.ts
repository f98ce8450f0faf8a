import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The lines of the output that an error contains. */
const tailLines = 25

/**
 * Runs a program and returns its standard output.
 * @param environment additional variables
 * @throws Error with the end of the output if it cannot be started or exits with another code than 0
 */
export async function runCommand(
  [file = '', ...args]: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const child = spawn(file, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, output] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code, signal]: (number | string | null)[] = await once(child, 'close')
  if (code === 0) return stdout
  const tail = output.trim().split('\n').slice(-tailLines).join('\n  ')
  throw new Error(`${[file, ...args].join(' ')} ended with ${signal ?? `code ${code}`}:\n  ${tail}`)
}

/** Returns true if the program runs and exits with 0. */
export async function succeeds(command: readonly string[], environment?: Record<string, string>): Promise<boolean> {
  return runCommand(command, environment).then(
    () => true,
    () => false,
  )
}
