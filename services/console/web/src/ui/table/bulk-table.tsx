import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx'
import { formatCount } from '../format/format.ts'
import { showSuccess } from '../message/toast.ts'
import { Stack } from '../page/page.tsx'
import { runBulk, type Selection } from './row-selection.tsx'

/**
 * Ends several selected rows of a table after a confirmation. Rows that could not be ended stay selected, and the
 * dialog shows the first error.
 */
export function useBulkAction({
  verb,
  past,
  noun,
  call,
  queryKey,
}: {
  /** Names the action on its buttons, such as `Revoke`. */
  verb: string
  past: string
  /** Singular noun of a row. */
  noun: string
  call: (key: string) => Promise<unknown>
  /** The queries that the action makes stale. */
  queryKey: readonly string[]
}) {
  const queryClient = useQueryClient()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [isConfirming, setConfirming] = useState(false)
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
  /** The dialog, with the consequences of the action and a list item for each selected row. */
  const renderDialog = (consequences: string, items: ReactNode) => (
    <ConfirmDialog
      isOpen={isConfirming}
      onClose={() => setConfirming(false)}
      title={title}
      confirmLabel={title}
      onConfirm={run}
    >
      <Stack>
        <p>{consequences}</p>
        <ul>{items}</ul>
      </Stack>
    </ConfirmDialog>
  )
  return { selection, renderDialog }
}
