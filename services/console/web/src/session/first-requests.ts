// Loaded before everything else: requests the session and what the home page shows while the application is loading,
// which then finds the responses (`../api/first-responses.ts`). It imports nothing, so that it is one small file: path
// and header are those of `../api/request-session.ts`, and the paths those of the calls. A test finds one that is not
// used.

const api = '/console/api'
const workspaceId = /^\/console\/(ws_\w+)\/?$/.exec(location.pathname)?.[1]
const homePaths = [
  '/v1/auth/me',
  '/v1/notifications/events?unread=true&limit=1',
  '/v1/data/sources?limit=5',
  '/v1/webhooks/webhooks?limit=100',
  '/v1/solutions/workplace/forecast/runs?limit=5',
  '/v1/solutions/workplace/recommendations?status=open&limit=5',
  '/v1/auth/api-key?limit=1',
  '/v1/auth/admin/service-principals?limit=1',
  '/v1/system/usage',
]

const responses = new Map<string, Promise<Response>>()
globalThis.firstResponses = responses
request(`${api}/session`)
if (workspaceId !== undefined) for (const path of homePaths) request(api + path, workspaceId)

/** @param workspace the workspace of a call of the API */
function request(path: string, workspace = ''): void {
  const headers = { 'x-console': '1', ...(workspace === '' ? {} : { 'x-workspace-key': workspace }) }
  const response = fetch(path, { headers })
  // Reported to the call that uses it, if there is one.
  response.catch(() => undefined)
  responses.set(`${workspace} ${path}`, response)
}

export {}
