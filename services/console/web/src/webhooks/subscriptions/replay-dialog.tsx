import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useApi, useApiQuery } from '../../session/workspace-context.tsx'
import { DateTimeInput } from '../../ui/date/date-input.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Checkbox } from '../../ui/form/controls.tsx'
import { Field, FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { Segmented } from '../../ui/menu/tabs.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { addCounts, formatBounded, replayPresets } from '../shared/replay-range.ts'

const statuses = [
  { value: 'failed', label: 'Failed', hint: 'Their attempts are exhausted' },
  { value: 'skipped', label: 'Skipped', hint: 'They occurred while the subscription was disabled' },
  { value: 'delivered', label: 'Delivered', hint: 'They arrive a second time, with the same request ids' },
] as const

type Status = (typeof statuses)[number]['value']

const rangeOptions = [
  ...replayPresets.map(({ value, label }) => ({ value, label })),
  { value: 'custom' as const, label: 'Custom' },
]

type Preset = (typeof rangeOptions)[number]['value']

/** Sends the deliveries of a time range again, after it has counted them. */
export function ReplayDialog({
  webhookId,
  onClose,
  onStarted,
}: {
  webhookId: string
  onClose: () => void
  onStarted: (replayId: string) => void
}) {
  const api = useApi()
  const [openedAt] = useState(() => Date.now())
  const [preset, setPreset] = useState<Preset>('24h')
  const [custom, setCustom] = useState<{ since?: string | undefined; until?: string | undefined }>({})
  const [chosen, setChosen] = useState<readonly Status[]>(['failed', 'skipped'])
  const range = useMemo(() => {
    const ms = replayPresets.find(({ value }) => value === preset)?.ms
    if (ms === undefined) return custom
    return { since: new Date(openedAt - ms).toISOString(), until: new Date(openedAt).toISOString() }
  }, [preset, custom, openedAt])
  const { since, until } = range
  const isValid = since !== undefined && until !== undefined && since < until
  const params = { webhook_id: webhookId }
  const counts = useApiQuery(
    ['webhooks', 'counts', webhookId, range],
    (api, options) =>
      api.webhooks.countDeliveries({ params, query: { since: since ?? '', until: until ?? '' } }, options),
    { enabled: isValid, placeholderData: keepPreviousData },
  )
  const total = counts.data && addCounts(chosen.map((status) => counts.data[status]))
  const start = async () => {
    const body = { since: since ?? '', until: until ?? '', status: [...chosen] }
    const { id } = await api.webhooks.startReplay({ params, body })
    onStarted(id)
  }
  const what = total === undefined || !isValid ? 'deliveries' : `${formatBounded(total)} deliveries`
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      size="wide"
      title="Replay deliveries"
      description="Each is sent again with the same body and request id, oldest first. New events do not wait behind a replay."
      confirmLabel={`Replay ${what}`}
      isDangerous={false}
      isDisabled={!isValid || chosen.length === 0 || total === undefined || total.count === 0}
      onConfirm={start}
    >
      <Stack>
        <FieldGroup label="Created in">
          <Segmented label="Time range" options={rangeOptions} value={preset} onChange={setPreset} />
        </FieldGroup>
        {preset === 'custom' && (
          <FieldRow>
            <Field label="Since">
              <DateTimeInput value={custom.since} onChange={(since) => setCustom({ ...custom, since })} />
            </Field>
            <Field
              label="Until"
              error={since !== undefined && until !== undefined && !isValid ? 'Must be after since.' : undefined}
            >
              <DateTimeInput value={custom.until} onChange={(until) => setCustom({ ...custom, until })} />
            </Field>
          </FieldRow>
        )}
        <FieldGroup label="Status">
          <Stack>
            {statuses.map(({ value, label, hint }) => (
              <Checkbox
                key={value}
                label={isValid && counts.data ? `${label}: ${formatBounded(counts.data[value])}` : label}
                hint={hint}
                checked={chosen.includes(value)}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, value] : chosen.filter((status) => status !== value))
                }
              />
            ))}
          </Stack>
        </FieldGroup>
        {counts.error && <ErrorMessage error={counts.error} onRetry={() => void counts.refetch()} />}
        <div role="status">
          {isValid && total && (
            <Callout>{total.count === 0 ? 'Nothing to replay.' : `${what} are sent again.`}</Callout>
          )}
        </div>
      </Stack>
    </ConfirmDialog>
  )
}
