import type { Context } from '../context.ts'
import { listKeys, readKeyHashes } from '../store/crawled.ts'
import type { LockedSource } from '../store/sources.ts'
import { type KnownKeys, knownKeys } from './known-keys.ts'

type Whose = Pick<LockedSource, 'workspaceId' | 'dataSourceId'>
type Database = Context['database']

/** The keys a source has, before it is read. */
export const keysBefore = (database: Database, source: Whose, signal: AbortSignal): Promise<KnownKeys> =>
  knownKeys(
    (async function* () {
      for (let after = ''; ; ) {
        signal.throwIfAborted()
        const page = await database.read(source, (_db, query) => readKeyHashes(query, source, after))
        if (page === undefined) return
        yield page.hashes
        after = page.last
      }
    })(),
  )

/**
 * Records that were there before the source was read and are not any more, some at a time.
 * @param part of which part; undefined: of those that are of none
 */
export async function* goneFrom(
  database: Database,
  source: Whose,
  known: KnownKeys,
  part: number | undefined,
): AsyncGenerator<string[]> {
  for (let after = ''; known.unseen() > 0; ) {
    const records = await database.read(source, (_db, query) => listKeys(query, source, part, after))
    const last = records.at(-1)
    if (last === undefined) return
    const gone = records.filter(({ key }) => known.isGone(key))
    if (gone.length > 0) yield gone.map(({ recordId }) => recordId)
    after = last.key
  }
}
