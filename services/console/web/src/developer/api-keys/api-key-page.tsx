import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NewApiKey } from '@wp/contracts'
import { useState } from 'react'
import { z } from 'zod'
import { nameOfKey } from '../../names/name-readers.ts'
import { usePrincipalNames } from '../../names/resource-names.ts'
import { ScopeList } from '../../scopes/scope-picker.tsx'
import { useApiQuery, useBaseUrl, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RotateDialog } from '../../ui/dialog/rotate-dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { RequestUsageCard } from '../requests/request-usage-card.tsx'
import { type ApiKeySecret, ApiKeySecretDialog, PreviousSecretNote } from '../shared/secret-dialogs.tsx'
import { apiKeySnippets } from '../shared/snippets.ts'
import { apiKeyStatus } from './api-key-table.tsx'

const route = getRouteApi('/$workspaceId/developer/keys/$keyId')

/** One API key: its scopes, rotation and revocation. */
export function ApiKeyPage() {
  const { keyId } = route.useParams()
  const { api, workspaceId, refresh } = useWorkspace()
  const baseUrl = useBaseUrl()
  const canChange = useCan()('auth:keys')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'rotate' | 'revoke'>()
  const [secret, setSecret] = useState<ApiKeySecret>()
  const [previousExpiresAt, setPreviousExpiresAt] = useState<string | null>()
  const params = { key_id: keyId }
  const { data, error, refetch } = useApiQuery(['api-keys', keyId], (api, options) =>
    api.auth.getApiKey({ params }, options),
  )
  const nameOf = usePrincipalNames([data?.created_by])
  const parent = {
    label: 'Keys',
    link: { to: '/$workspaceId/developer', params: { workspaceId } },
  } as const
  if (data === undefined) return <UnloadedPage title="API key" parent={parent} error={error} refetch={refetch} />
  const name = nameOfKey(data)
  const close = () => setDialog(undefined)
  const rotate = async (overlapSeconds: number) => {
    const rotated = await api.auth.rotateApiKey({ params, body: { overlap_seconds: overlapSeconds } })
    close()
    setSecret(rotated)
    setPreviousExpiresAt(rotated.previous_expires_at)
    await refresh('api-keys')
  }
  const revoke = async () => {
    await api.auth.deleteApiKey({ params })
    await navigate(parent.link)
    showSuccess(`Revoked ${name}`)
    await refresh('api-keys')
  }
  return (
    <Page
      title={name}
      status={<StatusBadge status={apiKeyStatus(data.expires_at, Date.now())} />}
      parent={parent}
      actions={
        canChange && (
          <>
            <Button onClick={() => setDialog('rename')}>Rename</Button>
            <Button onClick={() => setDialog('revoke')}>Revoke</Button>
            <Button variant="primary" onClick={() => setDialog('rotate')}>
              Rotate key
            </Button>
          </>
        )
      }
    >
      {previousExpiresAt !== undefined && <PreviousSecretNote noun="key" until={previousExpiresAt} />}
      <Card title="Credential">
        <DefinitionList
          items={[
            ['Id', <Id key="id" value={data.key_id} />],
            ['Key', <code key="key">…{data.last4}</code>],
            ['Created by', `${isolate(nameOf(data.created_by))}${data.creator_removed ? ' (removed)' : ''}`],
            ['Last used', data.last_used_at ? <Time key="used" value={data.last_used_at} /> : 'Never'],
            ['Expires', data.expires_at ? <Time key="expires" value={data.expires_at} format="absolute" /> : 'Never'],
            ['Rotated', data.rotated_at ? <Time key="rotated" value={data.rotated_at} /> : 'Never'],
            ['Created', <Time key="created" value={data.created_at} format="absolute" />],
          ]}
        />
      </Card>
      <RequestUsageCard credentialId={data.key_id} principalId={data.key_id} />
      <Card title="Scopes" description={formatCount(data.scopes.length, 'scope')}>
        <ScopeList scopes={data.scopes} />
      </Card>
      <Card title="Use it">
        <Snippets label="Use it" snippets={apiKeySnippets(baseUrl)} />
      </Card>
      <RenameKeyDialog
        isOpen={dialog === 'rename'}
        onClose={close}
        name={data.name}
        onRename={async (body) => {
          await api.auth.updateApiKey({ params, body })
          await refresh('api-keys')
          close()
        }}
      />
      <RotateDialog isOpen={dialog === 'rotate'} onClose={close} name={name} noun="key" onRotate={rotate} />
      <ConfirmDialog
        isOpen={dialog === 'revoke'}
        onClose={close}
        title={`Revoke ${name}`}
        confirmLabel="Revoke API key"
        onConfirm={revoke}
      >
        <p>Requests with this key are refused within a second. This cannot be undone.</p>
        <p>Last used: {data.last_used_at ? <Time value={data.last_used_at} /> : 'never'}.</p>
      </ConfirmDialog>
      {secret && <ApiKeySecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

const schema = z.object({ name: NewApiKey.shape.name.unwrap().nullable() })

/** Renames an API key; without a name it is called by the end of its secret. */
const RenameKeyDialog = ({
  isOpen,
  onClose,
  ...form
}: {
  isOpen: boolean
  onClose: () => void
  name: string | null
  onRename: (body: { name: string | null }) => Promise<unknown>
}) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Rename the API key">
    <RenameForm {...form} onClose={onClose} />
  </Dialog>
)

function RenameForm({
  name,
  onRename,
  onClose,
}: {
  name: string | null
  onRename: (body: { name: string | null }) => Promise<unknown>
  onClose: () => void
}) {
  const { form, ...state } = useApiForm({ schema, defaultValues: { name }, onSubmit: onRename })
  return (
    <Form {...state} submitLabel="Rename" onCancel={onClose}>
      <FormField form={form} name="name" label="Name" empty="null" isOptional>
        <Input autoFocus maxLength={100} autoComplete="off" />
      </FormField>
    </Form>
  )
}
