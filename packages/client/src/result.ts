import { type EndpointDefinition, successStatusesOf } from '@wp/contracts'
import type { SuccessResponse } from './send.ts'

/**
 * Converts a success response into the result of a method: the resource, a page, the id of a deleted resource, or, for
 * several success statuses, the status with the resource.
 */
export function readResult(definition: EndpointDefinition, { status, body }: SuccessResponse): unknown {
  if (definition.bare !== undefined) return body
  const { data, pagination, meta } = asRecord(body)
  if (data === undefined)
    throw new Error(`the response to ${definition.id} with status ${status} is not from the platform`)
  if (definition.list !== undefined)
    return {
      items: data,
      nextCursor: asRecord(pagination).next_cursor ?? null,
      ...(definition.meta && { meta }),
    }
  if (definition.deleted !== undefined) return { id: asRecord(data)[definition.deleted] }
  if (successStatusesOf(definition).length === 1) return data
  return { status: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
