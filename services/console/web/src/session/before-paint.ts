// Runs before the document is shown, and before everything else: chooses the theme, hides the frame of a workspace on
// pages without one, and requests what the home page shows while the application is loading, which then finds the
// responses (`../api/first-responses.ts`). It imports nothing, so that it is one small file: names, path and header are
// those of `../theme/theme.ts`, `./session-requests.ts` and `../api/request-session.ts`, and the paths those of the
// calls. A test finds one that is not used.

const api = '/console/api'
const { pathname } = location
const workspaceId = /^\/console\/(ws_\w+)\/?$/.exec(pathname)?.[1]

/** Each with the scope that it needs: a request without it would be recorded as a denial. */
const homePaths: readonly (readonly [scope: string, path: string])[] = [
  ['', '/v1/auth/me'],
  ['notifications:read', '/v1/notifications/events?unread=true&limit=1'],
  ['solutions:read', '/v1/solutions/workplace/spaces?kind=site&limit=100'],
  ['data:read', '/v1/data/sources?limit=100'],
  ['webhooks:read', '/v1/webhooks/webhooks?limit=100'],
  ['webhooks:read', '/v1/webhooks/destinations?limit=100'],
  ['solutions:read', '/v1/solutions/workplace/forecast/runs?status=finished&limit=20'],
  ['solutions:read', '/v1/solutions/workplace/recommendations?status=open&limit=5'],
  ['solutions:read', '/v1/solutions/workplace/plans?limit=1'],
  ['workspace:read', '/v1/system/usage'],
]

const { dataset } = document.documentElement
const theme = read('console.theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
dataset.theme = isDark ? 'dark' : 'light'
if (!/^\/console(?:\/(?:ws_\w+(?:\/.*)?)?)?$/.test(pathname)) dataset.frame = 'none'

const responses = new Map<string, Promise<Response>>()
globalThis.firstResponses = responses
/** The sign-in page is sent to browsers without a session alone. */
const mayHaveSession = document.currentScript?.dataset.page !== 'sign-in'
if (mayHaveSession) request(`${api}/session`)
const [rememberedWorkspace, ...scopes] = read('console.scopes').split(' ')
if (mayHaveSession && workspaceId !== undefined && workspaceId === rememberedWorkspace)
  for (const [scope, path] of homePaths) if (scope === '' || scopes.includes(scope)) request(api + path, workspaceId)

/** @param workspace the workspace of a call of the API */
function request(path: string, workspace = ''): void {
  const headers = { 'x-console': '1', ...(workspace === '' ? {} : { 'x-workspace-key': workspace }) }
  const response = fetch(path, { headers })
  // Reported to the call that uses it, if there is one.
  response.catch(() => undefined)
  responses.set(`${workspace} ${path}`, response)
}

/** Returns a stored text; empty if there is none, or the browser stores nothing. */
function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

export {}
