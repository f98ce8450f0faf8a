import type { EndpointDefinition, FileResponse, HtmlPage, HttpResult, Redirect } from '@wp/contracts'
import { addBrand, defaultProductName } from '../page/brand.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { buildFileResponse } from './file-response.ts'
import { buildJsonResponse } from './json-response.ts'
import type { HttpResponse } from './send-response.ts'

/**
 * Builds the response an endpoint declares from the result of its operation. Fields the contract does not declare are
 * removed. For a stream of events use `eventStreamResponse` instead.
 * @param base the public base address, for `Location`
 * @param productName shown on pages
 * @throws if the result does not match the contract: always a defect of the service, never of the caller
 */
export function buildResponse(
  definition: EndpointDefinition,
  result: unknown,
  base: string,
  params: Record<string, string>,
  productName: string = defaultProductName,
): HttpResponse {
  switch (definition.response ?? 'json') {
    case 'html':
    case 'redirect':
    case 'html-or-redirect':
      return buildPageResponse(definition, result as HtmlPage | Redirect, productName) // the type of every such operation
    case 'file':
      return buildFileResponse(definition, result as FileResponse) // likewise
    case 'http':
      return buildHttpResult(result as HttpResult) // likewise
    case 'events':
      throw new Error(`${definition.id} responds with a stream of events`)
    case 'json':
    case 'json-or-events':
      return buildJsonResponse(definition, result, base, params)
  }
}

const buildHttpResult = ({ status, headers, body }: HttpResult): HttpResponse => ({
  status,
  headers: { 'cache-control': 'no-store', ...headers },
  body: typeof body === 'string' ? body : () => body,
})

/** A page or a redirect may hold a sign-in code: it is neither stored nor sent as a referrer. */
const secretHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** Builds the response of an endpoint that responds with an HTML page or a redirect. */
function buildPageResponse(
  { method }: EndpointDefinition,
  result: HtmlPage | Redirect,
  productName: string,
): HttpResponse {
  const { cookies = [] } = result
  const headers = { ...secretHeaders, ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }) }
  if ('location' in result)
    return { status: method === 'GET' ? 302 : 303, headers: { ...headers, location: result.location }, body: '' }
  return {
    status: result.status ?? 200,
    headers: { ...headers, ...pageHeaders(result.html, result.formActionOrigins) },
    body: addBrand(result.html, productName),
  }
}
