import { useMutation } from '@tanstack/react-query'
import { authPasskeys, type Passkey } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { PasskeyError } from '../../session/passkeys/passkey-button.tsx'
import { canUsePasskeys, makePasskey } from '../../session/passkeys/use-passkey.ts'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { formatName } from '../../ui/format/format.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'

type Row = z.infer<typeof Passkey>

/** The key of the query of the passkeys of the signed-in user. */
export const passkeysKey = 'passkeys'

/** Reads the passkeys of the signed-in user. */
export const usePasskeys = () =>
  useApiQuery([passkeysKey], (client, options) => client.auth.listPasskeys({ query: { limit: 100 } }, options))

/** The passkeys of the signed-in user. */
export function PasskeysCard() {
  const { api, refresh } = useWorkspace()
  const [renaming, setRenaming] = useState<Row>()
  const [removing, setRemoving] = useState<Row>()
  const { data, error, isLoading, refetch } = usePasskeys()
  const columns: Column<Row>[] = [
    {
      header: 'Passkey',
      cell: ({ name, synced }) => (
        <Cluster>
          <strong>{formatName(name)}</strong>
          {synced && <Badge>on all your devices</Badge>}
        </Cluster>
      ),
    },
    { header: 'Added', cell: ({ created_at }) => <Time value={created_at} /> },
    {
      header: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time value={last_used_at} />),
    },
    {
      header: '',
      align: 'end',
      isNarrow: true,
      cell: (row) => (
        <Cluster>
          <Button size="small" onClick={() => setRenaming(row)}>
            Rename
          </Button>
          <Button size="small" onClick={() => setRemoving(row)}>
            Remove
          </Button>
        </Cluster>
      ),
    },
  ]
  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face or device PIN, without a code by mail. Add one on each kind of device you use."
      isFlush
    >
      <DataTable
        label="Passkeys"
        columns={columns}
        rows={data?.items}
        rowKey={({ passkey_id }) => passkey_id}
        error={error}
        onRetry={() => void refetch()}
        empty={null}
      />
      {!isLoading && (
        <div style={{ padding: 'var(--space-3) var(--space-4) var(--space-4)' }}>
          <Stack>
            {data?.items.length === 0 && (
              <p>
                No passkey yet. A page that imitates this one cannot use a passkey, so it protects you better than a
                code.
              </p>
            )}
            <NewPasskey />
          </Stack>
        </div>
      )}
      {renaming && <RenameDialog row={renaming} onClose={() => setRenaming(undefined)} />}
      <ConfirmDialog
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Remove ${formatName(removing?.name ?? '')}`}
        confirmLabel="Remove passkey"
        onConfirm={async () => {
          if (removing) await api.auth.deletePasskey({ params: { passkey_id: removing.passkey_id } })
          await refresh(passkeysKey)
        }}
      >
        It no longer signs you in. Remove it from the device or password manager too.
      </ConfirmDialog>
    </Card>
  )
}

/** Adds a passkey of this device. */
function NewPasskey() {
  const { api, refresh } = useWorkspace()
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await api.auth.startPasskeyRegistration()
      await api.auth.createPasskey({ body: { credential: await makePasskey(options) } })
      await refresh(passkeysKey)
      showSuccess('Added a passkey')
    },
  })
  if (!canUsePasskeys()) return <p>This browser has no passkeys at this address.</p>
  return (
    <>
      {add.error && <PasskeyError error={add.error} />}
      <Cluster>
        <Button variant="primary" isBusy={add.isPending} onClick={() => add.mutate()}>
          Add a passkey
        </Button>
      </Cluster>
    </>
  )
}

function RenameDialog({ row: { passkey_id, name }, onClose }: { row: Row; onClose: () => void }) {
  const { api, refresh } = useWorkspace()
  const { form, ...state } = useApiForm({
    schema: authPasskeys.updatePasskey.body,
    defaultValues: { name },
    onSubmit: async (body) => {
      await api.auth.updatePasskey({ params: { passkey_id }, body })
      await refresh(passkeysKey)
      onClose()
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title="Rename passkey">
      <Form {...state} submitLabel="Save">
        <FormField form={form} name="name" label="Name">
          <Input maxLength={100} />
        </FormField>
      </Form>
    </Dialog>
  )
}
