import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { NotificationSettingsPatch } from '@wp/contracts'
import { changeSearch } from '../../api/search-params.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Callout } from '../../ui/message/callout.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Skeleton } from '../../ui/message/skeleton.tsx'
import { Card, Cluster, Page } from '../../ui/page/page.tsx'
import { NotificationTabs } from '../notification-tabs.tsx'
import { ChannelMatrix } from './channel-matrix.tsx'
import { DigestCard } from './digest-card.tsx'
import { QuietHoursCard } from './quiet-hours-card.tsx'
import { SlackCard } from './slack-card.tsx'

const route = getRouteApi('/$workspaceId/notifications/settings')

/** Changes the notification settings of the user, or the defaults of the workspace. */
export function SettingsPage() {
  const search = route.useSearch()
  const level: 'user' | 'workspace' = search.level ?? 'user'
  const navigate = route.useNavigate()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canSetDefaults = useCan()('notifications:write')
  const queryClient = useQueryClient()
  const queryKey = [workspaceId, 'notifications', 'settings', level]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.notifications.getSettings({ query: { level } }, { signal }),
  })
  const save = async (body: NotificationSettingsPatch) => {
    const saved = await api.notifications.updateSettings({ query: { level }, body })
    queryClient.setQueryData(queryKey, saved)
    if (level === 'workspace')
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'notifications', 'settings'] })
  }
  const isReadOnly = level === 'workspace' && !canSetDefaults
  return (
    <Page title="Notifications" description="By which channels notifications reach you, and when.">
      <NotificationTabs />
      <Cluster>
        <Segmented
          label="Settings of"
          value={level}
          options={[
            { value: 'user', label: 'My settings' },
            { value: 'workspace', label: 'Workspace defaults' },
          ]}
          onChange={(value) => void navigate({ search: changeSearch(search, { level: value }) })}
        />
      </Cluster>
      {level === 'workspace' && (
        <Callout>
          {isReadOnly
            ? 'Changing the defaults needs the scope notifications:write.'
            : 'Members follow these defaults in everything that they have not set themselves.'}
        </Callout>
      )}
      {error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height="24rem" />
      ) : (
        <fieldset key={level} disabled={isReadOnly} style={{ display: 'grid', gap: 'var(--space-5)' }}>
          <legend className="visually-hidden">Notification settings</legend>
          <Card title="Channels" description="Changes are saved at once." isFlush>
            <ChannelMatrix settings={data} onSave={save} />
          </Card>
          <QuietHoursCard settings={data} onSave={save} />
          <DigestCard settings={data} onSave={save} />
          <SlackCard settings={data} onSave={save} />
        </fieldset>
      )}
    </Page>
  )
}
