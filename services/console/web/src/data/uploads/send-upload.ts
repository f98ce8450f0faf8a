import { ApiError, type Client } from '@wp/client/browser'
import { apiPath, consoleHeaders } from '../../api/request-session.ts'

type UploadResponse = Awaited<ReturnType<Client['data']['uploadRecords']>>

export interface UploadRequest {
  workspaceId: string
  sourceId: string
  file: File
  contentType: string
  query: Record<string, string>
  /** The same key for every attempt, so that an upload that had succeeded is not repeated. */
  idempotencyKey: string
  onProgress: (sentBytes: number) => void
}

/** The connection was lost before there was a response. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/**
 * Uploads a file. XMLHttpRequest reports how much has been sent, which `fetch` does not.
 * @throws ApiError for an error response; ConnectionLost; the reason of the signal
 */
export function sendUpload(request: UploadRequest, signal: AbortSignal): Promise<UploadResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadResponse>()
  const xhr = new XMLHttpRequest()
  const lose = () => {
    reject(new ConnectionLost('The connection was lost'))
    xhr.abort()
  }
  const abort = () => {
    reject(signal.reason)
    xhr.abort()
  }
  xhr.upload.onprogress = ({ loaded }) => request.onProgress(loaded)
  xhr.onerror = lose
  xhr.onload = () => {
    const body = parseJson(xhr.responseText)
    if (xhr.status < 200 || xhr.status >= 300) return reject(toApiError(xhr, body))
    const { data } = body as { data: never } // the response of the endpoint, which the contract declares
    resolve({ status: xhr.status === 202 ? 'accepted' : 'ok', data })
  }
  window.addEventListener('offline', lose)
  signal.addEventListener('abort', abort)
  open(xhr, request)
  return promise.finally(() => {
    window.removeEventListener('offline', lose)
    signal.removeEventListener('abort', abort)
  })
}

function open(xhr: XMLHttpRequest, { workspaceId, sourceId, file, contentType, query, idempotencyKey }: UploadRequest) {
  const search = new URLSearchParams(query)
  xhr.open('POST', `${apiPath}/v1/data/sources/${encodeURIComponent(sourceId)}/records?${search}`)
  const headers = {
    ...consoleHeaders,
    'content-type': contentType,
    'idempotency-key': idempotencyKey,
    'x-workspace-key': workspaceId,
  }
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
  xhr.send(file)
}

function toApiError(xhr: XMLHttpRequest, body: unknown): ApiError {
  const requestId = xhr.getResponseHeader('x-request-id')
  const headers: Record<string, string> = requestId === null ? {} : { 'x-request-id': requestId }
  return new ApiError(new Response(null, { status: xhr.status, headers }), body)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
