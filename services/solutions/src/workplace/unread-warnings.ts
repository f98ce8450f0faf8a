import type { Query } from '@wp/database'
import { findExclusiveJob } from '@wp/jobs'
import { findUnreadDatasets, refreshQueue } from '../store/datasets.ts'

/** Returns the warnings that figures may be too low: of datasets not all of whose rows were read since the first. */
export async function unreadWarnings(query: Query, workspaceId: string): Promise<string[]> {
  const [unread, failed]: [string[], string[]] = [[], []]
  for (const { id, name } of await findUnreadDatasets(query, workspaceId)) {
    const job = await findExclusiveJob(query, { workspaceId, queue: refreshQueue, exclusive: id })
    if (job === undefined) failed.push(name)
    else unread.push(name)
  }
  const of = (names: readonly string[]) =>
    names.length === 1 ? `the dataset "${names[0]}"` : `${names.length} datasets`
  const tooLow = 'figures are of the rows read so far, and may be too low'
  return [
    ...(unread.length === 0 ? [] : [`Not all rows of ${of(unread)} have been read yet: until then, ${tooLow}.`]),
    ...(failed.length === 0 ? [] : [`Reading ${of(failed)} failed: ${tooLow}. The last refresh tells why.`]),
  ]
}
