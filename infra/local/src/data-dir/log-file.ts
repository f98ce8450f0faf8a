import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface LogFileOptions {
  /** Print all lines to the terminal, not only warnings and errors. */
  verbose: boolean
  /** Prints a line to the terminal. */
  printLine(line: string): void
}

/** The log file of all processes of the fleet. Warnings and errors are also printed to the terminal. */
export interface LogFile {
  write(line: string): void
  close(): void
}

const rotateBytes = 20 * 1024 ** 2
const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** Opens the file for appending. A file larger than 20 MiB is renamed to `<file>.1` first. */
export function openLogFile(file: string, { verbose, printLine }: LogFileOptions): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateBytes) renameSync(file, `${file}.1`)
  let descriptor: number | undefined = openSync(file, 'a', 0o600)
  return {
    write(line) {
      // A process may still log after the file was closed.
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

/** Formats a JSON log line for the terminal. Returns undefined if it is below the level. */
export function formatLogLine(line: string, minimumLevel: number): string | undefined {
  const entry: { level?: number; time?: string; service?: string; msg?: string; err?: { message?: string } } =
    JSON.parse(line)
  const { level = 0, time = '', service = '', msg = '', err } = entry
  if (level < minimumLevel) return undefined
  const cause = err?.message !== undefined && !msg.includes(err.message) ? `: ${err.message}` : ''
  return `${time.slice(11, 23)} ${levels[level] ?? level} ${service}: ${msg}${cause}`
}
