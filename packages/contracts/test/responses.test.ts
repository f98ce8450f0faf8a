import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type EndpointDefinition, errors, respondsWithJson, successStatusesOf } from '../src/index.ts'
import { allEndpoints, pathParameters, publicDefinitions, violations } from './fixture/endpoints.ts'

/** The shapes of a body: several for a discriminated union. */
const shapesOf = (body: z.ZodType | undefined): z.ZodType[] =>
  body instanceof z.ZodDiscriminatedUnion
    ? body.options.filter((option) => option instanceof z.ZodType)
    : body === undefined
      ? []
      : [body]

describe('a response', () => {
  it('is a list, a deletion, bare, or has statuses in the envelope when it is JSON', () => {
    const kinds = ({ list, deleted, bare, ...definition }: EndpointDefinition) =>
      [list, deleted, bare].filter((kind) => kind !== undefined).length +
      (successStatusesOf(definition).length > 0 ? 1 : 0)
    expect(violations(allEndpoints.filter(respondsWithJson), (one) => kinds(one) === 1)).toEqual([])
    expect(violations(allEndpoints, (one) => respondsWithJson(one) || kinds(one) === 0)).toEqual([])
  })

  it('declares its content types exactly when it is a file, and shapes of events only when it is a stream of events', () => {
    const canStream = ({ response, httpResponses = {} }: EndpointDefinition) =>
      response === 'events' ||
      response === 'json-or-events' ||
      Object.values(httpResponses).some(({ content = {} }) => 'text/event-stream' in content)
    const isConsistent = (definition: EndpointDefinition) =>
      (definition.response === 'file') === (definition.fileTypes !== undefined) &&
      (definition.eventData === undefined || canStream(definition))
    expect(violations(allEndpoints, isConsistent)).toEqual([])
  })

  it('is paged with limit and cursor when it is a list', () => {
    const lists = allEndpoints.filter(({ list }) => list !== undefined)
    expect(violations(lists, isPaged)).toEqual([])
  })

  it('has the location of a readable resource when one is created or a job is accepted', () => {
    const creating = publicDefinitions.filter(({ created, accepted }) => (created ?? accepted) !== undefined)
    const readable = new Set(publicDefinitions.filter(({ method }) => method === 'GET').map(({ path }) => path))
    // a pending sign-in cannot be read, because its state must not be observable
    expect(violations(creating, ({ location = '' }) => readable.has(location))).toEqual([
      'auth.startReauthentication',
      'auth.login',
    ])
    const fields = (one: EndpointDefinition) => {
      const view = one.created ?? one.accepted
      const shown = view instanceof z.ZodObject ? Object.keys(view.shape) : []
      return [...shown, ...pathParameters(one.path)]
    }
    const isFilled = (one: EndpointDefinition) =>
      pathParameters(one.location ?? '').every((name) => fields(one).includes(name))
    expect(violations(creating, isFilled)).toEqual([])
    expect(creating.length).toBeGreaterThan(5)
  })

  it('has the field that identifies the owner of a secret', () => {
    const withSecret = publicDefinitions.filter(({ secret }) => secret !== undefined)
    const hasOwner = ({ ok, created, secret }: EndpointDefinition) => {
      const view = ok ?? created
      return view instanceof z.ZodObject && Object.hasOwn(view.shape, secret?.idField ?? '')
    }
    expect(violations(withSecret, hasOwner)).toEqual([])
  })

  it('is declared as secret when it has a secret field, so that it is neither cached nor stored', () => {
    const withSecretField = publicDefinitions.filter(({ ok, created }) => {
      const view = ok ?? created
      return view instanceof z.ZodObject && ['secret', 'client_secret', 'api_key'].some((name) => name in view.shape)
    })
    // the `secret` of a variable is a boolean
    const isVariable = ({ id }: EndpointDefinition) => id === 'system.putVariable' || id === 'system.getVariable'
    const isDeclared = (one: EndpointDefinition) => isVariable(one) || one.secret !== undefined
    expect(violations(withSecretField, isDeclared)).toEqual([])
  })

  it('declares errors of the catalogue, each once', () => {
    expect(violations(allEndpoints, ({ errors: codes = [] }) => codes.every((code) => code in errors))).toEqual([])
    expect(violations(allEndpoints, ({ errors: codes = [] }) => new Set(codes).size === codes.length)).toEqual([])
  })
})

describe('a change of a resource', () => {
  const readerOf = ({ path, resourceIdField }: EndpointDefinition) =>
    allEndpoints.find(
      (one) =>
        one.method === 'GET' && one.path === (resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`),
    )
  const changes = allEndpoints.filter(({ method }) => method === 'PATCH' || method === 'DELETE')

  it('requires the field that identifies the resource, and has an endpoint that reads it, when the path has no id', () => {
    const identified = changes.filter(({ resourceIdField }) => resourceIdField !== undefined)
    const isRequired = ({ resourceIdField = '', body, query }: EndpointDefinition) => {
      const input = body instanceof z.ZodObject ? body : query
      return input !== undefined && resourceIdField in input.shape && !input.safeParse({}).success
    }
    expect(violations(identified, (one) => isRequired(one) && readerOf(one)?.ok !== undefined)).toEqual([])
    expect(identified.length).toBeGreaterThan(0)
  })

  it('declares the same volatile fields as the endpoint that reads the resource', () => {
    const responding = changes.filter((one) => one.ok !== undefined && readerOf(one)?.ok !== undefined)
    expect(violations(responding, (one) => one.volatile?.join() === readerOf(one)?.volatile?.join())).toEqual([])
    const hasFields = ({ ok, volatile = [] }: EndpointDefinition) =>
      volatile.every((field) => ok instanceof z.ZodObject && field in ok.shape)
    expect(violations(allEndpoints, hasFields)).toEqual([])
  })
})

describe('input', () => {
  const rejectsUnknown = (shape: z.ZodType | undefined) =>
    shape?.safeParse({ not_a_field: '1' }).error?.issues.some(({ code }) => code === 'unrecognized_keys') === true

  it('is rejected when a body has an unknown field, except where RFC 6749, RFC 7643 or SAML requires to ignore it', () => {
    const bodies = allEndpoints.filter(({ body }) => body !== undefined)
    expect(violations(bodies, ({ body }) => shapesOf(body).every(rejectsUnknown))).toEqual([
      'auth.exchangeToken',
      'auth.revokeToken',
      'auth.samlCallback',
      'auth.registerClient',
      'auth.createScimUser',
      'auth.replaceScimUser',
      'auth.patchScimUser',
      'auth.createScimGroup',
      'auth.replaceScimGroup',
      'auth.patchScimGroup',
    ])
  })

  it('is rejected when a query has an unknown parameter, except of SCIM and in addresses that users open in a browser', () => {
    const queries = allEndpoints.filter(({ query }) => query !== undefined)
    expect(violations(queries, ({ query }) => rejectsUnknown(query))).toEqual([
      'auth.showPasskeyRecovery',
      'auth.showSignInAlert',
      'auth.showLoginLink',
      'auth.ssoCallback',
      'auth.googleCallback',
      'auth.githubCallback',
      'auth.authorize',
      'auth.acceptInvitationPage',
      'auth.listScimUsers',
      'auth.getScimUser',
      'auth.listScimGroups',
      'auth.getScimGroup',
      'notifications.showUnsubscribe',
      'notifications.unsubscribe',
    ])
  })

  it('declares its content types when it is a stream', () => {
    const streams = allEndpoints.filter(({ input }) => input === 'stream')
    const isDeclared = ({ contentTypes = [], body }: EndpointDefinition) =>
      contentTypes.length > 0 && body === undefined
    expect(violations(streams, isDeclared)).toEqual([])
  })

  it('has no body when the method is GET or DELETE', () => {
    const bodiless = allEndpoints.filter(({ method }) => method === 'GET' || method === 'DELETE')
    expect(violations(bodiless, ({ body, input }) => body === undefined && input === undefined)).toEqual([])
  })
})

describe('the audit log', () => {
  /** Endpoints that change nothing, or for which another audit record is written. */
  const unaudited: Record<string, string> = {
    'auth.exchangeToken': 'issues a token for a credential; changes nothing in a workspace',
    'auth.replaceSavedViews': 'changes named filters that the caller alone sees',
    'auth.revokeToken': 'the operation records what was revoked: a session, a token or nothing',
    'auth.startReauthentication': 'changes nothing before the code is confirmed',
    'auth.verifyReauthentication': 'the operation records who confirmed, or that a code was wrong',
    'auth.startPasskeyRegistration': 'changes nothing before the passkey is created',
    'auth.startPasskeyLogin': 'changes nothing before the sign-in is complete',
    'auth.startPasskeyReauthentication': 'changes nothing before the passkey is verified',
    'auth.startPasskeyRecovery': 'the operation records the request, or that a code was wrong',
    'auth.cancelPasskeyRecoveryByLink': 'the operation records whose recovery is cancelled',
    'auth.endReportedSession': 'the operation records whose session it ends',
    'auth.login': 'changes nothing before the sign-in is complete',
    'auth.verify': 'the operation records who signed in, or that a sign-in failed',
    'auth.openLoginLink': 'passes the token to auth.verify, which is recorded',
    'auth.samlCallback': 'changes nothing before the sign-in is complete',
    'auth.registerClient': 'stores nothing',
    'auth.decideAuthorization': 'the operation records the decision',
    'auth.startAuthorizationLogin': 'as auth.login',
    'auth.verifyAuthorizationLogin': 'as auth.verify',
    'auth.sendScimBulk': 'is refused',
    'auth.createPortalKey': 'recorded by the creation of the link',
    'auth.deletePortalKey': 'recorded by the revocation of the link',
    'auth.resolve': 'reads; the credential is in the body',
    'auth.resolveMany': 'reads; the credentials are in the body',
    'data.preview': 'reads; the file is in the body',
    'data.searchRecords': 'reads; the query is in the body',
    'data.openRowFeed': 'the subscriber records the change of what it computes',
    'data.readRowFeed': 'reads; moves a position of the subscriber',
    'data.closeRowFeed': 'the subscriber records the change of what it computes',
    'integrations.reportUse': 'the status of the integration is emitted as an event',
    'integrations.registerUse': 'data records the change of the source that uses it',
    'integrations.releaseUse': 'data records the change of the source that used it',
    'webhooks.receive': 'the receiver itself shows what arrived',
    'audit.recordRequests': 'the log of requests, not of changes',
    'audit.listHeads': 'reads; the workspaces are in the body',
    'ai.createOpenAiCompletion': 'the operation records the start of its run',
    'mcp.message': 'the endpoint that a tool calls records the change',
    'billing.receiveStripeEvent': 'the operation records the payment of the invoice',
    'notifications.readNotification': 'changes a mark in the feed of the caller',
    'notifications.readAllNotifications': 'changes marks in the feed of the caller',
    'notifications.unsubscribe': 'the operation records the change of the settings',
  }

  it('has a record for every change', () => {
    const changes = allEndpoints.filter(({ method }) => method !== 'GET')
    expect(violations(changes, ({ audit }) => audit !== undefined)).toEqual(Object.keys(unaudited))
  })

  it('identifies the target by a field of the response or the path', () => {
    const audited = allEndpoints.filter(({ audit }) => audit !== undefined)
    const hasTarget = ({ audit, path, deleted, ok, created, accepted }: EndpointDefinition) => {
      const field = audit?.field ?? 'id'
      const isShown = [ok, created, accepted].every(
        (view) => view === undefined || (view instanceof z.ZodObject && field in view.shape),
      )
      return pathParameters(path).includes(field) || deleted === field || isShown
    }
    expect(violations(audited, hasTarget)).toEqual([])
  })

  it('names actions `noun.past_participle`', () => {
    const audited = allEndpoints.filter(({ audit }) => audit !== undefined)
    expect(violations(audited, ({ audit }) => /^[a-z_]+\.[a-z_]+$/.test(audit?.action ?? ''))).toEqual([])
  })
})

/**
 * Returns true if an endpoint accepts 1 to 100 items, 25 by default, and a cursor: in the query, or in the body of a
 * search.
 */
function isPaged({ id, method, query, body }: EndpointDefinition): boolean {
  const required = id === 'data.search' ? { q: 'x' } : id === 'data.searchRecords' ? { query: 'x' } : {}
  const encode = (limit: number) => (method === 'GET' ? String(limit) : limit)
  const parse = (page: object) => (method === 'GET' ? query : body)?.safeParse({ ...required, ...page })
  return (
    z.object({ limit: z.literal(25) }).safeParse(parse({})?.data).success &&
    parse({ limit: encode(100), cursor: 'x' })?.success === true &&
    parse({ limit: encode(0) })?.success === false &&
    parse({ limit: encode(101) })?.success === false
  )
}
