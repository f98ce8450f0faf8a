/** The path of the console's own API: session and proxy. */
export const apiPath = '/console/api'

/** Sent with every request: pages of other origins cannot set it without a preflight, which is never answered. */
export const consoleHeaders = { 'x-console': '1' } as const

declare global {
  /** The response to the request for the session that the page made first. */
  var firstSession: Promise<Response> | undefined
}

/** Sends a request to the console's session API. After a POST the first response may be out of date, so it is dropped. */
export function requestSession(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  if (method === 'POST') globalThis.firstSession = undefined
  return fetch(`${apiPath}/session${path}`, {
    method,
    headers: { ...consoleHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Returns the response to the first request for the session, to the first caller; a new response to others. */
export function takeFirstSession(): Promise<Response> {
  const first = globalThis.firstSession
  globalThis.firstSession = undefined
  return first ?? requestSession('GET', '')
}
