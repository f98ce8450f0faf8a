import type { Readable } from 'node:stream'
import type { CommandContext, StricliProcess } from '@stricli/core'
import { escapeControls } from './output/escape-controls.ts'

/** A standard stream to which a command writes. */
export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  /** Width of the terminal. */
  readonly columns?: number | undefined
  getColorDepth?(env?: object): number
}

/** The parts of its process that a command uses. */
export interface Context extends CommandContext {
  /** Standard output is for data; messages and progress go to standard error. */
  readonly process: StricliProcess & { readonly stdout: OutputStream; readonly stderr: OutputStream }
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly env: Readonly<Partial<Record<string, string>>>
  now(): number
  /**
   * Returns a signal that SIGINT and SIGTERM abort, with a `CancelledError`. From the first call on they no longer end
   * the process; a second one does.
   */
  takeInterrupts(): AbortSignal
}

/** Writes a message to standard error. It may contain texts of others. */
export const report = ({ process: { stderr } }: Pick<Context, 'process'>, message: string): void => {
  stderr.write(`${message.split('\n').map(escapeControls).join('\n')}\n`)
}
