import type { Context } from '../context.ts'
import { escapeControls } from './escape-controls.ts'

/** A line of a terminal that is replaced as work proceeds. Without a terminal nothing is shown. */
export interface ProgressLine {
  show(text: string): void
  clear(): void
}

export function createProgressLine({ process: { stderr } }: Pick<Context, 'process'>): ProgressLine {
  if (stderr.isTTY !== true) return { show: () => undefined, clear: () => undefined }
  const toLineStart = '\r\x1b[K'
  return {
    show: (text) => stderr.write(toLineStart + escapeControls(text).slice(0, (stderr.columns ?? 80) - 1)),
    clear: () => stderr.write(toLineStart),
  }
}
