import { expect, it } from '@jest/globals'
import { requestSession, takeFirstSession } from '../../../web/src/api/request-session.ts'

it('the response to the first request for the session is taken once', async () => {
  const response = Response.json({ data: {} })
  globalThis.firstSession = Promise.resolve(response)
  expect(await takeFirstSession()).toBe(response)
  expect(globalThis.firstSession).toBeUndefined()
})

it('the response to the first request is not used after a request that changes the session', async () => {
  globalThis.firstSession = Promise.resolve(Response.json({ data: { authenticated: false } }))
  // Fails, because there is no page whose address would complete that of the request.
  await expect(requestSession('POST', '/verify', {})).rejects.toThrow(TypeError)
  expect(globalThis.firstSession).toBeUndefined()
})
