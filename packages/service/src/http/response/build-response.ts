import type { EndpointDefinition, FileResponse, HtmlPage, HttpResult, Redirect } from '@wp/contracts'
import { buildFileResponse } from './file-response.ts'
import type { HttpResponse } from './http-response.ts'
import { buildJsonResponse } from './json-response.ts'
import { buildPageResponse } from './page-response.ts'

/**
 * Builds the response an endpoint declares from the result of its operation. Fields the contract does not declare are
 * removed. For a stream of events use `eventStreamResponse` instead.
 * @param base the public base address, for `Location`
 * @throws if the result does not match the contract: always a defect of the service, never of the caller
 */
export function buildResponse(
  definition: EndpointDefinition,
  result: unknown,
  base: string,
  params: Record<string, string>,
): HttpResponse {
  switch (definition.response ?? 'json') {
    case 'html':
    case 'redirect':
    case 'html-or-redirect':
      return buildPageResponse(definition, result as HtmlPage | Redirect) // the type of every such operation
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
