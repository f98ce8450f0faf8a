import { expect, it } from '@jest/globals'
import { takeFirstSession } from '../../../web/src/api/request-session.ts'

it('the response to the first request for the session is taken once', async () => {
  const response = Response.json({ data: {} })
  globalThis.firstSession = Promise.resolve(response)
  expect(await takeFirstSession()).toBe(response)
  expect(globalThis.firstSession).toBeUndefined()
})
