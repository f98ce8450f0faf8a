import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ServicePrincipal } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { usePrincipalNames } from '../../names/resource-names.ts'
import { ScopeList } from '../../scopes/scope-picker.tsx'
import { useApiQuery, useBaseUrl, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RotateDialog } from '../../ui/dialog/rotate-dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { ActionMenu } from '../../ui/menu/menu.tsx'
import { showError, showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { Snippets } from '../../ui/values/code-block.tsx'
import { DefinitionList, Id, StatusBadge, Time } from '../../ui/values/values.tsx'
import { RequestUsageCard } from '../requests/request-usage-card.tsx'
import { PreviousSecretNote, type PrincipalSecret, PrincipalSecretDialog } from '../shared/secret-dialogs.tsx'
import { principalSnippets } from '../shared/snippets.ts'
import { ServicePrincipalForm, type ServicePrincipalValues } from './service-principal-form.tsx'

const route = getRouteApi('/$workspaceId/developer/service-principals/$clientId')

type OpenDialog = 'edit' | 'rotate' | 'disable' | 'delete'

/** One service principal: its scopes, rotation of its secret, disabling and deletion. */
export function ServicePrincipalPage() {
  const { clientId } = route.useParams()
  const { api, workspaceId, refresh } = useWorkspace()
  const canChange = useCan()('auth:admin')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [secret, setSecret] = useState<PrincipalSecret>()
  const [previousExpiresAt, setPreviousExpiresAt] = useState<string | null>()
  const params = { client_id: clientId }
  const { data, error, refetch } = useApiQuery(['service-principals', clientId], (api, options) =>
    api.auth.getServicePrincipal({ params }, options),
  )
  const parent = {
    label: 'Keys',
    link: { to: '/$workspaceId/developer', params: { workspaceId } },
  } as const
  if (error || data === undefined)
    return <UnloadedPage title="Service principal" parent={parent} error={error} refetch={refetch} />
  const close = () => setDialog(undefined)
  const setStatus = async (status: 'active' | 'disabled') => {
    await api.auth.updateServicePrincipal({ params, body: { status } })
    await refresh('service-principals')
    if (status === 'disabled') showSuccess(`Disabled ${data.name}`, () => void setStatus('active').catch(showError))
    else showSuccess(`Enabled ${data.name}`)
  }
  const update = async (body: ServicePrincipalValues) => {
    await api.auth.updateServicePrincipal({ params, body })
    await refresh('service-principals')
    close()
  }
  const rotate = async (overlapSeconds: number) => {
    const rotated = await api.auth.rotateServicePrincipalSecret({ params, body: { overlap_seconds: overlapSeconds } })
    close()
    setSecret(rotated)
    setPreviousExpiresAt(rotated.previous_expires_at)
    await refresh('service-principals')
  }
  const remove = async () => {
    await api.auth.deleteServicePrincipal({ params })
    await navigate(parent.link)
    showSuccess(`Deleted ${data.name}`)
    await refresh('service-principals')
  }
  const isActive = data.status === 'active'
  return (
    <Page
      title={data.name}
      status={<StatusBadge status={data.status} />}
      parent={parent}
      actions={
        canChange && (
          <>
            <Button onClick={() => setDialog('edit')}>Edit</Button>
            <Button variant="primary" onClick={() => setDialog('rotate')}>
              Rotate secret
            </Button>
            <ActionMenu
              label={`Actions of ${data.name}`}
              entries={[
                isActive
                  ? { label: 'Disable', icon: 'stop', onSelect: () => setDialog('disable') }
                  : { label: 'Enable', icon: 'play', onSelect: () => void setStatus('active').catch(showError) },
                'separator',
                { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') },
              ]}
            />
          </>
        )
      }
    >
      {previousExpiresAt !== undefined && <PreviousSecretNote noun="secret" until={previousExpiresAt} />}
      <ServicePrincipalDetails principal={data} />
      <Dialog isOpen={dialog === 'edit'} onClose={close} size="wide" title={`Edit ${data.name}`}>
        <ServicePrincipalForm values={data} submitLabel="Save changes" onSubmit={update} onCancel={close} />
      </Dialog>
      <RotateDialog isOpen={dialog === 'rotate'} onClose={close} name={data.name} noun="secret" onRotate={rotate} />
      <ConfirmDialog
        isOpen={dialog === 'disable'}
        onClose={close}
        title={`Disable ${data.name}`}
        confirmLabel="Disable"
        onConfirm={() => setStatus('disabled')}
      >
        Its secret and access tokens are refused within a second. You can enable it again at any time.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`Delete ${data.name}`}
        confirmLabel="Delete service principal"
        onConfirm={remove}
      >
        <p>Its secret and access tokens stop working within a second. This cannot be undone.</p>
        <p>
          Last used: {data.last_used_at ? <Time value={data.last_used_at} /> : 'never'}. To stop it for a while, disable
          it instead.
        </p>
      </ConfirmDialog>
      {secret && <PrincipalSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

/** Shows a service principal with its scopes and snippets. */
function ServicePrincipalDetails({ principal: data }: { principal: z.infer<typeof ServicePrincipal> }) {
  const baseUrl = useBaseUrl()
  const nameOf = usePrincipalNames([data.created_by])
  return (
    <>
      <Card title="Credential">
        <DefinitionList
          items={[
            ['Client id', <Id key="id" value={data.client_id} label="Copy client id" />],
            ['Workspace id', <Id key="workspace" value={data.workspace_id} label="Copy workspace id" />],
            ['Client secret', 'Shown once, when it is created or rotated'],
            ['Environment', data.environment],
            ['Created by', `${isolate(nameOf(data.created_by))}${data.creator_removed ? ' (removed)' : ''}`],
            ['Last used', data.last_used_at ? <Time key="used" value={data.last_used_at} /> : 'Never'],
            [
              'Secret rotated',
              data.secret_rotated_at ? <Time key="rotated" value={data.secret_rotated_at} /> : 'Never',
            ],
            ['Created', <Time key="created" value={data.created_at} format="absolute" />],
            ['Changed', <Time key="updated" value={data.updated_at} />],
          ]}
        />
      </Card>
      <RequestUsageCard credentialId={data.client_id} principalId={data.client_id} />
      <Card title="Scopes" description={formatCount(data.scopes.length, 'scope')}>
        <ScopeList scopes={data.scopes} />
      </Card>
      <Card title="Use it">
        <Snippets
          label="Use it"
          snippets={principalSnippets({ baseUrl, workspaceId: data.workspace_id, clientId: data.client_id })}
        />
      </Card>
    </>
  )
}
