import type { EndpointEntry } from './endpoint-table.ts'
import type { SuccessResponse } from './send.ts'

/**
 * Converts a success response into the result of a method: the resource, a page, the id of a deleted resource, or, for
 * several success statuses, the status with the resource.
 */
export function readResult({ id, result }: EndpointEntry, { status, body }: SuccessResponse): unknown {
  if (result.kind === 'bare') return body
  const { data, pagination, meta } = asRecord(body)
  if (data === undefined) throw new Error(`the response to ${id} with status ${status} is not from the platform`)
  if (result.kind === 'page')
    return { items: data, nextCursor: asRecord(pagination).next_cursor ?? null, ...(result.meta && { meta }) }
  if (result.kind === 'deleted') return { id: asRecord(data)[result.idField] }
  if (result.kind === 'data') return data
  return { status: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
