import { Link } from '@tanstack/react-router'
import { useWorkspaceId } from '../../../session/workspace-context.tsx'
import { DefinitionList } from '../../../ui/data/definition-list.tsx'
import { Id } from '../../../ui/data/id.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { formatCount, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { Card } from '../../../ui/page/page.tsx'
import { describeHorizon } from '../forecast-words.ts'
import { columnsText, type ForecastRunDetail, type RunInput, runInput } from '../run-input.ts'
import { useSourceName } from '../use-source-names.ts'

/** The input of a run, and when it ran. */
export function InputCard({ run }: { run: ForecastRunDetail }) {
  const input = runInput(run)
  const points = input.series?.reduce((sum, { point_count }) => sum + point_count, 0)
  return (
    <Card title="Input">
      <DefinitionList
        items={[
          ['Run', <Id key="id" value={run.id} />],
          input.data_source_id !== undefined && ['Data source', <SourceLink key="source" id={input.data_source_id} />],
          input.series !== undefined && [
            'Series',
            `${formatCount(input.series.length, 'pasted series', 'pasted series')}, ${formatCount(points ?? 0, 'point')}`,
          ],
          input.timestamp_field !== undefined && [
            'Time column',
            <code key="time">{columnsText(input.timestamp_field)}</code>,
          ],
          input.timestamp_format !== undefined && ['Time format', <code key="format">{input.timestamp_format}</code>],
          input.value_field !== undefined && [
            'Value column',
            <code key="value">{columnsText(input.value_field)}</code>,
          ],
          (input.group_by ?? []).length > 0 && ['Groups', <code key="groups">{input.group_by?.join(', ')}</code>],
          ['Step', `${input.frequency}, ${input.aggregation ?? 'sum'} of its values`],
          input.measure !== undefined && ['Kind of the values', input.measure],
          ['Time zone', input.timezone],
          ['Horizon', describeHorizon(input.horizon, input.frequency)],
          ['Intervals', (input.levels ?? []).map((level) => formatPercent(level)).join(', ')],
          input.capacity !== undefined && ['Capacity', capacityText(input.capacity)],
          input.holidays !== undefined && ['Holidays', formatCount(input.holidays.length, 'date')],
          input.closures !== undefined && ['Closures', closuresText(input.closures)],
          input.calendar !== undefined && ['Kinds of days', input.calendar.map(({ name }) => name).join(', ')],
          run.external_id !== null && ['External id', <code key="external">{run.external_id}</code>],
          run.finished_at !== null && ['Ended', <Time key="ended" value={run.finished_at} format="absolute" />],
        ]}
      />
    </Card>
  )
}

function SourceLink({ id }: { id: string }) {
  const workspaceId = useWorkspaceId()
  const name = useSourceName(id)
  return (
    <Link to="/$workspaceId/data/$sourceId" params={{ workspaceId, sourceId: id }}>
      {name}
    </Link>
  )
}

const capacityText = (capacity: NonNullable<RunInput['capacity']>): string =>
  typeof capacity === 'number'
    ? `${formatNumber(capacity)} for each group`
    : `${formatCount(Object.keys(capacity).length, 'group')} with a number of their own`

const closuresText = (closures: NonNullable<RunInput['closures']>): string =>
  closures
    .map(({ dates, groups }) => `${formatCount(dates.length, 'date')}${groups ? ` of ${groups.join(', ')}` : ''}`)
    .join('; ')
