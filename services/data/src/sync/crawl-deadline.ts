import type { JobFailure } from '@wp/jobs'
import { crawlFailure } from '../providers/crawl-failure.ts'
import type { StartTimer } from '../providers/source-reader.ts'
import type { CrawlState } from './sync-job.ts'

/** Time limit of one attempt at a crawl. */
export interface CrawlDeadline {
  /** Aborted with the failure at the end of the time, or with the reason of the parent signal. */
  signal: AbortSignal
  /** Stops the timer. */
  release(): void
}

/** @param createFailure called at the end of the time */
export function startCrawlDeadline(
  startTimer: StartTimer,
  limitMs: number,
  parent: AbortSignal,
  createFailure: () => JobFailure,
): CrawlDeadline {
  const controller = new AbortController()
  const release = startTimer(limitMs, () => controller.abort(createFailure()))
  return { signal: AbortSignal.any([parent, controller.signal]), release }
}

/**
 * Returns the failure of a crawl that took too long. It is retried if it stored whole parts or a position to continue
 * from; otherwise the next attempt would only start over.
 */
export function deadlineFailure(limitMs: number, address: string, before: CrawlState, after: CrawlState): JobFailure {
  const canContinue = after.kept.seen > before.kept.seen
  const measured = `Reading ${address} took longer than ${limitMs / 60_000} minutes; ${after.counts.seen} rows were stored`
  return canContinue
    ? crawlFailure('transient', `${measured}. The next attempt continues after them`)
    : crawlFailure(
        'config',
        `${measured}. It cannot continue there: let it read less, or by \`cursor_field\` or paging`,
      )
}
