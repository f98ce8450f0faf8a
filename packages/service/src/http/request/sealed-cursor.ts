import { hash } from 'node:crypto'
import { type EndpointDefinition, needsWorkspace, problem, type ServerSentEvent, type WithHeaders } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import type { Subject } from '../../assertions/assertion.ts'

/** Binds the positions of one list, search, poll or stream to the request that returned them. */
export interface CursorSeal {
  /** Returns the cursor for a position. */
  seal(position: string): string
  /** Returns the position of a cursor. @throws Problem `invalid_cursor`, also for a cursor of another request */
  open(cursor: string, pointer: string): string
}

/** The validated input of a request. */
interface Input {
  params: unknown
  query: unknown
  body: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** Fields that may change from page to page: they choose neither items nor their order. */
const unboundFields = new Set(['cursor', 'limit', 'max_seconds', 'highlight', 'include'])
/** 132 bits of SHA-256. */
const sealLength = 22

/**
 * Creates the seal of a request: of its endpoint, its workspace, the user if one calls, the resource in its path and
 * its filters. A cursor is a position and grants nothing, so the seal is a digest and has no key: it rejects a cursor
 * that belongs elsewhere, and keeps working when keys rotate.
 */
export function createCursorSeal(
  definition: EndpointDefinition,
  { principal, workspaceId }: Subject,
  { params, query, body }: Input,
): CursorSeal {
  const owner = needsWorkspace(definition) ? workspaceId : null
  const user = principal.type === 'user' ? principal.id : null
  const digestOf = (position: string): string => {
    const binding = [definition.id, owner, user, params, filtersOf(query), filtersOf(body), position]
    return hash('sha256', canonicalJson(binding), 'base64url').slice(0, sealLength)
  }
  return {
    seal: (position) => digestOf(position) + position,
    open(cursor, pointer) {
      const position = cursor.slice(sealLength)
      if (digestOf(position) === cursor.slice(0, sealLength)) return position
      throw problem('invalid_cursor', {
        errors: [{ pointer, detail: 'is not a cursor of this list with these filters; omit it to begin again' }],
      })
    },
  }
}

/** Replaces the cursor of an input by the position it holds. @throws Problem `invalid_cursor` */
export const openCursor = <I extends Input>(input: I, seal: CursorSeal): I => ({
  ...input,
  query: withPosition(input.query, '?cursor', seal),
  body: withPosition(input.body, '/cursor', seal),
})

function withPosition(fields: unknown, pointer: string, seal: CursorSeal): unknown {
  if (!isFields(fields) || typeof fields.cursor !== 'string') return fields
  return { ...fields, cursor: seal.open(fields.cursor, pointer) }
}

/** Replaces the position after a page by its cursor, in the result of an endpoint that takes cursors. */
export function sealCursor(definition: EndpointDefinition, result: unknown, seal: CursorSeal): unknown {
  if (!takesCursor(definition)) return result
  const { setsCookies, setsHeaders, ...plain } = definition
  if (setsCookies === true || setsHeaders === true) {
    const wrapped = result as WithHeaders<unknown> // the type of every such operation
    return { ...wrapped, result: sealCursor(plain, wrapped.result, seal) }
  }
  const field = definition.list === undefined ? 'next_cursor' : 'nextCursor'
  if (!isFields(result)) return result
  const position = result[field]
  return typeof position === 'string' ? { ...result, [field]: seal.seal(position) } : result
}

const takesCursor = ({ query, body }: EndpointDefinition): boolean =>
  (query !== undefined && 'cursor' in query.shape) ||
  (body !== undefined && 'shape' in body && isFields(body.shape) && 'cursor' in body.shape)

const filtersOf = (fields: unknown): unknown =>
  isFields(fields) ? Object.fromEntries(Object.entries(fields).filter(([name]) => !unboundFields.has(name))) : null

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the positions in a stream by cursors, which clients send back as `Last-Event-ID`. */
export async function* sealEventIds(
  events: AsyncIterable<ServerSentEvent>,
  seal: CursorSeal,
): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) yield event.id === undefined ? event : { ...event, id: seal.seal(event.id) }
}
