import { problem } from '@wp/contracts'
import type { SearchSource } from '../../../store/search/list-search-sources.ts'
import type { SearchInput } from './search-input.ts'

/** @throws Problem `unknown_reference` if the request names a source that is not among those of the workspace */
export function assertSourcesExist(
  known: readonly SearchSource[],
  { dataSourceIds = [], pointers }: Pick<SearchInput, 'dataSourceIds' | 'pointers'>,
): void {
  const ids = new Set(known.map(({ dataSourceId }) => dataSourceId))
  const detail = 'is not a data source of this workspace'
  const errors = dataSourceIds.flatMap((id, nth) =>
    ids.has(id) ? [] : [{ pointer: pointers.dataSourceId(nth), detail }],
  )
  if (errors.length > 0) throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
