import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@wp/client/browser'
import { useEffect, useState } from 'react'
import { followEvents } from '../api/follow-events.ts'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { notifySessionEnded } from '../state/session-ended.ts'

/** `connecting` also while a lost connection is made again; `off` if the stream is refused. */
export type FeedConnection = 'connecting' | 'live' | 'off'

/** Reads the feed again whenever a notification arrives. */
export function useLiveFeed(): FeedConnection {
  const workspaceId = useWorkspaceId()
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<FeedConnection>('connecting')
  useEffect(() => {
    const controller = new AbortController()
    const refresh = () => void queryClient.invalidateQueries({ queryKey: [workspaceId, 'notifications'] })
    const follow = async () => {
      const events = followEvents('/v1/notifications/events/stream', {
        workspaceId,
        signal: controller.signal,
        onConnection(state) {
          setConnection(state === 'open' ? 'live' : 'connecting')
          // The stream begins with the next notification: what arrived before is read once more.
          if (state === 'open') refresh()
        },
      })
      for await (const _event of events) refresh()
    }
    follow().catch((error: unknown) => {
      if (controller.signal.aborted) return
      if (error instanceof ApiError && error.status === 401) notifySessionEnded()
      setConnection('off')
    })
    return () => controller.abort()
  }, [workspaceId, queryClient])
  return connection
}
