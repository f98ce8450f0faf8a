import { createLoop, type Log, type Metrics, type Worker } from '@wp/runtime'
import type { Pool } from 'pg'
import { deleteUnusedAssets, insertAssets, touchAssets } from '../store/assets.ts'
import type { WebBuild } from './web-build.ts'

interface Options {
  build: WebBuild | undefined
  /** Connections of the worker role. */
  pool: Pool
  log: Log
  metrics: Pick<Metrics, 'count'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Time for which the files of a build stay after its last replica has stopped: an open tab may load them late. */
const keptMs = 30 * 24 * 60 * 60_000
const pollMs = 6 * 60 * 60_000
/** Files of a transaction: each has up to some hundred kilobytes. */
const batchRows = 50

/**
 * Creates the worker that stores the files of this build, so that replicas of other builds can serve them, and deletes
 * those that no running build has had for 30 days.
 */
export function createAssetKeeper(options: Options): Worker {
  const { build, pool, log, metrics, now } = options
  const store = async () => {
    if (build !== undefined) await storeAssets(pool, build, new Date(now()))
  }
  const loop = createLoop({
    name: 'assets of builds',
    async pass() {
      await store()
      const removed = await deleteUnusedAssets(pool, new Date(now() - keptMs), batchRows)
      metrics.count('retention_removed_total', { table: 'assets' }, removed)
      return removed === batchRows ? 'more' : 'idle'
    },
    pollMs,
    log,
  })
  return {
    ...loop,
    async start() {
      // Before this replica sends its first page: another one may be asked for the files the page names.
      await store().catch((err: unknown) =>
        log.warn({ event: 'assets.store_failed', err }, 'failed to store the assets of this build; retrying'),
      )
      await loop.start()
    },
  }
}

/** Stores the files of a build that are missing, and records that a running build has them. */
async function storeAssets(pool: Pool, { assets }: WebBuild, now: Date): Promise<void> {
  const stored = await touchAssets(pool, [...assets.keys()], now)
  const missing = [...assets]
    .filter(([name]) => !stored.has(name))
    .map(([name, file]) => ({ name, ...file }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  for (let from = 0; from < missing.length; from += batchRows)
    await insertAssets(pool, missing.slice(from, from + batchRows), now)
}
