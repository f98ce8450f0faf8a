import type { Metrics } from '@wp/runtime'
import type { Logger } from '../telemetry/logger.ts'
import type { Sealer } from './sealer.ts'

/** A sealed value, and what it belongs to. */
export interface SealedValue {
  sealed: string
  associatedData: string
}

/** Where sealed values are kept. A row may hold several. */
export interface SealedStore<Row> {
  /** For log and metrics, for example `variables`. */
  name: string
  /** Rows holding a value that begins with the mark, by their order after the last one seen. */
  findSealedWith(mark: string, after: Row | undefined, limit: number): Promise<Row[]>
  /** The values of a row, in whatever order `replace` takes them. */
  sealedValues(row: Row): SealedValue[]
  /** Writes a row's values, if they are still as they were read. */
  updateSealed(row: Row, sealed: readonly string[]): Promise<void>
  /** How many rows hold a value that begins with the mark. */
  countSealedWith(mark: string): Promise<number>
}

interface Options {
  sealer: Sealer
  // biome-ignore lint/suspicious/noExplicitAny: each store knows the rows it hands out and takes back
  stores: readonly SealedStore<any>[]
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
export function createRotateEncryptionPass({ sealer, stores, log, metrics, batch = 100 }: Options) {
  return async (signal: AbortSignal): Promise<'idle'> => {
    const mark = sealer.previousKeyPrefix
    if (mark === undefined) return 'idle'
    for (const store of stores) {
      const resealed = await resealAll(store, mark, signal)
      if (resealed > 0) log.info({ what: store.name, resealed }, 'sealed anew under the current key')
      metrics.gauge('sealed_under_previous_key', await store.countSealedWith(mark), { what: store.name })
    }
    return 'idle'
  }

  async function resealAll<Row>(store: SealedStore<Row>, mark: string, signal: AbortSignal): Promise<number> {
    let resealed = 0
    let after: Row | undefined
    while (!signal.aborted) {
      const rows = await store.findSealedWith(mark, after, batch)
      for (const row of rows) {
        const values = sealAnew(store, row)
        if (values === undefined) continue
        await store.updateSealed(row, values)
        resealed += 1
      }
      after = rows.at(-1)
      if (rows.length < batch) break
    }
    return resealed
  }

  function sealAnew<Row>(store: SealedStore<Row>, row: Row): string[] | undefined {
    try {
      return store
        .sealedValues(row)
        .map(({ sealed, associatedData: belongsTo }) =>
          sealer.isStale(sealed) ? sealer.seal(sealer.open(sealed, belongsTo), belongsTo) : sealed,
        )
    } catch (err) {
      log.error({ err, what: store.name }, 'a sealed value does not open; it stays as it is')
      return undefined
    }
  }
}
