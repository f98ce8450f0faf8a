import type { RawResponse } from '../call.ts'
import type { EndpointEntry } from '../endpoint-table.ts'
import { InvalidResponseError } from './errors.ts'

/**
 * Converts a success response into the result of a method: the resource, a page, the id of a deleted resource, or, for
 * several success statuses, the status with the resource.
 * @throws InvalidResponseError if the response is not one of the platform
 */
export function readResult({ id, result }: EndpointEntry, response: RawResponse): unknown {
  const { status, body } = response
  const refuse = () =>
    new InvalidResponseError(`the response to ${id} with status ${status} is not from the platform`, response)
  if (result.kind === 'bare') {
    if (typeof body !== 'object' || body === null) throw refuse()
    return body
  }
  const { data, pagination, meta } = asRecord(body)
  if (data === undefined || (result.kind === 'page' && !Array.isArray(data))) throw refuse()
  if (result.kind === 'page')
    return { items: data, nextCursor: asRecord(pagination).next_cursor ?? null, ...(result.meta && { meta }) }
  if (result.kind === 'deleted') return { id: asRecord(data)[result.idField] }
  if (result.kind === 'data') return data
  return { status: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
