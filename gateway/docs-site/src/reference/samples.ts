import { type EndpointDefinition, publicEndpoints, respondsWithJson } from '@wp/contracts'
import type { CodeBlock } from '../markdown/code-group.ts'
import { exampleOf, exampleOfMedia } from './example.ts'
import { type Json, resolve } from './json.ts'
import { literalOf } from './literal.ts'
import type { Operation } from './operation.ts'

/** Ids of the operations for which the client has a method that returns JSON. */
const clientCalls = idsOf(respondsWithJson)
/** Those whose body the client sends as it is. */
const streamed = idsOf(({ input }) => input === 'stream')

interface SampleRequest {
  /** With example values in the path. */
  address: string
  params: Json
  query: Json
  contentType: string | undefined
  body: unknown
}

function idsOf(isWanted: (definition: EndpointDefinition) => boolean): ReadonlySet<string> {
  return new Set(
    publicEndpoints.filter(({ definition }) => isWanted(definition)).map(({ definition }) => definition.id),
  )
}

/** Returns a request for an operation in three languages. */
export function samplesOf(document: Json, operation: Operation): CodeBlock[] {
  const request = requestOf(document, operation)
  return [
    { language: 'sh', code: curlSample(operation, request) },
    { language: 'ts', code: typescriptSample(operation, request) },
    { language: 'python', code: pythonSample(operation, request) },
  ]
}

export function requestOf(document: Json, { path, parameters, body }: Operation): SampleRequest {
  // A range ends after its start, whose example is that of every time.
  const exampleOfParameter = ({ name, example, schema }: Json) =>
    example ?? (name === 'until' ? '2026-01-06T00:00:00Z' : exampleOf(document, schema, true))
  const selected = (place: string) =>
    parameters.filter(
      (parameter) =>
        parameter.in === place && (place === 'path' || parameter.required === true || hasExample(document, parameter)),
    )
  const members = (place: string) =>
    Object.fromEntries(selected(place).map((parameter) => [String(parameter.name), exampleOfParameter(parameter)]))
  const types = body?.content ?? []
  // rows are sent as CSV, everything else as JSON
  const [contentType, media] =
    ['text/csv', 'application/json'].flatMap((name) => types.filter(([type]) => type === name))[0] ?? types[0] ?? []
  const params = members('path')
  return {
    address: `${exampleBase}${path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name] ?? name)))}`,
    params,
    query: members('query'),
    contentType,
    body: media && bodyOf(document, media, contentType),
  }
}

/** An example of an optional parameter says that requests usually have it. */
const hasExample = (document: Json, { schema }: Json): boolean => resolve(document, schema).examples !== undefined

function bodyOf(document: Json, media: Json, contentType: string | undefined): unknown {
  if (contentType !== 'application/json') return 'key,title\nr-1,First row\n'
  if (media.example !== undefined || media.examples !== undefined) return exampleOfMedia(document, media)
  return media.schema === undefined ? {} : exampleOf(document, media.schema, true)
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const queryOf = (query: Json): string => {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(fields).toString()
  return text === '' ? '' : `?${text}`
}

function curlSample({ method, credentials }: Operation, { address, query, contentType, body }: SampleRequest): string {
  const url = `${address}${queryOf(query)}`
  const parts = [
    `curl ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${/[?&]/.test(url) ? `'${url}'` : url}`,
  ]
  const header = curlCredential(credentials)
  if (header !== undefined) parts.push(`-H "${header}"`)
  if (contentType !== undefined) parts.push(`-H 'content-type: ${contentType}'`)
  if (body !== undefined)
    parts.push(
      `-d '${(typeof body === 'string' ? body : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')).replaceAll("'", `'\\''`)}'`,
    )
  return parts.join(' \\\n  ')
}

function curlCredential(credentials: readonly string[]): string | undefined {
  if (credentials.includes('apiKey')) return 'x-api-key: $WP_API_KEY'
  if (credentials.includes('bearer')) return 'authorization: Bearer $WP_TOKEN'
  return undefined
}

function typescriptSample(operation: Operation, request: SampleRequest): string {
  const [surface = '', verb = ''] = operation.id.split('.')
  if (!clientCalls.has(operation.id)) return fetchSample(operation, request)
  const { params, query, contentType, body } = request
  const input = {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body: streamed.has(operation.id) ? { contentType, content: textOf(body) } : body }),
  }
  const credential =
    operation.credentials.includes('apiKey') || operation.credentials.length === 0
      ? "apiKey: process.env.WP_API_KEY ?? ''"
      : "accessToken: process.env.WP_TOKEN ?? ''"
  return `import { createClient } from '@workspace-platform/client'

const client = createClient({
  baseUrl: '${exampleBase}',
  credential: { ${credential} },
})
const result = await client.${surface}.${verb}(${Object.keys(input).length === 0 ? '' : literalOf(input, 'ts')})`
}

function fetchSample({ method, credentials }: Operation, { address, query, contentType, body }: SampleRequest): string {
  const headers = {
    ...(credentials.length === 0
      ? {}
      : credentials.includes('apiKey')
        ? { 'x-api-key': '$KEY' }
        : { authorization: '$TOKEN' }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  }
  const options = {
    ...(method === 'GET' ? {} : { method }),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(body === undefined ? {} : { body: textOf(body) }),
  }
  const text = literalOf(options, 'ts')
    .replace("'$KEY'", "process.env.WP_API_KEY ?? ''")
    .replace("'$TOKEN'", '`Bearer ${process.env.WP_TOKEN}`')
  return `const response = await fetch('${address}${queryOf(query)}'${Object.keys(options).length === 0 ? '' : `, ${text}`})`
}

function pythonSample(operation: Operation, request: SampleRequest): string {
  if (!operation.responses.some(({ status }) => Number(status) < 300)) return httpxSample(operation, request)
  const [surface = '', verb = ''] = operation.id.split('.')
  const { params, query, contentType, body } = request
  const isUpload = body !== undefined && contentType !== 'application/json'
  const content = isUpload ? `Upload(b${JSON.stringify(body)}, "${contentType}")` : literalOf(body, 'python')
  const input = [
    ...Object.values(params).map((value) => literalOf(value, 'python')),
    ...(body === undefined ? [] : [content]),
    ...Object.entries(query).map(([name, value]) => `${pythonName(name)}=${literalOf(value, 'python')}`),
  ]
  const isKey = operation.credentials.includes('apiKey') || operation.credentials.length === 0
  const [credential, variable] = isKey ? ['ApiKey', 'WP_API_KEY'] : ['AccessToken', 'WP_TOKEN']
  return `import os

from workspace_platform import ${credential}, Client${isUpload ? ', Upload' : ''}

client = Client("${exampleBase}", ${credential}(os.environ["${variable}"]))
result = client.${surface}.${pythonName(verb)}(${input.join(', ')})`
}

/** The name that the Python client gives a method or an argument. */
function pythonName(name: string): string {
  const text = name
    .replaceAll(/[-.]/g, '_')
    .replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1')
    .toLowerCase()
  return ['from', 'in', 'is', 'self', 'options', 'body'].includes(text) ? `${text}_` : text
}

/** A browser opens these addresses, so the client has no method for them. */
const httpxSample = ({ method }: Operation, { address, query }: SampleRequest): string => `import httpx

response = httpx.request("${method}", "${address}${queryOf(query)}")
print(response.headers["location"])`

/**
 * The address in examples. The script of the site replaces it by that of the installation, tests by that of a fleet.
 */
export const exampleBase = 'https://api.example.com'
