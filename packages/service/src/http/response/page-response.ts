import type { EndpointDefinition, HtmlPage, Redirect } from '@wp/contracts'
import { pageHeaders } from '../page/page-headers.ts'
import type { HttpResponse } from './http-response.ts'

/** A page or a redirect may hold a sign-in code: it is neither stored nor sent as a referrer. */
const secretHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** Builds the response of an endpoint that responds with an HTML page or a redirect. */
export function buildPageResponse({ method }: EndpointDefinition, result: HtmlPage | Redirect): HttpResponse {
  const { cookies = [] } = result
  const headers = { ...secretHeaders, ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }) }
  if ('location' in result)
    return { status: method === 'GET' ? 302 : 303, headers: { ...headers, location: result.location }, body: '' }
  return {
    status: result.status ?? 200,
    headers: { ...headers, ...pageHeaders(result.html, result.formActionOrigins) },
    body: result.html,
  }
}
