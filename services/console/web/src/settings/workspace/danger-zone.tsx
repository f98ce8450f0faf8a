import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Workspace } from '@wp/contracts'
import { useState } from 'react'
import { sessionQuery } from '../../session/session.ts'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DefinitionList } from '../../ui/data/definition-list.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { formatBytes, formatNumber } from '../../ui/format/format.ts'
import { Card, Stack } from '../../ui/page/page.tsx'

/** Deletes the workspace, after its name was typed. */
export function DangerZone({ workspace: { name, role } }: { workspace: Workspace }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
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
        <Button variant="danger" disabled={!isOwner} onClick={() => setConfirming(true)}>
          Delete workspace
        </Button>
      }
    >
      {isOwner
        ? 'All credentials of the workspace are refused at once. In a grace period you can cancel the deletion.'
        : 'Only an owner can delete the workspace.'}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Delete ${name}`}
        typedConfirmation={name}
        confirmLabel="Delete workspace"
        onConfirm={remove}
      >
        <Stack>
          <p>
            Every member loses access at once, and every key and token is refused. After the grace period everything is
            deleted for good. The deletion ends with a receipt.
          </p>
          <WhatIsDeleted />
        </Stack>
      </ConfirmDialog>
    </Card>
  )
}

/** Lists what the workspace has of each quota. */
function WhatIsDeleted() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const { data } = useQuery({
    queryKey: [workspaceId, 'usage', 'quotas'],
    queryFn: ({ signal }) => api.system.usage({}, { signal }),
  })
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
