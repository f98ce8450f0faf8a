import type { Job } from '@wp/client'
import { type Context, report } from '../context.ts'
import { CancelledError } from '../errors.ts'
import { escapeControls } from './escape-controls.ts'

/**
 * Waits until a job has ended, and shows its progress on a terminal. Returns the finished job. Ctrl-C ends the waiting
 * and says how to stop the job.
 * @param cancelId the endpoint that cancels the job, such as `data.cancelSync`
 * @throws JobFailedError if it failed or was cancelled
 */
export async function waitForJob<J extends Job>(
  context: Context,
  cancelId: string,
  id: string,
  read: () => Promise<J>,
): Promise<J> {
  const { waitFor } = await import('@wp/client/browser')
  const line = createProgressLine(context)
  try {
    return await waitFor(read, {
      signal: context.takeInterrupts(),
      onProgress: ({ status, progress }) => line.show(`${id} ${status} ${Math.floor(progress * 100)} %`),
    })
  } catch (error) {
    if (error instanceof CancelledError) report(context, await describeCancellation(cancelId, id))
    throw error
  } finally {
    line.clear()
  }
}

async function describeCancellation(cancelId: string, id: string): Promise<string> {
  const { default: table } = await import('../endpoint-table.json', { with: { type: 'json' } })
  const path = table.find((entry) => entry.id === cancelId)?.path.replace(/\{\w+\}/, id)
  return `The platform goes on with ${id}. To stop it, run: wp api POST ${path}`
}

/** A line of a terminal that is replaced as work proceeds. Without a terminal nothing is shown. */
interface ProgressLine {
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
