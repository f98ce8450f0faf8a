import type { RequestUsageDay } from '@wp/contracts'
import { useMemo } from 'react'
import type { z } from 'zod'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { formatNumber, formatPercent } from '../../ui/format/format.ts'
import { useWordFormat } from '../../ui/format/format-time.ts'
import { Unloaded } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { Stat, Stats, Time } from '../../ui/values/values.tsx'
import { fillDays, summarizeDays } from './usage-days.ts'

const shownDays = 14
const chartHeight = 160
const pollMs = 10_000
/** The figures are in two rows below 52 rem. */
const usageHeight = 'clamp(17rem, calc((52rem - 100vw) * 1000), 21.3rem)'

/** The requests of a credential by day, its last use and its errors; nothing for users who may not read the log. */
export function RequestUsageCard({ credentialId, principalId }: { credentialId: string; principalId: string }) {
  const canRead = useCan()('audit:read')
  const { data, error, refetch } = useApiQuery(
    ['requests', 'usage', credentialId],
    (api, options) => api.audit.listRequestUsage({ query: { credential: credentialId, limit: 30 } }, options),
    { enabled: canRead, refetchInterval: pollMs },
  )
  const days = useMemo(() => data && fillDays(data.items, shownDays, new Date()), [data])
  if (!canRead) return null
  return (
    <Card
      title="Requests"
      description={`Of the last ${shownDays} days (UTC)`}
      actions={
        <ButtonLink size="small" to="/$workspaceId/developer/requests" search={{ caller: principalId }}>
          See the requests
        </ButtonLink>
      }
    >
      {error || days === undefined || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height={usageHeight} />
      ) : (
        <Usage days={days} lastUsedAt={data.items[0]?.last_used_at ?? null} />
      )}
    </Card>
  )
}

type Day = Pick<z.infer<typeof RequestUsageDay>, 'date' | 'requests' | 'client_errors' | 'server_errors'>

function Usage({ days, lastUsedAt }: { days: readonly Day[]; lastUsedAt: string | null }) {
  const times = useMemo(() => days.map(({ date }) => Date.parse(date)), [days])
  const series = useMemo(() => seriesOf(days), [days])
  const formatDay = useWordFormat('shortWeekday', 'UTC')
  const { total, today, refused, failed } = summarizeDays(days)
  const share = (count: number) =>
    total === 0 ? '' : `${formatPercent(count / total, count / total < 0.01 ? 2 : 0)} of them, `
  return (
    <Stack>
      <Stats>
        <Stat label="Last use" value={lastUsedAt === null ? 'Never' : <Time value={lastUsedAt} />} />
        <Stat label="Requests" value={formatNumber(total)} note={`${formatNumber(today)} today`} />
        <Stat label="Refused" value={formatNumber(refused)} note={`${share(refused)}status 4xx`} />
        <Stat label="Failed" value={formatNumber(failed)} note={`${share(failed)}status 5xx`} />
      </Stats>
      <Chart
        title="Requests by day"
        times={times}
        series={series}
        height={chartHeight}
        isStacked
        timeZone="UTC"
        formatTime={formatDay}
        formatValue={(count) => (Number.isInteger(count) ? formatNumber(count) : '')}
      />
    </Stack>
  )
}

const seriesOf = (days: readonly Day[]) =>
  [
    { label: 'Failed', colour: 5, kind: 'bars', values: days.map(({ server_errors }) => server_errors) },
    { label: 'Refused', colour: 3, kind: 'bars', values: days.map(({ client_errors }) => client_errors) },
    {
      label: 'Succeeded',
      colour: 1,
      kind: 'bars',
      values: days.map((day) => day.requests - day.client_errors - day.server_errors),
    },
  ] as const
