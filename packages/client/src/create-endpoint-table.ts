import { type EndpointDefinition, publicEndpoints, respondsWithJson, successStatusesOf } from '@wp/contracts'
import type { EndpointEntry, EndpointResult, EndpointTable } from './endpoint-table.ts'

/**
 * Returns the table of all public JSON endpoints. A build inserts it as JSON into a program for browsers, which creates
 * its client with `createClientFromTable` and contains no contracts.
 */
export const createEndpointTable = (): EndpointTable =>
  publicEndpoints.filter(({ definition }) => respondsWithJson(definition)).map(({ definition }) => toEntry(definition))

const toEntry = (definition: EndpointDefinition): EndpointEntry => ({
  id: definition.id,
  method: definition.method,
  path: definition.path,
  ...(definition.input === undefined ? {} : { input: definition.input }),
  ...(definition.credentials === 'none' ? { credentials: 'none' } : {}),
  result: resultOf(definition),
})

function resultOf(definition: EndpointDefinition): EndpointResult {
  if (definition.bare !== undefined) return { kind: 'bare' }
  if (definition.list !== undefined) return { kind: 'page', ...(definition.meta && { meta: true }) }
  if (definition.deleted !== undefined) return { kind: 'deleted', idField: definition.deleted }
  return { kind: successStatusesOf(definition).length === 1 ? 'data' : 'data-with-status' }
}
