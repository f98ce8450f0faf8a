import type { Database } from '@wp/database'
import { type ExportKey, readPart } from '../store/exports.ts'

/** Yields the stored parts of an export in order. The connection is released between two parts. */
export async function* readContent(database: Pick<Database, 'read'>, key: ExportKey): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const part = await database.read({ workspaceId: key.workspaceId }, (_db, query) => readPart(query, key, position))
    if (part === undefined) return
    yield part
  }
}
