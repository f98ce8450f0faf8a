import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { usePrincipalNames } from '../names/resource-names.ts'
import { useApiQuery } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import { Card } from '../ui/page/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { Time } from '../ui/values/values.tsx'
import { VariableValue } from './variable-table.tsx'

const route = getRouteApi('/$workspaceId/variables/$name')

interface Version {
  version: number
  action: 'set' | 'deleted'
  value: string | null
  secret: boolean
  changed_by: string | null
  changed_at: string
}

/** The changes of a variable, newest first. Old values that are not secret can be set again. */
export function VariableHistory({
  name,
  onRestore,
}: {
  name: string
  onRestore?: (value: string) => Promise<unknown>
}) {
  const { cursor } = route.useSearch()
  const [restoring, setRestoring] = useState<{ version: number; value: string }>()
  const page = useApiQuery(['variables', 'history', name, { cursor }], (api, options) =>
    api.system.listVariableVersions({ params: { name }, query: { cursor } }, options),
  )
  const nameOf = usePrincipalNames(page.data?.items.map(({ changed_by }) => changed_by) ?? [])
  const newest = cursor === undefined ? page.data?.items[0]?.version : undefined
  const columns: Column<Version>[] = [
    { header: 'Version', cell: ({ version }) => version, isNarrow: true },
    {
      header: 'Value',
      cell: ({ action, value, secret }) =>
        action === 'deleted' ? 'deleted' : <VariableValue value={value} isSecret={secret} />,
    },
    { header: 'Changed by', cell: ({ changed_by }) => (changed_by === null ? 'not known' : nameOf(changed_by)) },
    { header: 'Changed', cell: ({ changed_at }) => <Time value={changed_at} /> },
  ]
  if (onRestore)
    columns.push({
      header: '',
      isNarrow: true,
      cell: ({ version, value }) =>
        value !== null &&
        version !== newest && (
          <Button size="small" onClick={() => setRestoring({ version, value })}>
            Use again
          </Button>
        ),
    })
  return (
    <Card title="History" description="The newest 100 changes are kept." isFlush>
      <PagedTable
        label="History"
        columns={columns}
        page={page}
        noun="changes"
        rowKey={({ version }) => String(version)}
        empty={<EmptyState icon="clock" title="No changes are known" />}
      />
      <ConfirmDialog
        isOpen={restoring !== undefined}
        onClose={() => setRestoring(undefined)}
        title={`Use version ${restoring?.version ?? ''} again`}
        confirmLabel="Use this value"
        onConfirm={async () => restoring && (await onRestore?.(restoring.value))}
      >
        The value becomes the newest version of {name}:{' '}
        <VariableValue value={restoring?.value ?? ''} isSecret={false} />
      </ConfirmDialog>
    </Card>
  )
}
