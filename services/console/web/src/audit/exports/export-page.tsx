import { getRouteApi } from '@tanstack/react-router'
import type { AuditDoc } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useApiQuery, useCan, useWorkspace, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { DownloadButton } from '../../ui/values/download-button.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { StatusBadge } from '../../ui/values/values.tsx'
import { formatNames, isUnfinished } from '../audit-words.ts'
import { ExportDetails } from './export-details.tsx'

const route = getRouteApi('/$workspaceId/audit/exports/$docId')
const pollMs = 1_000

type Doc = z.infer<typeof AuditDoc>

/** One compliance export: its progress, then its file and the hashes that prove it. */
export function ExportPage() {
  const { docId } = route.useParams()
  const params = { id: docId }
  const { api, refresh } = useWorkspace()
  const canExport = useCan()('audit:export')
  const [isCancelling, setCancelling] = useState(false)
  const { data, error, refetch } = useApiQuery(
    ['audit', 'exports', docId],
    (api, options) => api.audit.getDoc({ params }, options),
    { refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? pollMs : false) },
  )
  const parent = { label: 'Exports', link: { to: '/$workspaceId/audit/exports' } } as const
  if (data === undefined) return <UnloadedPage title="Export" parent={parent} error={error} refetch={refetch} />
  const cancel = async () => {
    await api.audit.cancelDoc({ params })
    await refresh('audit', 'exports')
  }
  return (
    <Page
      title={`${formatNames[data.format]} export`}
      status={<StatusBadge status={data.status} />}
      parent={parent}
      actions={
        <>
          {isUnfinished(data) && canExport && <Button onClick={() => setCancelling(true)}>Cancel export</Button>}
          {data.status === 'finished' && <DownloadDoc doc={data} />}
        </>
      }
    >
      <ExportState doc={data} />
      <ExportDetails doc={data} />
      <ConfirmDialog
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        title="Cancel this export"
        confirmLabel="Cancel export"
        onConfirm={cancel}
      >
        <p>What was written is discarded. The audit log itself is not changed.</p>
      </ConfirmDialog>
    </Page>
  )
}

function ExportState({ doc: { status, progress, error } }: { doc: Doc }) {
  if (status === 'queued' || status === 'running')
    return (
      <Card title="Progress">
        <Progress value={progress} label={status === 'queued' ? 'Waiting for a worker' : 'Writing records'} />
      </Card>
    )
  if (error !== null)
    return (
      <Callout tone="danger" title="The export failed">
        {error.message} ({error.code}){error.retryable && '. Start it again.'}
      </Callout>
    )
  return null
}

function DownloadDoc({ doc: { id, format, expires_at } }: { doc: Doc }) {
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <DownloadButton
      variant="primary"
      disabled={isExpired}
      title={isExpired ? 'The file has expired' : undefined}
      workspaceId={useWorkspaceId()}
      path={`/v1/audit/docs/${encodeURIComponent(id)}/content`}
      fileName={`${id}.${format === 'csv' ? 'csv' : 'jsonl'}`}
    >
      Download file
    </DownloadButton>
  )
}
