import { type EndpointDefinition, successStatusesOf } from '@wp/contracts'
import type { SuccessResponse } from './send.ts'

/** What a method returns for a successful answer: the view, a page, the id of what was deleted, or an outcome. */
export function readResult(definition: EndpointDefinition, { status, body }: SuccessResponse): unknown {
  if (definition.bare !== undefined) return body
  const { data, pagination, meta } = asRecord(body)
  if (data === undefined)
    throw new Error(`${definition.id} was answered ${status} by something that is not the platform`)
  if (definition.list !== undefined)
    return {
      items: data,
      nextCursor: asRecord(pagination).next_cursor ?? null,
      ...(definition.meta && { meta }),
    }
  if (definition.deleted !== undefined) return { id: asRecord(data)[definition.deleted] }
  if (successStatusesOf(definition).length === 1) return data
  return { outcome: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
