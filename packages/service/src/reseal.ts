import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Sealer } from './seal.ts'

/** A sealed value, and what it belongs to. */
export interface SealedValue {
  sealed: string
  belongsTo: string
}

/** Where sealed values are kept. A row may hold several. */
export interface SealedRows<Row> {
  /** For log and metrics, for example `variables`. */
  what: string
  /** Rows holding a value that begins with the mark, by their order after the last one seen. */
  next(mark: string, after: Row | undefined, limit: number): Promise<Row[]>
  /** The values of a row, in whatever order `replace` takes them. */
  values(row: Row): SealedValue[]
  /** Writes a row's values, if they are still as they were read. */
  replace(row: Row, sealed: readonly string[]): Promise<void>
  /** How many rows hold a value that begins with the mark. */
  count(mark: string): Promise<number>
}

interface Options {
  sealer: Sealer
  // biome-ignore lint/suspicious/noExplicitAny: each store knows the rows it hands out and takes back
  stores: readonly SealedRows<any>[]
  log: Logger
  metrics: Metrics
  /** Rows read at once; default 100. */
  batch?: number
}

/**
 * One pass of sealing anew whatever is still sealed under `KEK_PREVIOUS`, for a loop to repeat: replicas that have not
 * heard of the new key go on sealing under the old one for a while. When the gauge `sealed_under_previous_key` says
 * nothing is left, `KEK_PREVIOUS` can be dropped. Nobody waits for it, and any number of replicas may do it at once.
 */
export function createResealPass({ sealer, stores, log, metrics, batch = 100 }: Options) {
  return async (signal: AbortSignal): Promise<'idle'> => {
    const mark = sealer.previousMark
    if (mark === undefined) return 'idle'
    for (const store of stores) {
      const resealed = await resealAll(store, mark, signal)
      if (resealed > 0) log.info({ what: store.what, resealed }, 'sealed anew under the current key')
      metrics.gauge('sealed_under_previous_key', await store.count(mark), { what: store.what })
    }
    return 'idle'
  }

  async function resealAll<Row>(store: SealedRows<Row>, mark: string, signal: AbortSignal): Promise<number> {
    let resealed = 0
    let after: Row | undefined
    while (!signal.aborted) {
      const rows = await store.next(mark, after, batch)
      for (const row of rows) {
        const values = sealAnew(store, row)
        if (values === undefined) continue
        await store.replace(row, values)
        resealed += 1
      }
      after = rows.at(-1)
      if (rows.length < batch) break
    }
    return resealed
  }

  function sealAnew<Row>(store: SealedRows<Row>, row: Row): string[] | undefined {
    try {
      return store
        .values(row)
        .map(({ sealed, belongsTo }) =>
          sealer.isStale(sealed) ? sealer.seal(sealer.open(sealed, belongsTo), belongsTo) : sealed,
        )
    } catch (err) {
      log.error({ err, what: store.what }, 'a sealed value does not open; it stays as it is')
      return undefined
    }
  }
}
