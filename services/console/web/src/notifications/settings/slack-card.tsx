import { type NotificationSettings, NotificationSettingsPatch } from '@wp/contracts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'

const schema = NotificationSettingsPatch.pick({ slack: true })

interface CardProps {
  settings: NotificationSettings
  onSave: (patch: NotificationSettingsPatch) => Promise<void>
}

/** The integration and the channel that Slack messages go to. */
export function SlackCard({ settings, onSave }: CardProps) {
  const canRead = useCan()('integrations:read')
  const { data, error, refetch } = useApiQuery(
    ['integrations', 'slack'],
    (api, options) => api.integrations.listIntegrations({ query: { provider: 'slack', limit: 100 } }, options),
    { enabled: canRead },
  )
  return (
    <Card title="Slack" description="Messages are posted by an integration of the workspace.">
      {!canRead && <p>Choosing an integration needs the scope integrations:read.</p>}
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data &&
        (data.items.length === 0 && settings.slack === null ? (
          <p>
            There is no Slack integration yet. <Link to="/$workspaceId/integrations/new">Connect Slack</Link>
          </p>
        ) : (
          <SlackForm settings={settings} onSave={onSave} integrations={data.items} />
        ))}
    </Card>
  )
}

function SlackForm({
  settings: { slack },
  onSave,
  integrations,
}: CardProps & { integrations: readonly { integration_id: string; name: string }[] }) {
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { slack },
    onSubmit: async (body) => {
      await onSave(body)
      showSuccess('Saved the Slack channel')
    },
  })
  const chosen = form.watch('slack')?.integration_id ?? ''
  const choose = (id: string) =>
    form.setValue('slack', id === '' ? null : { integration_id: id, channel: slack?.channel ?? null })
  return (
    <Form {...state} submitLabel="Save Slack">
      <FieldRow>
        <Field label="Integration" error={errorOf(form, 'slack.integration_id') ?? errorOf(form, 'slack')}>
          <Select
            value={chosen}
            onChange={({ target }) => choose(target.value)}
            options={[
              { value: '', label: 'None' },
              ...integrations.map(({ integration_id: value, name }) => ({ value, label: name })),
              ...(slack !== null && integrations.every(({ integration_id }) => integration_id !== slack.integration_id)
                ? [{ value: slack.integration_id, label: `${slack.integration_id} (deleted)` }]
                : []),
            ]}
          />
        </Field>
        {chosen !== '' && (
          <FormField
            form={form}
            name="slack.channel"
            label="Channel"
            hint="Of a bot. Leave it empty for an incoming webhook."
            isOptional
            empty="null"
          >
            <Input placeholder="#operations" />
          </FormField>
        )}
      </FieldRow>
    </Form>
  )
}
