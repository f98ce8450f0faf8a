import { createHash } from 'node:crypto'
import type { Json } from './json.ts'
import { type Operation, readOperations, surfaceTitle } from './operation.ts'
import { requestOf } from './samples.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * Returns a Postman collection with a request for every operation, in a folder for each surface. Its variables are the
 * address and the credential.
 */
export function createPostmanCollection(document: Json, baseUrl: string) {
  const surfaces = Map.groupBy(readOperations(document), ({ tag }) => tag)
  return {
    info: { name: 'Workspace platform', schema, _postman_id: idOf('workspace-platform') },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'apiKey', value: '' },
      { key: 'token', value: '' },
    ],
    item: [...surfaces].map(([tag, operations]) => ({
      name: surfaceTitle(tag),
      item: operations.map((operation) => ({
        name: operation.summary,
        id: idOf(operation.id),
        request: postmanRequest(document, operation),
      })),
    })),
  }
}

function postmanRequest(document: Json, operation: Operation) {
  const { method, path, parameters, credentials, description } = operation
  const { params, query, contentType, body } = requestOf(document, operation)
  const segments = path.split('/').slice(1)
  const valuesOf = (place: string, values: Json) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, description: about }) => ({
        key: String(name),
        value: String(values[String(name)] ?? ''),
        description: String(about ?? ''),
        // An optional parameter without an example is listed and not sent.
        ...(!(String(name) in values) && { disabled: true }),
      }))
  return {
    method,
    description: description ?? '',
    ...authOf(credentials),
    header: contentType === undefined ? [] : [{ key: 'content-type', value: contentType }],
    url: {
      raw: `{{baseUrl}}/${segments.join('/').replaceAll(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: segments.map((part) => part.replaceAll(/\{(\w+)\}/g, ':$1')),
      variable: valuesOf('path', params),
      query: valuesOf('query', query),
    },
    ...(contentType !== undefined && { body: { mode: 'raw', raw: textOf(body) } }),
  }
}

/** An operation that takes no API key has an access token or nothing; the others inherit the key of the collection. */
function authOf(credentials: readonly string[]) {
  if (credentials.includes('apiKey')) return {}
  if (credentials.length === 0) return { auth: { type: 'noauth' } }
  return { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] } }
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? {}, null, 2))

/** The same in every build, so that an import replaces what was imported before. */
function idOf(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
