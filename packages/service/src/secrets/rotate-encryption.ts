import type { Metrics } from '@wp/runtime'
import type { Logger } from '../telemetry/logger.ts'
import type { Sealer } from './sealer.ts'

/** A sealed value with the data it was authenticated with. */
export interface SealedValue {
  sealed: string
  associatedData: string
}

/** A table with sealed values. A row may have several. */
export interface SealedStore<Row> {
  /** Name in log and metrics, for example `variables`. */
  name: string
  /** Returns the next rows, after `after`, with a value that has the prefix. */
  findSealedWith(prefix: string, after: Row | undefined, limit: number): Promise<Row[]>
  /** Returns the sealed values of a row, in the order in which `updateSealed` takes them. */
  sealedValues(row: Row): SealedValue[]
  /** Replaces the values of a row, unless they have changed since the row was read. */
  updateSealed(row: Row, sealed: readonly string[]): Promise<void>
  /** Returns the number of rows with a value that has the prefix. */
  countSealedWith(prefix: string): Promise<number>
}

interface Options {
  sealer: Sealer
  // biome-ignore lint/suspicious/noExplicitAny: each store knows the rows it returns and takes back
  stores: readonly SealedStore<any>[]
  log: Logger
  metrics: Metrics
  /** Rows per query; default 100. */
  batchSize?: number
}

/**
 * Creates the pass of a loop that re-encrypts values sealed under `KEK_PREVIOUS`. It repeats, because replicas that do
 * not have the new key yet keep sealing under the old one. Once the gauge `sealed_under_previous_key` is 0,
 * KEK_PREVIOUS can be removed. Replicas may run it at the same time.
 */
export function createRotateEncryptionPass({ sealer, stores, log, metrics, batchSize = 100 }: Options) {
  return async (signal: AbortSignal): Promise<'idle'> => {
    const prefix = sealer.previousKeyPrefix
    if (prefix === undefined) return 'idle'
    for (const store of stores) {
      const rotated = await rotateStore(store, prefix, signal)
      if (rotated > 0)
        log.info(
          { event: 'encryption.rotated', store: store.name, rows: rotated },
          're-encrypted under the current key',
        )
      metrics.gauge('sealed_under_previous_key', await store.countSealedWith(prefix), { what: store.name })
    }
    return 'idle'
  }

  async function rotateStore<Row>(store: SealedStore<Row>, prefix: string, signal: AbortSignal): Promise<number> {
    let rotated = 0
    let after: Row | undefined
    while (!signal.aborted) {
      const rows = await store.findSealedWith(prefix, after, batchSize)
      for (const row of rows) {
        const values = reseal(store, row)
        if (values === undefined) continue
        await store.updateSealed(row, values)
        rotated += 1
      }
      after = rows.at(-1)
      if (rows.length < batchSize) break
    }
    return rotated
  }

  /** Returns undefined if a value cannot be decrypted; the row is then left unchanged. */
  function reseal<Row>(store: SealedStore<Row>, row: Row): string[] | undefined {
    try {
      return store
        .sealedValues(row)
        .map(({ sealed, associatedData }) =>
          sealer.isStale(sealed) ? sealer.seal(sealer.open(sealed, associatedData), associatedData) : sealed,
        )
    } catch (err) {
      log.error(
        { event: 'encryption.rotation_failed', err, store: store.name },
        'sealed value cannot be decrypted; left unchanged',
      )
      return undefined
    }
  }
}
