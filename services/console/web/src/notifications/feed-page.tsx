import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '@wp/client/browser'
import { useEffect, useState } from 'react'
import { followEvents } from '../api/follow-events.ts'
import { changeSearch } from '../api/search-params.ts'
import { notifySessionEnded } from '../api/session-state.ts'
import { useApiQuery, useWorkspace, useWorkspaceId } from '../session/workspace-context.tsx'
import { AreaTabs } from '../shell/area-tabs.tsx'
import { Button } from '../ui/button/button.tsx'
import { formatCount } from '../ui/format/format.ts'
import { Segmented } from '../ui/menu/tabs.tsx'
import { EmptyState, ErrorMessage, Skeleton } from '../ui/message/message.tsx'
import { showError, showSuccess } from '../ui/message/toast.ts'
import { Card, Page } from '../ui/page/page.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Badge } from '../ui/values/values.tsx'
import { FeedItem } from './feed-item.tsx'
import styles from './notifications.module.css'

const route = getRouteApi('/$workspaceId/notifications')

/** The notifications of the user, as they arrive. */
export function FeedPage() {
  const search = route.useSearch()
  const { cursor, unread: isUnreadOnly = false } = search
  const navigate = route.useNavigate()
  const { api, refresh } = useWorkspace()
  const connection = useLiveFeed()
  const { data, error, refetch } = useApiQuery(['notifications', 'feed', search], (api, options) =>
    api.notifications.listNotifications(
      { query: { ...(cursor && { cursor }), ...(isUnreadOnly && { unread: 'true' }) } },
      options,
    ),
  )
  const readOne = async (id: string) => {
    await api.notifications.readNotification({ params: { id } }).catch(showError)
    await refresh('notifications')
  }
  const readAll = useMutation({
    mutationFn: () => api.notifications.readAllNotifications(),
    onSuccess: async ({ read }) => {
      await refresh('notifications')
      showSuccess(`Marked ${formatCount(read, 'notification')} as read`)
    },
    onError: showError,
  })
  const unread = data?.meta.unread_count ?? 0
  return (
    <Page
      title="Notifications"
      status={connection === 'live' && <Badge tone="success">Live</Badge>}
      description="What happened in the workspace that you may want to know of."
      actions={
        <Button disabled={unread === 0} isBusy={readAll.isPending} onClick={() => readAll.mutate()}>
          Mark all as read
        </Button>
      }
    >
      <AreaTabs area="Notifications" />
      <Card isFlush>
        <div className={styles.bar}>
          <Segmented
            label="Filter"
            value={isUnreadOnly ? 'unread' : 'all'}
            options={[
              { value: 'all', label: 'All' },
              { value: 'unread', label: `Unread (${unread})` },
            ]}
            onChange={(value) =>
              void navigate({
                search: changeSearch(search, { unread: value === 'unread' ? true : undefined, cursor: undefined }),
              })
            }
          />
          <span className="visually-hidden" role="status">
            {data && formatCount(unread, 'unread notification')}
          </span>
        </div>
        {error ? (
          <div className={styles.state}>
            <ErrorMessage error={error} onRetry={() => void refetch()} />
          </div>
        ) : data === undefined ? (
          <div className={styles.state}>
            <Skeleton height="16rem" />
          </div>
        ) : data.items.length === 0 ? (
          <EmptyFeed isUnreadOnly={isUnreadOnly} />
        ) : (
          <ul>
            {data.items.map((notification) => (
              <FeedItem key={notification.id} notification={notification} onRead={readOne} />
            ))}
          </ul>
        )}
        {data && <Pager nextCursor={data.nextCursor} shown={data.items.length} noun="notifications" />}
      </Card>
    </Page>
  )
}

function EmptyFeed({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  if (isUnreadOnly)
    return (
      <EmptyState icon="check" title="Everything is read">
        New notifications appear here as they arrive.
      </EmptyState>
    )
  return (
    <EmptyState icon="bell" title="No notifications yet">
      Finished syncs, forecasts and assistants, failing webhooks and security events appear here as they happen.
    </EmptyState>
  )
}

/** `connecting` also while a lost connection is made again; `off` if the stream is refused. */
type FeedConnection = 'connecting' | 'live' | 'off'

/** Reads the feed again whenever a notification arrives. */
function useLiveFeed(): FeedConnection {
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
