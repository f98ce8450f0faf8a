import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { DefinitionList } from '../../ui/data/definition-list.tsx'
import { Id } from '../../ui/data/id.tsx'
import { Time } from '../../ui/data/time.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Skeleton } from '../../ui/message/skeleton.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { SettingsTabs } from '../settings-tabs.tsx'
import { DangerZone } from './danger-zone.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

/** Name and regional settings of the workspace, and its deletion. */
export function WorkspaceSettingsPage() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'workspace'],
    queryFn: ({ signal }) => api.system.getWorkspace({}, { signal }),
  })
  return (
    <Page title="Settings" isNarrow>
      <SettingsTabs />
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined
        ? !error && <Skeleton height="20rem" />
        : [
            <Card key="settings" title="Workspace">
              <WorkspaceForm workspace={data} />
            </Card>,
            <Card key="details" title="Details">
              <DefinitionList
                items={[
                  ['Id', <Id key="id" value={data.workspace_id} />],
                  ['Slug', <code key="slug">{data.slug}</code>],
                  ['Location', data.location],
                  ['Your role', data.role],
                  ['Created', <Time key="created" value={data.created_at} format="absolute" />],
                ]}
              />
            </Card>,
            <DangerZone key="danger" workspace={data} />,
          ]}
    </Page>
  )
}
