import { spawn } from 'node:child_process'
import { ToolUnavailable } from './generator.ts'

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
