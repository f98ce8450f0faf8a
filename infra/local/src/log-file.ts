import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface LogFileOptions {
  /** All lines to the terminal, not warnings and errors alone. */
  verbose: boolean
  /** Takes a line for the terminal. */
  printLine(line: string): void
}

/** Where every member of the fleet logs: one file, and of it the terminal what somebody must see. */
export interface LogFile {
  write(line: string): void
  close(): void
}

const rotateBytes = 20 * 1024 ** 2
const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** Opens the file for more lines; what has grown large becomes `<file>.1` first. */
export function openLogFile(file: string, { verbose, printLine }: LogFileOptions): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateBytes) renameSync(file, `${file}.1`)
  let descriptor: number | undefined = openSync(file, 'a', 0o600)
  return {
    write(line) {
      // A member that is late with its last words must not bring the process down.
      if (descriptor !== undefined) writeSync(descriptor, line)
      const shown = formatLogLine(line, verbose ? 0 : 40)
      if (shown !== undefined) printLine(shown)
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}

/** A JSON log line as a person reads it, or nothing when it is below the level. */
export function formatLogLine(line: string, minimumLevel: number): string | undefined {
  const entry: { level?: number; time?: string; service?: string; msg?: string; err?: { message?: string } } =
    JSON.parse(line)
  const { level = 0, time = '', service = '', msg = '', err } = entry
  if (level < minimumLevel) return undefined
  const cause = err?.message !== undefined && !msg.includes(err.message) ? `: ${err.message}` : ''
  return `${time.slice(11, 23)} ${levels[level] ?? level} ${service}: ${msg}${cause}`
}
