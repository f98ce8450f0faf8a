import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { systemWorkspaces, type Workspace } from '@wp/contracts'
import { sessionQuery } from '../../session/session.ts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmedAction } from '../../ui/dialog/confirm-dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { formatBytes, formatNumber } from '../../ui/format/format.ts'
import { Callout, ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, Stack } from '../../ui/page/page.tsx'
import { DefinitionList, Id, Time } from '../../ui/values/values.tsx'
import { LocaleFields } from '../locale-fields.tsx'

/** Name and regional settings of the workspace, and its deletion. */
export function WorkspaceSettingsPage() {
  const { data, error, refetch } = useApiQuery(['workspace'], (api, options) => api.system.getWorkspace({}, options))
  return (
    <Page title="Workspace" isNarrow>
      {error && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined
        ? !error && <Skeleton height="20rem" />
        : [
            <Card key="settings" title="Name and region">
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

/** The fields that the page shows: the body has metadata too. */
const schema = systemWorkspaces.updateWorkspace.body.pick({ name: true, settings: true })

/** Changes name, time zone and language of the workspace. */
function WorkspaceForm({ workspace: { name, settings } }: { workspace: Workspace }) {
  const { api, workspaceId } = useWorkspace()
  const canWrite = useCan()('workspace:write')
  const queryClient = useQueryClient()
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: { name, settings },
    onSubmit: async (body) => {
      await api.system.updateWorkspace({ body })
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'workspace'] })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      showSuccess('Saved the settings of the workspace')
    },
  })
  return (
    <fieldset disabled={!canWrite}>
      <Form {...state} submitLabel="Save changes">
        {!canWrite && <Callout>Changing these settings needs the scope workspace:write.</Callout>}
        <FormField form={form} name="name" label="Name">
          <Input maxLength={100} autoComplete="organization" />
        </FormField>
        <LocaleFields
          form={form}
          names={{ timezone: 'settings.timezone', locale: 'settings.locale' }}
          current={settings}
        />
        <p>Time zone and language apply to members who have not chosen their own, for example in mails.</p>
      </Form>
    </fieldset>
  )
}

/** Deletes the workspace, after its name was typed. */
function DangerZone({ workspace: { name, role } }: { workspace: Workspace }) {
  const { api, workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isOwner = role === 'owner'
  const remove = async () => {
    await api.system.deleteWorkspace({ query: { confirm: name } })
    await navigate({ to: '/$workspaceId/settings/deletion', params: { workspaceId } })
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Card
      title="Delete the workspace"
      description="With everything in it: data, agents, forecasts, webhooks, keys and members."
      actions={
        isOwner && (
          <ConfirmedAction
            control={(ask) => (
              <Button variant="danger" onClick={ask}>
                Delete workspace
              </Button>
            )}
            title={`Delete ${name}`}
            typedConfirmation={name}
            confirmLabel="Delete workspace"
            onConfirm={remove}
          >
            <Stack>
              <p>
                Every member loses access at once, and every key and token is refused. After the grace period everything
                is deleted for good. The deletion ends with a receipt.
              </p>
              <WhatIsDeleted />
            </Stack>
          </ConfirmedAction>
        )
      }
    >
      {isOwner
        ? 'All credentials of the workspace are refused at once. In a grace period you can cancel the deletion.'
        : 'Only an owner can delete the workspace: ask one of them, who are in the list of members.'}
    </Card>
  )
}

/** Lists what the workspace has of each quota. */
function WhatIsDeleted() {
  const { data } = useApiQuery(['usage', 'quotas'], (api, options) => api.system.usage({}, options))
  const present = data?.quotas.filter(
    ({ current, period, kind, quota }) =>
      period === null && kind === null && quota !== 'workspaces' && current !== null && current > 0,
  )
  if (present === undefined || present.length === 0) return null
  return (
    <Stack>
      <p>It contains now:</p>
      <DefinitionList
        items={present.map(({ quota, unit, current }) => [
          labelOfQuota(quota),
          unit === 'bytes' ? formatBytes(current ?? 0) : formatNumber(current ?? 0),
        ])}
      />
    </Stack>
  )
}

/** Returns the name of a quota in words: `Service principals`. */
const labelOfQuota = (quota: string): string => {
  const words = quota.replaceAll('_', ' ').replace(/^api\b/, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
