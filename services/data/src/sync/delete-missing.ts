import type { Context } from '../context.ts'
import { listRecordKeys, readKeyHashes } from '../store/sources/crawl-cursor.ts'
import type { LockedSource } from '../store/sources/sources.ts'
import { collectExistingKeys, type ExistingKeys } from './existing-keys.ts'

type SourceKey = Pick<LockedSource, 'workspaceId' | 'dataSourceId'>
type Database = Context['database']

/** The keys a source has, before it is read. */
export const readExistingKeys = (database: Database, source: SourceKey, signal: AbortSignal): Promise<ExistingKeys> =>
  collectExistingKeys(
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
export async function* listMissingRecords(
  database: Database,
  source: SourceKey,
  known: ExistingKeys,
  part: number | undefined,
): AsyncGenerator<string[]> {
  for (let after = ''; known.countUnseen() > 0; ) {
    const records = await database.read(source, (_db, query) => listRecordKeys(query, source, part, after))
    const last = records.at(-1)
    if (last === undefined) return
    const gone = records.filter(({ key }) => known.isMissing(key))
    if (gone.length > 0) yield gone.map(({ recordId }) => recordId)
    after = last.key
  }
}
