import { problem } from '@wp/contracts'
import { findUnknownSources } from '../../../store/search/list-indexes.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { SearchInput } from './search-input.ts'

/** @throws Problem `unknown_reference` if the request names a source that the workspace does not have */
export async function assertSourcesExist(
  { query, workspaceId }: SearchSession,
  { dataSourceIds, pointers }: Pick<SearchInput, 'dataSourceIds' | 'pointers'>,
): Promise<void> {
  if (dataSourceIds === undefined) return
  const unknown = await findUnknownSources(query, workspaceId, dataSourceIds)
  if (unknown.length === 0) return
  const detail = 'is not a data source of this workspace'
  const errors = unknown.map((id) => ({ pointer: pointers.dataSourceId(dataSourceIds.indexOf(id)), detail }))
  throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
