import { setTimeout as pause } from 'node:timers/promises'
import type { TestFleet } from '@wp/testkit'
import { queryDatabase } from '../query-database.ts'

/** Progress of an event destination. Times in milliseconds of `performance.now()`. */
interface Progress {
  start: number
  position: number
  head: number
  skipped: number
  /** Time at which the position or the head was last seen to change. */
  changedAt: number
  /** Time since which nothing was written although there were records, or of the last check without any. */
  waitingSince: number
  /** Longest time without progress, although there were records to write. */
  longestPauseMs: number
}

type Positions = Pick<Progress, 'position' | 'head' | 'skipped'> & { destinationId: string }

const intervalMs = 250
/** Time without a record after which a run ends, also if some are missing: longer than every lease and pause. */
const patienceMs = 120_000
/** Time after which no further record of an audit log can be on its way, which is polled every 3 seconds. */
const quietMs = 8_000

/** Watches the positions of event destinations in the database, also while it is killed and restarted. */
export function watchProgress(fleet: TestFleet, destinationIds: readonly string[]) {
  const url = fleet.env('webhook-delivery').DATABASE_WORKER_URL
  const found = new Map<string, Progress>()
  let isWatching = true

  async function read(): Promise<void> {
    // The database may be away.
    const rows = (await queryDatabase(url, statement(destinationIds)).catch(() => [])) as Positions[] // its columns
    for (const row of rows) found.set(row.destinationId, advance(found.get(row.destinationId), row, performance.now()))
  }

  async function watch(): Promise<void> {
    while (isWatching) {
      await read()
      await pause(intervalMs)
    }
  }
  const watching = watch()

  return {
    /**
     * Waits until every destination has written at least so many records and none is left, or nothing changes anymore.
     * @returns the progress of each
     */
    async untilSettled(count: number): Promise<ReadonlyMap<string, Progress>> {
      for (;;) {
        const all = [...found.values()]
        const idleMs = performance.now() - Math.max(0, ...all.map(({ changedAt }) => changedAt))
        const isDone =
          all.length > 0 && all.every(({ start, position, head }) => position === head && head - start >= count)
        if (idleMs > (isDone ? quietMs : patienceMs)) break
        await pause(intervalMs)
      }
      isWatching = false
      await watching
      return found
    },
  }
}

/** Returns the progress after the positions were read. */
function advance(before: Progress | undefined, row: Positions, nowMs: number): Progress {
  const { position, head, skipped } = row
  const found = { position, head, skipped }
  if (before === undefined)
    return { start: position, ...found, changedAt: nowMs, waitingSince: nowMs, longestPauseMs: 0 }
  const { start, waitingSince } = before
  const hasAdvanced = position > before.position
  return {
    start,
    ...found,
    changedAt: hasAdvanced || head > before.head ? nowMs : before.changedAt,
    waitingSince: hasAdvanced || position === head ? nowMs : waitingSince,
    longestPauseMs:
      before.position < before.head ? Math.max(before.longestPauseMs, nowMs - waitingSince) : before.longestPauseMs,
  }
}

const statement = (destinationIds: readonly string[]) => `
  SELECT destination_id AS "destinationId", position::float8 AS position, coalesce(h.seq, 0)::float8 AS head,
    skipped_count::float8 AS skipped
  FROM event_destinations LEFT JOIN destination_log_heads h USING (workspace_id, content)
  WHERE destination_id IN (${destinationIds.map((id) => `'${id}'`).join()})`
