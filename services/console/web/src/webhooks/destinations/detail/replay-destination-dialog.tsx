import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiQuery, useWorkspace } from '../../../session/workspace-context.tsx'
import { DateTimeInput } from '../../../ui/date/date-input.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Field, FieldGroup } from '../../../ui/form/field.tsx'
import { NumberInput } from '../../../ui/form/number-input.tsx'
import { formatCount, formatNumber } from '../../../ui/format/format.ts'
import { Segmented } from '../../../ui/menu/tabs.tsx'
import { ErrorMessage } from '../../../ui/message/message.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import { Stack } from '../../../ui/page/page.tsx'
import type { DestinationView } from '../destination-words.ts'

const startOptions = [
  { value: 'date', label: 'A date' },
  { value: 'number', label: 'A record number' },
] as const

const weekMs = 7 * 86_400_000

/** Writes records again from a date or a number on, after it has counted them. */
export function ReplayDestinationDialog({
  destination: { destination_id, name, position, status },
  onClose,
}: {
  destination: DestinationView
  onClose: () => void
}) {
  const { api, refresh } = useWorkspace()
  const [start, setStart] = useState<'date' | 'number'>('date')
  const [since, setSince] = useState<string | undefined>(() => new Date(Date.now() - weekMs).toISOString())
  const [number, setNumber] = useState<number | undefined>(1)
  const isValid = start === 'date' ? since !== undefined : Number.isInteger(number)
  const body = start === 'date' ? { since: since ?? '' } : { from_seq: number ?? 1 }
  const params = { destination_id }
  const counted = useApiQuery(
    ['webhooks', 'destination-replay', destination_id, body],
    (api, options) => api.webhooks.replayDestination({ params, body: { ...body, dry_run: true } }, options),
    { enabled: isValid, placeholderData: keepPreviousData },
  )
  const replay = async () => {
    const { records: count } = await api.webhooks.replayDestination({ params, body })
    await refresh('webhooks')
    showSuccess(`${formatCount(count, 'record')} of ${name} will be written`)
  }
  const { from_seq: first = 1, records = 0, is_shortened: isShortened = false } = counted.data ?? {}
  const again = Math.max(0, position - first + 1)
  const isCounted = isValid && counted.data !== undefined && !counted.isPlaceholderData
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Replay records"
      description="Sets the position back: the records are written again, in order, before any later one. Your system recognizes each by its id and number."
      confirmLabel={isCounted && again > 0 ? `Write ${formatCount(again, 'record')} again` : 'Write again'}
      isDangerous={false}
      isDisabled={!isCounted || again === 0}
      onConfirm={replay}
    >
      <Stack>
        <FieldGroup label="Begin at">
          <Segmented label="Begin at" options={startOptions} value={start} onChange={setStart} />
        </FieldGroup>
        {start === 'date' ? (
          <Field label="Occurred since">
            <DateTimeInput value={since} onChange={setSince} />
          </Field>
        ) : (
          <Field label="First record" hint={`From 1 to ${formatNumber(position + 1)}.`}>
            <NumberInput min={1} max={position + 1} value={number} onChange={setNumber} />
          </Field>
        )}
        <p role="status" style={{ minHeight: '3em' }}>
          {isCounted &&
            (again === 0
              ? 'Nothing was written since then, so there is nothing to write again.'
              : `Records ${formatNumber(first)} to ${formatNumber(position)} are written again: ${formatCount(again, 'record')}` +
                `${records > again ? `, then the ${formatNumber(records - again)} that wait` : ''}.` +
                `${isShortened ? ' Older ones are no longer kept.' : ''}` +
                `${status === 'disabled' ? ' Writing begins when you enable the event destination.' : ''}`)}
        </p>
        {counted.error && <ErrorMessage error={counted.error} />}
      </Stack>
    </ConfirmDialog>
  )
}
