import { ApiError } from '@wp/client/browser'
import { apiPath, consoleHeaders } from '../../api/request-session.ts'

/**
 * Deletes a source. The request outlives the page, so that it is also sent when the tab is closed.
 * @throws ApiError for an error response, unless the source does not exist; TypeError if the connection is lost
 */
export async function removeSource(workspaceId: string, sourceId: string): Promise<void> {
  const response = await fetch(`${apiPath}/v1/data/sources/${encodeURIComponent(sourceId)}`, {
    method: 'DELETE',
    headers: { ...consoleHeaders, 'x-workspace-key': workspaceId },
    keepalive: true,
  })
  if (response.ok || response.status === 404) return
  throw new ApiError(response, await response.json().catch(() => undefined))
}
