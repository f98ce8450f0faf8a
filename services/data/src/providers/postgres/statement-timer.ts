import type { CrawlRequest } from '../source-reader.ts'

/** Limits the time spent waiting for the server during a statement, in total: a server may send a byte now and then. */
export interface StatementTimer {
  /** Stops the time while nothing is expected from the server. */
  pause(): void
  resume(): void
  /** Returns the time spent waiting. */
  end(): number
}

/** Starts the time of a statement. */
export function startStatementTimer(
  { now, startTimer }: Pick<CrawlRequest<unknown>, 'now' | 'startTimer'>,
  limitMs: number,
  onElapsed: () => void,
): StatementTimer {
  let waitedMs = 0
  let resumedAt: number | undefined
  let cancel = () => {}
  const timer: StatementTimer = {
    pause() {
      if (resumedAt === undefined) return
      waitedMs += now() - resumedAt
      resumedAt = undefined
      cancel()
    },
    resume() {
      timer.pause()
      resumedAt = now()
      cancel = startTimer(Math.max(0, limitMs - waitedMs), onElapsed)
    },
    end() {
      timer.pause()
      return waitedMs
    },
  }
  timer.resume()
  return timer
}
