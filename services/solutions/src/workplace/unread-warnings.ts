import type { Query } from '@wp/database'
import { findExclusiveJob } from '@wp/jobs'
import {
  findPlaceDatasets,
  findUnmapped,
  findUnreadDatasets,
  findValuesOf,
  refreshQueue,
  storeUnmapped,
} from '../store/datasets.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { createMatcher, isElsewhere } from './match-values.ts'
import { buildTree, listNames, pathOf } from './tree.ts'

/**
 * Returns the warnings that figures may be too low: of datasets not all of whose rows were read since the first, or
 * with rows of places that are not known.
 */
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
    ...(await placeWarnings(query, workspaceId)),
  ]
}

/** The datasets with which a result was made. */
export type RestsOn = { id: string; name: string }[]

/**
 * Returns the datasets of a workspace on which its figures rest, by default those of all spaces.
 * @param spaceId leaves out datasets that name places, but none in this space
 * @param also datasets on which they rest too if they still exist
 */
export async function readRestsOn(
  query: Query,
  workspaceId: string,
  spaceId?: string,
  also: RestsOn = [],
): Promise<RestsOn> {
  const datasets = (await findPlaceDatasets(query, workspaceId)).filter(({ kind }) => kind !== 'spaces')
  const view = ({ id, name }: RestsOn[number]) => ({ id, name })
  if (spaceId === undefined) return datasets.map(view)
  const values = Map.groupBy(await findValuesOf(query, workspaceId, 'space'), ({ datasetId }) => datasetId)
  const tree = buildTree(await findSpaceNodes(query, workspaceId))
  const isOfSpace = (dataset: (typeof datasets)[number]) => {
    const match = createMatcher(tree.nodes, dataset.spaceMap)
    const isInside = ({ value }: { value: string }) =>
      pathOf(tree, match(value).id ?? '').some(({ id }) => id === spaceId)
    return dataset.kind === 'people' || (values.get(dataset.id)?.some(isInside) ?? true)
  }
  return datasets.filter((dataset) => also.some(({ id }) => id === dataset.id) || isOfSpace(dataset)).map(view)
}

/**
 * Returns the warning that datasets of a result were deleted since it was made, whose figures it still states.
 */
export async function deletedWarnings(query: Query, workspaceId: string, datasets: RestsOn = []): Promise<string[]> {
  const deleted = await deletedDatasets(query, workspaceId, datasets)
  return deleted === null
    ? []
    : [`Stale: ${deleted} deleted after this was made. Its figures rest on data that is gone.`]
}

/** Returns in words that datasets of a result were deleted, such as `the dataset "Badges" was`; null if none was. */
export const deletedDatasets = async (query: Query, workspaceId: string, datasets: RestsOn) =>
  datasets.length === 0 ? null : (await readDeleted(query, workspaceId))(datasets)

/** Returns a function that does the same as `deletedDatasets` for many results. */
export async function readDeleted(query: Query, workspaceId: string) {
  const known = new Set((await readRestsOn(query, workspaceId)).map(({ id }) => id))
  return (datasets: RestsOn = []): string | null => {
    const deleted = datasets.filter(({ id }) => !known.has(id)).map(({ name }) => `"${name}"`)
    if (deleted.length === 0) return null
    return deleted.length === 1 ? `the dataset ${deleted[0]} was` : `the datasets ${listNames(deleted)} were`
  }
}

async function placeWarnings(query: Query, workspaceId: string): Promise<string[]> {
  return (await findUnmapped(query, workspaceId)).map(({ name, unmappedRows: rows, unmappedValue: value }) => {
    const place = `of the dataset "${name}" name a place that is not known`
    const until = 'they are in no figure before it is mapped'
    // A row of a list of days is a person on a day.
    if (rows < leastRows) return `Some rows ${place}: ${until}.`
    return `${rows.toLocaleString('en')} rows ${place}, such as "${value?.slice(0, maxExample)}": ${until}.`
  })
}

/** Counts the rows of each dataset whose places are not known, which each answer about figures tells. */
export async function countUnmapped(query: Query, workspaceId: string): Promise<void> {
  const values = Map.groupBy(await findValuesOf(query, workspaceId, 'space'), ({ datasetId }) => datasetId)
  const spaces = await findSpaceNodes(query, workspaceId)
  const unmapped = (await findPlaceDatasets(query, workspaceId)).map((dataset) => {
    const match = createMatcher(spaces, dataset.spaceMap)
    const unknown = (values.get(dataset.id) ?? []).filter(
      // A name in a list of spaces is in no figure anyway.
      ({ value }) => dataset.kind !== 'spaces' && match(value).matchedBy === 'none' && !isElsewhere(dataset, value),
    )
    const unmappedRows = unknown.reduce((sum, { rows }) => sum + rows, 0)
    return { id: dataset.id, unmappedRows, unmappedValue: unknown[0]?.value ?? null }
  })
  await storeUnmapped(query, workspaceId, unmapped)
}

export const leastRows = 5
const maxExample = 60
