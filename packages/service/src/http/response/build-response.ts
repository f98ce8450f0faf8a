import type { EndpointDefinition, FileResponse, HtmlPage, HttpResult, Redirect } from '@wp/contracts'
import { addBrand, defaultProductName } from '../page/html.ts'
import { pageHeaders } from '../page/page-headers.ts'
import { buildJsonResponse } from './json-response.ts'
import { type HttpResponse, privateCaching } from './send-response.ts'

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

/** Builds the response of an endpoint that responds with a file. @throws if the endpoint does not declare its type */
function buildFileResponse(
  { id, fileTypes = [], secret }: EndpointDefinition,
  { contentType, filename, disposition = 'attachment', length, etag, open }: FileResponse,
): HttpResponse {
  if (!fileTypes.includes(contentType)) throw new Error(`${id} does not declare the file type ${contentType}`)
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition(disposition, filename),
      'x-content-type-options': 'nosniff',
      ...(secret === undefined ? privateCaching : { 'cache-control': 'no-store' }),
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...(etag === undefined ? {} : { etag: `"${etag}"` }),
    },
    body: length === undefined ? open : () => withLength(open(), length),
  }
}

/** Yields the content. @throws before a byte too much is sent, or at the end if bytes are missing */
async function* withLength(content: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of content) {
    sent += chunk.length
    if (sent > length) break
    yield chunk
  }
  if (sent !== length) throw new Error(`the content of a file differs from its length of ${length} bytes`)
}

/**
 * Formats `Content-Disposition` (RFC 6266): an ASCII file name for old clients, and the exact one percent-encoded
 * (RFC 8187) where the two differ.
 */
export function contentDisposition(disposition: 'attachment' | 'inline', filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const plain = `${disposition}; filename="${ascii}"`
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeExtValue(filename)}`
}

/** Percent-encodes all but the characters that RFC 8187 section 3.2.1 allows. */
const encodeExtValue = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
