import { dropFirstResponses, takeFirstResponse } from './first-responses.ts'

/** The path of the console's own API: session and proxy. */
export const apiPath = '/console/api'

/** Sent with every request: pages of other origins cannot set it without a preflight, which is never answered. */
export const consoleHeaders = { 'x-console': '1' } as const

/** Sends a request to the console's session API. */
export function requestSession(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  if (method === 'POST') dropFirstResponses()
  return fetch(`${apiPath}/session${path}`, {
    method,
    headers: { ...consoleHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Returns the response to the first request for the session, to the first caller; a new response to others. */
export const takeFirstSession = (): Promise<Response> =>
  takeFirstResponse('', `${apiPath}/session`) ?? requestSession('GET', '')
