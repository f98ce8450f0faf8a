import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, problem, type SiteDefinition, sites } from '@wp/contracts'
import { assertionHeader, sendProblem } from '@wp/service'
import type { Context } from './context.ts'
import { sanitizeHeaders } from './forward/sanitize-headers.ts'
import { anonymousSubject } from './identify/auth-calls.ts'
import { clientAddress } from './identify/client-address.ts'
import { rejectRepeatedHeaders } from './identify/credential.ts'
import { traceRequest } from './request-trace.ts'

const pageMethods = ['GET', 'HEAD']
const apiMethods = [...pageMethods, 'POST', 'PUT', 'PATCH', 'DELETE']

interface SiteRequestOptions {
  matched: MatchedSite
  path: string
  requestId: string
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1). */
  awaitsContinue: boolean
}

type SiteProxy = (request: IncomingMessage, response: ServerResponse, options: SiteRequestOptions) => Promise<void>

/**
 * Creates the handler of requests of sites: it checks, limits by client network, sanitizes, signs for the anonymous
 * caller and forwards. A site identifies its users itself, by its cookies.
 */
export function createSiteProxy(context: Context): SiteProxy {
  const { config, log, metrics, tracing, signer, upstreams } = context
  const idleMs = {
    page: 1000 * config.UPSTREAM_TIMEOUT_SECONDS,
    // the requests that the site forwards to the API have time limits of their own there
    api: 1000 * Math.max(config.UPSTREAM_TIMEOUT_SECONDS, config.UPLOAD_TIMEOUT_SECONDS, config.LONG_TIMEOUT_SECONDS),
  }

  return async (request, response, { matched, path, requestId, awaitsContinue }) => {
    const { headers } = request
    const { site, isApi } = matched
    const startedAt = context.now()
    const id = `site:${site.service}`
    const trace = traceRequest(tracing, request, response, { id, path: site.path })
    const reject = (error: unknown) => {
      metrics.count('edge_refusals', { code: error instanceof Problem ? error.code : 'internal_error' })
      // A person who opened a link, which a mail program may have broken, reads a page.
      const format = !isApi && headers.accept?.includes('text/html') === true ? 'page' : 'problem'
      const { PUBLIC_BASE_URL: base, PRODUCT_NAME: productName } = config
      sendProblem(response, error, { base, requestId, log, format, productName })
    }
    response.on('close', () => {
      const labels = { endpoint: id, status: String(response.statusCode) }
      metrics.observe('edge_request_seconds', (context.now() - startedAt) / 1000, labels, trace.traceparent)
    })
    try {
      const address = clientAddress(request, config.TRUSTED_PROXIES)
      context.openEndpointLimits.admitSite(address, response)
      checkSiteRequest(matched, request.method ?? '', path)
      rejectRepeatedHeaders(request.rawHeaders)
      const subject = anonymousSubject(config)
      const assertion = await signer.sign(subject, site.service)
      if (response.destroyed) return // the client has closed the connection
      const traceparent = trace.forward(site.service)
      sanitizeHeaders(headers, { cookies: (name) => site.cookies.includes(name), workspaceKey: isApi })
      Object.assign(headers, {
        'x-request-id': requestId,
        traceparent,
        'x-forwarded-for': address,
        [assertionHeader]: assertion,
      })
      if (awaitsContinue) response.writeContinue()
      context.forward(request, response, {
        target: upstreams.addressOf(site.service, subject.shard),
        transport: isApi ? 'streaming' : 'buffered',
        idleMs: isApi ? idleMs.api : idleMs.page,
        onFailure: reject,
      })
    } catch (error) {
      reject(error)
    }
  }
}

/** The site of a request, and the part of it that the path names. */
interface MatchedSite {
  site: SiteDefinition
  /** The path is in the site's own API. */
  isApi: boolean
}

/** Returns the site of a path; undefined if it belongs to none. */
export function findSite(path: string): MatchedSite | undefined {
  const site = sites.find((candidate) => isBelow(path, candidate.path))
  return site && { site, isApi: site.apiPath !== undefined && isBelow(path, site.apiPath) }
}

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

/**
 * Checks that a site may be asked for this.
 *
 * @throws Problem 404 for a path that a parser downstream could read as another one; 405 with `Allow`
 */
function checkSiteRequest({ site, isApi }: MatchedSite, method: string, path: string): void {
  const segments = path.slice(site.path.length).split('/').slice(1)
  const isFolder = segments.at(-1) === ''
  if (!(isFolder ? segments.slice(0, -1) : segments).every(isPlainSegment))
    throw problem('not_found', { detail: 'No page has this path' })
  const allowed = isApi ? apiMethods : pageMethods
  if (!allowed.includes(method)) throw problem('method_not_allowed', { headers: { allow: allowed.join(', ') } })
}

/**
 * Accepts a segment that means the same however often it is decoded, and whether or not parameters after `;` are part
 * of it: it is no parent directory and contains no separator.
 */
function isPlainSegment(segment: string): boolean {
  if (!/^[A-Za-z0-9._~%:@!$&'()*+,;=-]+$/.test(segment)) return false
  const decoded = decode(decode(segment) ?? '/')
  return decoded !== undefined && !/^\.{1,2}(?:;|$)/.test(decoded) && !/[/\\\0]/.test(decoded)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
