import { describe, expect, it } from '@jest/globals'
import { documentedEndpoints, openApiDocument, publicEndpoints, webhookEventKinds } from '../../src/index.ts'
import { type Operation, operations, type Parameter, resolve, walk } from './read-document.ts'

const document = openApiDocument('https://api.example.com', '1.2.3')
const { paths, webhooks, components } = document as {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: Record<string, Record<string, unknown>>
} // the shape of every OpenAPI document
const all = operations(document)
const parametersOf = ({ parameters }: Operation) => parameters.map((given) => resolve(document, given) as Parameter) // a parameter or a reference to one

describe('the OpenAPI document', () => {
  it('describes every public endpoint but the pages of browsers, once, and no internal one', () => {
    const described = all.map(({ operationId }) => operationId)
    const pages = publicEndpoints.filter(
      ({ definition }) => !documentedEndpoints.some((one) => one.definition === definition),
    )
    expect([...described].sort()).toEqual(documentedEndpoints.map(({ definition }) => definition.id).sort())
    expect(new Set(described).size).toBe(described.length)
    expect(pages.map(({ definition }) => definition.response)).not.toEqual(
      expect.arrayContaining([undefined, 'json', 'http', 'file']),
    )
    expect(pages.length).toBeGreaterThan(5)
    expect(Object.keys(paths).filter((path) => path.startsWith('/internal/'))).toEqual([])
  })

  it('contains JSON values only', () => {
    const wrong = [...walk(document)].filter(
      ([, value]) =>
        value === undefined || (value !== null && !['object', 'string', 'number', 'boolean'].includes(typeof value)),
    )
    expect(wrong).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('references components that exist, and has no unreferenced component', () => {
    const references = new Set(
      [...walk(document)].filter(([pointer]) => pointer.endsWith('/$ref')).map(([, value]) => String(value)),
    )
    const { securitySchemes: _schemes, ...referenced } = components
    const named = Object.entries(referenced).flatMap(([kind, values]) =>
      Object.keys(values).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...references].filter((reference) => !named.includes(reference))).toEqual([])
    expect(named.filter((name) => !references.has(name))).toEqual([])
  })

  it('declares every parameter of a path', () => {
    for (const [path, methods] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const operation of Object.values(methods)) {
        const declared = parametersOf(operation).filter((parameter) => parameter.in === 'path')
        expect(declared.map(({ name }) => name).sort()).toEqual([...names].sort())
        expect(declared.every(({ required }) => required)).toBe(true)
      }
    }
  })

  it('states the required scope and the accepted credentials of an operation', () => {
    for (const { definition } of documentedEndpoints) {
      const { credentials = ['bearer', 'apiKey'], scope } = definition
      const operation = paths[definition.path]?.[definition.method.toLowerCase()]
      expect(operation?.['x-required-scope']).toBe(scope)
      if (credentials === 'none') continue
      const schemes = [...credentials, ...(scope === undefined ? [] : ['oauth2'])]
      expect(operation?.security.flatMap((alternative) => Object.keys(alternative))).toEqual(schemes)
    }
    expect(paths['/v1/auth/token']?.post?.security).toEqual([{ basic: [] }, {}])
    expect(components.securitySchemes).toMatchObject({
      basic: { scheme: 'basic' },
      oauth2: { flows: { clientCredentials: { tokenUrl: 'https://api.example.com/v1/auth/token' } } },
    })
  })

  it('describes every operation and parameter in words of its own', () => {
    for (const { operationId, summary, description = '' } of all) {
      const [prose = ''] = description.split('Requires the scope')
      expect([operationId, prose.length > 30 && !prose.startsWith(summary)]).toEqual([operationId, true])
    }
    const bare = all.flatMap((operation) =>
      parametersOf(operation)
        .filter((parameter) => parameter.description === undefined || parameter.description.length < 8)
        .map(({ name }) => `${operation.operationId} ${name}`),
    )
    expect(bare).toEqual([])
  })

  it('describes the forms of a token request as alternatives', () => {
    const body = all.find(({ operationId }) => operationId === 'auth.exchangeToken')?.requestBody
    expect(Object.keys(body?.content ?? {})).toEqual(['application/json', 'application/x-www-form-urlencoded'])
    expect(resolve(document, body?.content['application/json']?.schema)).toEqual({
      oneOf: ['ClientCredentialsForm', 'RefreshTokenForm', 'AuthorizationCodeForm'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    })
  })

  it('marks deprecated parameters', () => {
    const deprecated = all.flatMap((operation) =>
      parametersOf(operation)
        .filter((parameter) => parameter.deprecated === true)
        .map(({ name }) => `${operation.operationId} ${name}`),
    )
    expect(deprecated).toEqual([
      'audit.listLogs from',
      'audit.listLogs to',
      'billing.getUsage from',
      'billing.getUsage to',
    ])
  })

  it('declares the request headers of an operation', () => {
    const headersOf = (id: string) =>
      all
        .filter(({ operationId }) => operationId === id)
        .flatMap(parametersOf)
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name)
    expect(headersOf('data.createSource')).toEqual(['x-workspace-key', 'Idempotency-Key'])
    expect(headersOf('data.updateSource')).toEqual(['x-workspace-key', 'Idempotency-Key', 'If-Match'])
    expect(headersOf('data.deleteSource')).toEqual(['x-workspace-key', 'If-Match'])
    expect(headersOf('data.getSource')).toEqual(['x-workspace-key', 'If-None-Match'])
    expect(headersOf('data.uploadRecords')).toEqual(['x-workspace-key', 'Idempotency-Key', 'Prefer'])
    expect(headersOf('ai.streamRunEvents')).toEqual(['x-workspace-key', 'Last-Event-ID'])
    expect(headersOf('auth.me')).toEqual(['If-None-Match'])
  })

  it('describes boolean parameters as booleans', () => {
    const named = (name: string) => all.flatMap(parametersOf).filter((parameter) => parameter.name === name)
    const schemas = ['highlight', 'unread', 'force', 'built_in', 'secret'].flatMap(named).map(({ schema }) => schema)
    expect(schemas.length).toBeGreaterThan(4)
    expect(schemas.map(({ type }) => type)).toEqual(schemas.map(() => 'boolean'))
    expect(named('highlight')[0]?.schema).toEqual({ type: 'boolean', default: false })
  })

  it('describes the delivery of every event kind, with its signature', () => {
    expect(Object.keys(webhooks).sort()).toEqual([...webhookEventKinds].sort())
    for (const [kind, { post }] of Object.entries(webhooks)) {
      const schema = resolve(document, post.requestBody?.content['application/json']?.schema)
      expect(schema).toMatchObject({ properties: { event: { const: kind }, payload: { type: 'object' } } })
      expect(parametersOf(post).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['x-webhook-signature', 'webhook-signature', 'x-webhook-request-id']),
      )
    }
  })
})
