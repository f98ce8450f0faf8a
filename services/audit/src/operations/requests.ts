import { endpoints } from '@wp/contracts'
import { inWorkerTransaction, rethrowAsUnavailable } from '@wp/database'
import type { Operation } from '../context.ts'
import { addRequestCounts, findRequestDays, findRequests, insertRequests } from '../store/requests.ts'

export const listRequests: Operation<'listRequests'> = (
  { database },
  caller,
  { query: { limit, cursor, ...filter } },
) => database.read(caller, (_db, query) => findRequests(query, caller.workspaceId, filter, { limit, cursor }))

export const listRequestUsage: Operation<'listRequestUsage'> = (
  { database },
  caller,
  { query: { limit, cursor, ...filter } },
) => database.read(caller, (_db, query) => findRequestDays(query, caller.workspaceId, filter, { limit, cursor }))

const definitions = new Map(endpoints.map(({ definition }) => [definition.id as string, definition]))

/** Stores what the edge reports. A request of an endpoint that this release does not know is dropped. */
export const recordRequests: Operation<'recordRequests'> = async ({ database }, _caller, { body }) => {
  const requests = body.requests.flatMap((request) => {
    const definition = definitions.get(request.endpoint)
    return definition === undefined ? [] : [{ ...request, method: definition.method, path: definition.path }]
  })
  await inWorkerTransaction(database.background.worker, async (_client, query) => {
    await insertRequests(query, requests)
    await addRequestCounts(query, body.counts)
  }).catch(rethrowAsUnavailable)
  return { stored: requests.length }
}
