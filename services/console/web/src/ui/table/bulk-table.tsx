import { useQueryClient } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx'
import { formatCount } from '../format/format.ts'
import { showSuccess } from '../message/toast.ts'
import { Stack } from '../page/page.tsx'
import { PagedTable } from './paged-table.tsx'
import { runBulk, type Selection } from './row-selection.tsx'

/** An action that ends several rows of a table. */
interface BulkAction<Row> {
  /** Names the action on its buttons, such as `Revoke`. */
  verb: string
  past: string
  /** Singular noun of a row. */
  noun: string
  consequences: string
  /** Describes a row in the confirmation. */
  describe: (row: Row) => ReactNode
  call: (key: string) => Promise<unknown>
  /** The queries that the action makes stale. */
  queryKey: readonly string[]
}

/**
 * A table of one page of a list whose selected rows can be ended after a confirmation. Rows that could not be ended
 * stay selected, and the dialog shows the first error. @param props.action undefined for users who may not end rows
 */
export function BulkTable<Row extends RowData>({
  action,
  ...table
}: Omit<ComponentProps<typeof PagedTable<Row>>, 'selection'> & { action: BulkAction<Row> | undefined }) {
  const queryClient = useQueryClient()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [isConfirming, setConfirming] = useState(false)
  if (action === undefined) return <PagedTable {...table} />
  const { verb, past, noun, consequences, describe, call, queryKey } = action
  const title = `${verb} ${formatCount(keys.size, noun)}`
  const run = async () => {
    const result = await runBulk(keys, call)
    setKeys(new Set(result.failed))
    await queryClient.invalidateQueries({ queryKey })
    if (result.done.length > 0) showSuccess(`${past} ${formatCount(result.done.length, noun)}`)
    if (result.failed.length > 0) throw result.error
  }
  const button = (
    <Button size="small" variant="danger" onClick={() => setConfirming(true)}>
      {title}
    </Button>
  )
  const selection: Selection = { keys, onChange: setKeys, noun, actions: button }
  const selected = table.page.data?.items.filter((row) => keys.has(table.rowKey(row)))
  return (
    <>
      <PagedTable {...table} selection={selection} />
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={title}
        confirmLabel={title}
        onConfirm={run}
      >
        <Stack>
          <p>{consequences}</p>
          <ul>
            {selected?.map((row) => (
              <li key={table.rowKey(row)}>{describe(row)}</li>
            ))}
          </ul>
        </Stack>
      </ConfirmDialog>
    </>
  )
}
