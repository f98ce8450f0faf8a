import { type ErrorCode, errorCodes } from '@wp/contracts'
import { arrayOf, type Json, objectOf, resolve, stringOf } from './json.ts'

/** An operation of the OpenAPI document, with its references resolved one level deep. */
export interface Operation {
  /** Such as `data.createSource`. */
  id: string
  tag: string
  method: string
  path: string
  summary: string
  description: string | undefined
  scope: string | undefined
  /** Kinds of credentials; empty if none is required. */
  credentials: readonly string[]
  parameters: readonly Json[]
  body: { isRequired: boolean; content: readonly [type: string, media: Json][] } | undefined
  responses: readonly OperationResponse[]
  isDeprecated: boolean
}

interface OperationResponse {
  status: string
  description: string
  headers: readonly [name: string, header: Json][]
  content: readonly [type: string, media: Json][]
  /** Codes of the problems that have this status. */
  codes: readonly ErrorCode[]
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Reads every operation, in the order of the document. */
export const readOperations = (document: Json): Operation[] =>
  Object.entries(objectOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(resolve(document, item))
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => readOperation(document, path, method, objectOf(operation), objectOf(item))),
  )

function readOperation(document: Json, path: string, method: string, operation: Json, item: Json): Operation {
  const id = stringOf(operation.operationId) ?? `${method} ${path}`
  const parameters = [...arrayOf(item.parameters), ...arrayOf(operation.parameters)]
  const body = operation.requestBody === undefined ? undefined : resolve(document, operation.requestBody)
  const security = arrayOf(operation.security ?? document.security)
  return {
    id,
    tag: stringOf(arrayOf(operation.tags)[0]) ?? 'other',
    method: method.toUpperCase(),
    path,
    summary: stringOf(operation.summary) ?? id,
    description: stringOf(operation.description),
    scope: stringOf(operation['x-required-scope']),
    credentials: [...new Set(security.flatMap((entry) => Object.keys(objectOf(entry))))],
    parameters: parameters.map((parameter) => resolve(document, parameter)),
    body: body && { isRequired: body.required === true, content: contentOf(document, body) },
    responses: Object.entries(objectOf(operation.responses)).map(([status, response]) =>
      readResponse(document, status, response),
    ),
    isDeprecated: operation.deprecated === true,
  }
}

function readResponse(document: Json, status: string, value: unknown): OperationResponse {
  const response = resolve(document, value)
  const headers = Object.entries(objectOf(response.headers))
  const codes = arrayOf(response['x-problem-codes'])
  return {
    status,
    description: stringOf(response.description) ?? '',
    headers: headers.map(([name, header]) => [name, resolve(document, header)]),
    content: contentOf(document, response),
    codes: errorCodes.filter((code) => codes.includes(code)),
  }
}

const contentOf = (document: Json, { content }: Json): [string, Json][] =>
  Object.entries(objectOf(content)).map(([type, media]) => [type, resolve(document, media)])

/** Returns the path of the page of an operation, such as `/docs/api/data/create-source`. */
export function operationPath({ id, tag }: Pick<Operation, 'id' | 'tag'>): string {
  const verb = id.includes('.') ? id.slice(id.indexOf('.') + 1) : id
  const slug = verb
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return `/docs/api/${tag}/${slug}`
}

const titles: Readonly<Record<string, string>> = {
  auth: 'Authentication',
  system: 'Workspaces and system',
  data: 'Data and search',
  integrations: 'Integrations',
  webhooks: 'Webhooks',
  solutions: 'Forecasting',
  audit: 'Audit',
  agents: 'Agents',
  ai: 'Runs and chat',
  mcp: 'Model Context Protocol',
  billing: 'Billing',
  notifications: 'Notifications',
}

export const surfaceTitle = (tag: string): string => titles[tag] ?? tag
