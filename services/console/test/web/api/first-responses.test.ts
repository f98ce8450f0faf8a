import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { takeFirstResponse } from '../../../web/src/api/first-responses.ts'
import { requestSession, takeFirstSession } from '../../../web/src/api/request-session.ts'

const session = Response.json({ data: {} })
const me = Response.json({ data: {} })

let now: jest.SpiedFunction<typeof performance.now>
beforeEach(() => {
  now = jest.spyOn(performance, 'now').mockReturnValue(500)
  globalThis.firstResponses = new Map([
    [' /console/api/session', Promise.resolve(session)],
    ['ws_1 /console/api/v1/auth/me', Promise.resolve(me)],
  ])
})

afterEach(() => {
  now.mockRestore()
  globalThis.firstResponses = undefined
})

it('the response to a first request is taken once, by a call for the same workspace', async () => {
  expect(takeFirstResponse('ws_2', '/console/api/v1/auth/me')).toBeUndefined()
  expect(await takeFirstResponse('ws_1', '/console/api/v1/auth/me')).toBe(me)
  expect(takeFirstResponse('ws_1', '/console/api/v1/auth/me')).toBeUndefined()
  expect(await takeFirstSession()).toBe(session)
  // Sent again, and fails because there is no page whose address would complete that of the request.
  await expect(takeFirstSession()).rejects.toThrow(TypeError)
})

it('the responses are not used when they are out of date', () => {
  now.mockReturnValue(10_001)
  expect(takeFirstResponse('ws_1', '/console/api/v1/auth/me')).toBeUndefined()
})

it('the responses are not used after a request that changes the session', async () => {
  await expect(requestSession('POST', '/verify', {})).rejects.toThrow(TypeError)
  expect(takeFirstResponse('ws_1', '/console/api/v1/auth/me')).toBeUndefined()
})
