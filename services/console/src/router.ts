import type { IncomingMessage, ServerResponse } from 'node:http'
import { portalPath } from '@wp/contracts'
import type { SiteHandler, SiteRequestContext } from '@wp/service'
import type { Context } from './context.ts'
import { servePage } from './page/serve-page.ts'
import { translateError } from './platform/translate-error.ts'
import { servePortal } from './portal/serve-portal.ts'
import { createEndpointMatcher, type EndpointMatcher } from './proxy/endpoint-matcher.ts'
import { serveProxy } from './proxy/serve-proxy.ts'
import { serveSession } from './serve-session.ts'
import { rejectForeignRequest } from './session/request-guard.ts'
import { isSessionEnded } from './session/session-ended.ts'

const apiPath = '/console/api'
const sessionPath = `${apiPath}/session`

/** Creates the handler of all requests of the console, by path. */
export function createRouter(context: Context): SiteHandler {
  const matcher = createEndpointMatcher()
  return async (request, response, site) => {
    const [path = '', query] = splitTarget(request.url ?? '')
    if (path === apiPath || path.startsWith(`${apiPath}/`))
      return await serveApi(context, matcher, { request, response, site, path, query })
    if (path === portalPath || path.startsWith(`${portalPath}/`))
      return await servePortal(context, request, response, path)
    await servePage(context, request, response, path)
  }
}

interface ApiRequest {
  request: IncomingMessage
  response: ServerResponse
  site: SiteRequestContext
  path: string
  query: string | undefined
}

/** Serves the API of the console: its own endpoints, and those of the platform that it proxies. */
async function serveApi(context: Context, matcher: EndpointMatcher, api: ApiRequest): Promise<void> {
  const { request, response, site, path } = api
  const { origin } = new URL(context.config.PUBLIC_BASE_URL)
  try {
    if (path === sessionPath || path.startsWith(`${sessionPath}/`)) {
      rejectForeignRequest(request.headers, { origin })
      return await serveSession(context, request, response, { path: path.slice(sessionPath.length), site })
    }
    const apiPathOfRequest = path.slice(apiPath.length)
    const definition = matcher.find(request.method ?? '', apiPathOfRequest)
    rejectForeignRequest(request.headers, { origin, isDownload: definition.response === 'file' })
    const target = apiPathOfRequest + (api.query === undefined ? '' : `?${api.query}`)
    await serveProxy(context, request, response, { definition, target, site })
  } catch (error) {
    if (isSessionEnded(error) && !response.headersSent)
      response.setHeader('set-cookie', context.cookies.session.clear())
    throw translateError(error)
  }
}

/** Splits at the first question mark; later ones are part of the query. */
function splitTarget(url: string): [path: string, query: string | undefined] {
  const mark = url.indexOf('?')
  return mark === -1 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)]
}
