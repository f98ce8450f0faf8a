import { type ToolCall, ToolFailure } from '../tool.ts'

/**
 * Restricts a request to the data sources of the run. @returns undefined for all that the caller may read @throws
 * ToolFailure
 */
export function restrictSources(
  { dataSourceIds }: Pick<ToolCall, 'dataSourceIds'>,
  requested: readonly string[] | undefined,
): string[] | undefined {
  for (const id of requested ?? []) requireSource({ dataSourceIds }, id)
  if (requested !== undefined && requested.length > 0) return [...requested]
  return dataSourceIds.length === 0 ? undefined : [...dataSourceIds]
}

/** @throws ToolFailure unless the run may read the data source */
export function requireSource({ dataSourceIds }: Pick<ToolCall, 'dataSourceIds'>, id: string): void {
  if (isAllowed({ dataSourceIds }, id)) return
  throw new ToolFailure(`${id} is not among the data sources of this run; use list_sources to see them`)
}

/** Returns true if the run may read the data source. */
export const isAllowed = ({ dataSourceIds }: Pick<ToolCall, 'dataSourceIds'>, id: string): boolean =>
  dataSourceIds.length === 0 || dataSourceIds.includes(id)
