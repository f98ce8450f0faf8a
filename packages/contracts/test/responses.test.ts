import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type EndpointDefinition, errors, successStatusesOf } from '../src/index.ts'
import { all, braces, breaking, published } from './fixture/endpoints.ts'

/** Of a body that has several shapes, each. */
const shapesOf = (body: z.ZodType | undefined): z.ZodType[] =>
  body instanceof z.ZodDiscriminatedUnion
    ? body.options.filter((option) => option instanceof z.ZodType)
    : body === undefined
      ? []
      : [body]

describe('answers', () => {
  it('are one kind of success: a list, a deletion, something bare, a page, or statuses in the envelope', () => {
    const kinds = (one: EndpointDefinition) =>
      [one.list, one.deleted, one.bare, one.browser].filter((kind) => kind !== undefined).length +
      (successStatusesOf(one).length > 0 ? 1 : 0)
    expect(breaking(all, (one) => kinds(one) === 1)).toEqual([])
  })

  it('are a list with limit and cursor wherever there is a list', () => {
    const lists = all.filter(({ list }) => list !== undefined)
    expect(breaking(lists, isPaged)).toEqual([])
  })

  it('name the address of what was made or begun, which an endpoint answers', () => {
    const making = published.filter(({ created, accepted }) => (created ?? accepted) !== undefined)
    const readable = new Set(published.filter(({ method }) => method === 'GET').map(({ path }) => path))
    // a sign-in that was begun is nowhere to be read: it tells nobody whether it was gone on with
    expect(breaking(making, ({ location = '' }) => readable.has(location))).toEqual(['auth.login'])
    const fields = (one: EndpointDefinition) => {
      const view = one.created ?? one.accepted
      const shown = view instanceof z.ZodObject ? Object.keys(view.shape) : []
      return [...shown, ...braces(one.path)]
    }
    expect(breaking(making, (one) => braces(one.location ?? '').every((name) => fields(one).includes(name)))).toEqual(
      [],
    )
    expect(making.length).toBeGreaterThan(5)
  })

  it('name the field that identifies a secret’s owner', () => {
    const secret = published.filter((one) => one.secret !== undefined)
    const shows = (one: EndpointDefinition) => {
      const view = one.ok ?? one.created
      return view instanceof z.ZodObject && Object.hasOwn(view.shape, one.secret?.idField ?? '')
    }
    expect(breaking(secret, shows)).toEqual([])
    // an answer that shows a secret says so, so that it is neither cached nor kept
    const showing = published.filter((one) => {
      const view = one.ok ?? one.created
      return view instanceof z.ZodObject && ['secret', 'client_secret', 'api_key'].some((name) => name in view.shape)
    })
    const isText = (one: EndpointDefinition) => one.id !== 'system.putVariable' && one.id !== 'system.getVariable'
    expect(breaking(showing.filter(isText), (one) => one.secret !== undefined)).toEqual([])
  })

  it('know the errors they name, each once', () => {
    expect(breaking(all, ({ errors: codes = [] }) => codes.every((code) => code in errors))).toEqual([])
    expect(breaking(all, ({ errors: codes = [] }) => new Set(codes).size === codes.length)).toEqual([])
  })
})

describe('one resource', () => {
  const readsOf = ({ path, resourceIdField }: EndpointDefinition) =>
    all.find(
      (one) =>
        one.method === 'GET' && one.path === (resourceIdField === undefined ? path : `${path}/{${resourceIdField}}`),
    )
  const changes = all.filter(({ method }) => method === 'PATCH' || method === 'DELETE')

  it('that is named by a field is read where that field is the end of the path, and the field is asked for', () => {
    const named = changes.filter(({ resourceIdField }) => resourceIdField !== undefined)
    const isAsked = ({ resourceIdField = '', body, query }: EndpointDefinition) => {
      const asked = body instanceof z.ZodObject ? body : query
      return asked !== undefined && resourceIdField in asked.shape && !asked.safeParse({}).success
    }
    expect(breaking(named, (one) => isAsked(one) && readsOf(one)?.ok !== undefined)).toEqual([])
    expect(named.length).toBeGreaterThan(0)
  })

  it('says the same of what changes by itself, where it is read and where it is changed', () => {
    const answering = changes.filter((one) => one.ok !== undefined && readsOf(one)?.ok !== undefined)
    expect(breaking(answering, (one) => one.volatile?.join() === readsOf(one)?.volatile?.join())).toEqual([])
    const shows = ({ ok, volatile = [] }: EndpointDefinition) =>
      volatile.every((field) => ok instanceof z.ZodObject && field in ok.shape)
    expect(breaking(all, shows)).toEqual([])
  })
})

describe('input', () => {
  it('is refused where a field is not known, but where OAuth says to ignore it and in what people open in a browser', () => {
    const bodies = all.filter(({ body }) => body !== undefined)
    const refuses = ({ body }: EndpointDefinition) =>
      shapesOf(body).every((shape) =>
        shape.safeParse({ not_a_field: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys'),
      )
    expect(breaking(bodies, refuses)).toEqual(['auth.exchangeToken', 'auth.revokeToken'])
    const queries = all.filter(({ query }) => query !== undefined)
    const refusesQuery = ({ query }: EndpointDefinition) =>
      query?.safeParse({ not_a_field: '1' }).error?.issues.some(({ code }) => code === 'unrecognized_keys') === true
    expect(breaking(queries, refusesQuery)).toEqual([
      'auth.showLoginLink',
      'auth.googleCallback',
      'auth.githubCallback',
    ])
  })

  it('is a stream only with its content types, and goes nowhere with a GET or DELETE', () => {
    const streams = all.filter(({ input }) => input === 'stream')
    expect(breaking(streams, ({ contentTypes = [], body }) => contentTypes.length > 0 && body === undefined)).toEqual(
      [],
    )
    const bodiless = all.filter(({ method }) => method === 'GET' || method === 'DELETE')
    expect(breaking(bodiless, ({ body, input }) => body === undefined && input === undefined)).toEqual([])
  })
})

describe('the audit log', () => {
  /** What changes nothing, or is audited by the service that makes the change. */
  const unaudited: Record<string, string> = {
    'auth.exchangeToken': 'gives a token for a credential; nothing of a workspace changes',
    'auth.revokeToken': 'says by itself what was revoked: a session, a token, or nothing',
    'auth.login': 'changes nothing until somebody signs in',
    'auth.verify': 'says by itself who signed in, or that somebody failed to',
    'auth.openLoginLink': 'hands on what verify is shown, which says it',
    'auth.resolve': 'reads: who is asked about travels in the body',
    'auth.resolveMany': 'likewise',
    'system.createWorkspace': 'auth makes the change, and audits auth.createWorkspace',
    'system.updateWorkspace': 'auth makes the change, and audits auth.updateWorkspace',
    'data.searchRecords': 'changes nothing: it asks',
    'integrations.reportUse': 'nobody changes anything: how it stands is told as an event',
    'integrations.registerUse': 'data audits the change of what uses it',
    'integrations.releaseUse': 'likewise',
  }

  it('hears of every change', () => {
    const changes = all.filter(({ method }) => method !== 'GET')
    expect(breaking(changes, ({ audit }) => audit !== undefined)).toEqual(Object.keys(unaudited))
  })

  it('is told what was changed by a field of the answer or the path', () => {
    const audited = all.filter(({ audit }) => audit !== undefined)
    const finds = ({ audit, path, deleted, ...one }: EndpointDefinition) => {
      const field = audit?.field ?? 'id'
      const views = [one.ok, one.created, one.accepted]
      const shown = views.every((view) => view === undefined || (view instanceof z.ZodObject && field in view.shape))
      return braces(path).includes(field) || deleted === field || shown
    }
    expect(breaking(audited, finds)).toEqual([])
  })

  it('reads actions as thing and deed', () => {
    const audited = all.filter(({ audit }) => audit !== undefined)
    expect(breaking(audited, ({ audit }) => /^[a-z_]+\.[a-z_]+$/.test(audit?.action ?? ''))).toEqual([])
  })
})

/** Whether a query takes 1 to 100 items, 25 when nothing is said, and a cursor. */
/** A search may ask in a body. */
function isPaged({ id, method, query, body }: EndpointDefinition): boolean {
  const asked = id === 'data.search' ? { q: 'x' } : id === 'data.searchRecords' ? { query: 'x' } : {}
  const written = (limit: number) => (method === 'GET' ? String(limit) : limit)
  const read = (page: object) => (method === 'GET' ? query : body)?.safeParse({ ...asked, ...page })
  const isDefault = z.object({ limit: z.literal(25) }).safeParse(read({})?.data).success
  return (
    isDefault &&
    read({ limit: written(100), cursor: 'x' })?.success === true &&
    read({ limit: written(0) })?.success === false &&
    read({ limit: written(101) })?.success === false
  )
}
