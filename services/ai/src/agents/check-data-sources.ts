import { data, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { requireScope, toReferenceProblem } from '@wp/service'
import type { Context } from '../context.ts'

/** Requests to the data service at once. */
const maxConcurrent = 8

/**
 * Asserts that data sources exist and that the caller may read them.
 * @param sourceIds the `data_source_ids` of the request
 * @param known those the agent has already, which are not checked again
 * @throws Problem `missing_scope` without `data:read`; 400 `unknown_reference` with a pointer; `service_unavailable`
 */
export async function checkDataSources(
  { internal }: Pick<Context, 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  sourceIds: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  const added = sourceIds.map((id, position) => ({ id, position })).filter(({ id }) => !known.includes(id))
  if (added.length === 0) return
  requireScope(caller, 'data:read', 'Giving an agent data sources')
  const check = ({ id, position }: { id: string; position: number }) =>
    internal.call(data.getSource, caller, { params: { data_source_id: id } }).catch((error: unknown) => {
      throw toReferenceProblem(error, {
        pointer: `/data_source_ids/${position}`,
        message: 'is not a data source of this workspace',
        service: 'data',
      })
    })
  for (let start = 0; start < added.length; start += maxConcurrent) {
    const results = await Promise.allSettled(added.slice(start, start + maxConcurrent).map(check))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}
