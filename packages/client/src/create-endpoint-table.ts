import { type EndpointDefinition, publicEndpoints, respondsWithJson, successStatusesOf } from '@wp/contracts'
import type { EndpointEntry, EndpointResult, EndpointTable } from './endpoint-table.ts'

/**
 * Returns the table of all public endpoints that respond with JSON, events or a file. A build inserts it as JSON into a
 * program for browsers, which creates its client with `createClientFromTable` and contains no contracts.
 */
export const createEndpointTable = (): EndpointTable =>
  publicEndpoints.filter(({ definition }) => hasMethod(definition)).map(({ definition }) => toEntry(definition))

const hasMethod = (definition: EndpointDefinition): boolean =>
  respondsWithJson(definition) || definition.response === 'events' || definition.response === 'file'

const toEntry = (definition: EndpointDefinition): EndpointEntry => ({
  id: definition.id,
  method: definition.method,
  path: definition.path,
  ...(definition.input === undefined ? {} : { input: definition.input }),
  ...(definition.credentials === 'none' ? { credentials: 'none' } : {}),
  ...(definition.limitClass === 'long' ? { isLong: true } : {}),
  result: resultOf(definition),
  ...(definition.response === 'json-or-events' ? { eventsPath: eventsPathOf(definition) } : {}),
})

function resultOf(definition: EndpointDefinition): EndpointResult {
  if (definition.response === 'file') return { kind: 'file' }
  if (definition.response === 'events')
    return { kind: 'events', ...(definition.eventProtocol === 'ui-message-stream' && { isRun: true }) }
  if (definition.bare !== undefined) return { kind: 'bare' }
  if (definition.list !== undefined) return { kind: 'page', ...(definition.meta && { meta: true }) }
  if (definition.deleted !== undefined) return { kind: 'deleted', idField: definition.deleted }
  return { kind: successStatusesOf(definition).length === 1 ? 'data' : 'data-with-status' }
}

/** Returns the path of the endpoint that streams the events of the resource which the endpoint creates. */
function eventsPathOf({ id, location }: EndpointDefinition): string {
  const path = `${location}/events`
  if (publicEndpoints.some(({ definition }) => definition.response === 'events' && definition.path === path))
    return path
  throw new Error(`${id} responds with events, but no endpoint has the path ${path}`)
}
