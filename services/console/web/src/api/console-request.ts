import { ApiError } from '@wp/client/browser'

/** The path of the console's own API: session and proxy. */
export const apiPath = '/console/api'

/** Sent with every request: pages of other origins cannot set it without a preflight, which is never answered. */
export const consoleHeaders = { 'x-console': '1' } as const

/** Calls a GET endpoint of the console's session API. @throws ApiError for an error response */
export const getSession = <Result>(): Promise<Result> => callSession('GET', '')

/** Calls a POST endpoint of the console's session API, without a body if it takes none. @throws ApiError */
export const postSession = <Result>(path: string, body?: object): Promise<Result> => callSession('POST', path, body)

async function callSession<Result>(method: 'GET' | 'POST', path: string, body?: object): Promise<Result> {
  const response = await fetch(`${apiPath}/session${path}`, {
    method,
    headers: { ...consoleHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const parsed: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError(response, parsed)
  return (parsed as { data: Result }).data // the backend of the console declares the shape
}
