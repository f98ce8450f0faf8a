import { expect, it } from '@jest/globals'
import { createEndpointTable } from '@wp/client'
import { createClientFromTable } from '@wp/client/browser'
import { type EndpointDefinition, publicEndpoints, requiresStepUp } from '@wp/contracts'
import { createEndpointMatcher, isProxied } from '../../../src/proxy/endpoint-matcher.ts'
import { withSessionHandling } from '../../../web/src/api/session-handling.ts'
import { pendingStepUp } from '../../../web/src/api/session-state.ts'

const matcher = createEndpointMatcher()
const guarded = publicEndpoints.map(({ definition }) => definition).filter(requiresStepUp)

/** Calls an endpoint whose first request is refused, and answers the question for a recent sign-in. */
async function callStale(definition: EndpointDefinition, isConfirmed: boolean) {
  const requests: string[] = []
  const client = withSessionHandling(
    createClientFromTable(
      {
        baseUrl: 'https://console.test',
        credential: { session: true },
        fetch: async (input, init) => {
          const { pathname } = new URL(String(input))
          requests.push(`${init?.method} ${pathname} ${init?.body ?? ''}`)
          if (requests.length > 1) return Response.json({ data: { done: true } })
          return Response.json({ code: 'reauthentication_required', status: 401 }, { status: 401 })
        },
      },
      createEndpointTable(),
    ),
  )
  let questions = 0
  const unsubscribe = pendingStepUp.subscribe(() => {
    const pending = pendingStepUp.get()
    if (pending === undefined) return
    questions += 1
    pending.finish(isConfirmed)
  })
  const [surface = '', name = ''] = definition.id.split('.')
  const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => each)
  const method = Object(client)[surface][name]
  const params = Object.fromEntries(names.map((each) => [each, 'x_1']))
  const result = await method({ params, body: { name: 'x' }, query: {} }).then(
    () => 'done',
    (error: unknown) => Object(error).code,
  )
  unsubscribe()
  return { result, questions, requests }
}

it('the endpoints that require a recent authentication are proxied, so that the console can call them', () => {
  expect(guarded.length).toBeGreaterThanOrEqual(20)
  for (const definition of guarded) {
    expect([definition.id, isProxied(definition)]).toEqual([definition.id, true])
    const path = definition.path.replaceAll(/\{\w+\}/g, 'x_1')
    expect(matcher.find(definition.method, path).id).toBe(definition.id)
  }
})

it.each(guarded.map((definition) => [definition.id, definition] as const))(
  'a call of %s asks for a recent sign-in when it is refused, and is repeated when the person confirms',
  async (_id, definition) => {
    const { result, questions, requests } = await callStale(definition, true)
    expect([result, questions, requests.length]).toEqual(['done', 1, 2])
    expect(requests[1]).toBe(requests[0])
    expect(requests[0]).toContain(`${definition.method} /v1/`)
    const cancelled = await callStale(definition, false)
    expect([cancelled.result, cancelled.questions, cancelled.requests.length]).toEqual([
      'reauthentication_required',
      1,
      1,
    ])
  },
)
