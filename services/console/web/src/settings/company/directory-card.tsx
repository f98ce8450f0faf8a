import { authDirectory } from '@wp/contracts'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/values/values.tsx'
import { tokensQuery as queryKey, useDirectoryTokens } from './queries.ts'

/** The tokens with which a directory adds and removes members. */
export function DirectoryCard() {
  const canChange = useCan()('auth:admin')
  return (
    <Card title="Directory" description="Entra ID, Okta and others add and remove members by SCIM 2.0.">
      {canChange ? <DirectoryTokens /> : <Callout>The tokens of directories need the scope auth:admin.</Callout>}
    </Card>
  )
}

function DirectoryTokens() {
  const { api, refresh } = useWorkspace()
  const [secret, setSecret] = useState<{ base_url: string; token: string }>()
  const [revoking, setRevoking] = useState<{ key_id: string; name: string }>()
  const { data, error, refetch } = useDirectoryTokens()
  const { form, reset, ...state } = useApiForm({
    schema: authDirectory.createScimToken.body.pick({ name: true }),
    defaultValues: { name: undefined },
    onSubmit: async (body) => {
      setSecret(await api.auth.createScimToken({ body }))
      await refresh(queryKey)
      reset({ name: undefined })
    },
  })
  return (
    <Stack>
      <DataTable
        label="Tokens of directories"
        columns={[
          { header: 'Name', cell: ({ name, last4 }) => name ?? `Unnamed token …${last4}` },
          { header: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time value={at} />) },
          {
            header: '',
            align: 'end',
            cell: ({ key_id, name, last4 }) => (
              <Button onClick={() => setRevoking({ key_id, name: name ?? `token …${last4}` })}>Revoke</Button>
            ),
          },
        ]}
        rows={data?.items}
        rowKey={({ key_id }) => key_id}
        error={error}
        onRetry={() => void refetch()}
        empty={<p>No directory is connected yet. Create a token and enter it there.</p>}
      />
      <Form {...state} submitLabel="Create token">
        <FormField form={form} name="name" label="Name" empty="omit" isOptional>
          <Input maxLength={100} autoComplete="off" placeholder="Entra ID" />
        </FormField>
      </Form>
      {secret && (
        <SecretDialog
          title="The token is ready"
          values={[
            { label: 'Tenant URL', variable: 'SCIM_BASE_URL', value: secret.base_url },
            { label: 'Secret token', variable: 'SCIM_TOKEN', value: secret.token, isSecret: true },
          ]}
          fileName="scim-token.env"
          onClose={() => setSecret(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? ''}`}
        confirmLabel="Revoke token"
        onConfirm={async () => {
          await api.auth.deleteScimToken({ params: { key_id: revoking?.key_id ?? '' } })
          await refresh(queryKey)
          setRevoking(undefined)
        }}
      >
        The directory can no longer add or remove members. Those it added stay.
      </ConfirmDialog>
    </Stack>
  )
}
