import { ApiError } from '@wp/client/browser'
import { apiPath, consoleHeaders } from './request-session.ts'

/**
 * Downloads the file of an endpoint and saves it under the name of the response. A link could not name the workspace.
 * @param path path and query of the endpoint, such as `/v1/…/content?format=csv`
 * @throws ApiError for an error response
 */
export async function downloadFile(workspaceId: string, path: string, fallbackName: string): Promise<void> {
  const response = await fetch(apiPath + path, { headers: { ...consoleHeaders, 'x-workspace-key': workspaceId } })
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
  downloadBlob(await response.blob(), fileNameOf(response.headers.get('content-disposition')) ?? fallbackName)
}

/** Returns the name of a response (RFC 6266): the exact one where there is one besides that in ASCII. */
export function fileNameOf(disposition: string | null): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition ?? '') ?? []
  const [, ascii] = /filename="([^"/\\]+)"/.exec(disposition ?? '') ?? []
  try {
    return encoded === undefined ? ascii : decodeURIComponent(encoded)
  } catch {
    return ascii
  }
}

/** Saves a text as a file of the person. */
export const downloadText = (text: string, fileName: string, type = 'text/plain'): void =>
  downloadBlob(new Blob([text], { type }), fileName)

/** Saves content as a file of the person. */
export function downloadBlob(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
