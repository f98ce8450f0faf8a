import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type NotificationSettings, NotificationSettingsPatch } from '@wp/contracts'
import { changeSearch } from '../../api/search-params.ts'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { TimeField } from '../../ui/date/time-field.tsx'
import { Checkbox } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Callout, Unloaded } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Page } from '../../ui/page/page.tsx'
import { ChannelMatrix } from './channel-matrix.tsx'
import { DigestCard } from './digest-card.tsx'
import { SlackCard } from './slack-card.tsx'
import { browserZone, ZoneInput } from './zone-input.tsx'

const route = getRouteApi('/$workspaceId/notifications/settings')

/** Changes the notification settings of the user, or the defaults of the workspace. */
export function SettingsPage() {
  const search = route.useSearch()
  const level: 'user' | 'workspace' = search.level ?? 'user'
  const navigate = route.useNavigate()
  const { api, workspaceId } = useWorkspace()
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
      <AreaTabs area="Notifications" />
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
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="24rem" />
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

const schema = NotificationSettingsPatch.pick({ quiet_hours: true })

/** Hours in which mails and Slack messages wait. */
function QuietHoursCard({
  settings: { quiet_hours },
  onSave,
}: {
  settings: NotificationSettings
  onSave: (patch: NotificationSettingsPatch) => Promise<void>
}) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { quiet_hours },
    onSubmit: async (body) => {
      await onSave(body)
      showSuccess('Saved the quiet hours')
    },
  })
  const isOn = Boolean(form.watch('quiet_hours'))
  const toggle = (value: boolean) =>
    form.setValue(
      'quiet_hours',
      value ? (quiet_hours ?? { start: '20:00', end: '07:00', timezone: browserZone() }) : null,
    )
  return (
    <Card title="Quiet hours" description="Mails and Slack messages wait for their end, unless they are critical.">
      <Form {...state} submitLabel="Save quiet hours">
        <Checkbox label="Use quiet hours" checked={isOn} onChange={({ target }) => toggle(target.checked)} />
        {isOn && (
          <FieldRow>
            <TimeField form={form} name="quiet_hours.start" label="From" />
            <TimeField form={form} name="quiet_hours.end" label="To" />
            <FormField form={form} name="quiet_hours.timezone" label="Time zone">
              <ZoneInput />
            </FormField>
          </FieldRow>
        )}
      </Form>
    </Card>
  )
}
