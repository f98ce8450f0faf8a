import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { Chart } from '../ui/chart/chart.tsx'
import { formatNumber } from '../ui/format/format.ts'
import { Segmented } from '../ui/menu/tabs.tsx'
import { EmptyState } from '../ui/message/message.tsx'
import { Card, Cluster, Columns } from '../ui/page/page.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import { CodeBlock, JsonView, Snippets } from '../ui/values/code-block.tsx'
import { Progress } from '../ui/values/progress.tsx'
import { Badge, DefinitionList, Id, Kbd, Stat, Stats, StatusBadge, Time } from '../ui/values/values.tsx'

interface Example {
  id: string
  name: string
  status: string
  count: number
  at: string
}

const rows: readonly Example[] = [
  { id: 'src_1', name: 'Headquarters', status: 'active', count: 12_345, at: '2026-11-20T09:30:00.000Z' },
  { id: 'src_2', name: 'Harbour office', status: 'running', count: 830, at: '2026-11-21T14:05:00.000Z' },
  { id: 'src_3', name: 'Workshop', status: 'failed', count: 0, at: '2026-11-22T07:12:00.000Z' },
]

const columns: readonly Column<Example>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Records', cell: ({ count }) => formatNumber(count), align: 'end' },
  { header: 'Changed', cell: ({ at }) => <Time value={at} /> },
]

const start = Date.UTC(2026, 10, 2)
const dayMs = 86_400_000
const days = Array.from({ length: 42 }, (_, day) => start + day * dayMs)
const history = days.map((_, day) => (day < 28 ? 80 + 45 * Math.sin((day / 7) * 2 * Math.PI) + (day % 5) * 4 : null))
const forecast = days.map((_, day) => (day < 27 ? null : 84 + 45 * Math.sin((day / 7) * 2 * Math.PI)))
const series = [
  {
    label: '80 % range',
    values: forecast.map((value) => value && value - 18),
    bandUpper: forecast.map((value) => value && value + 18),
    colour: 1,
  },
  { label: 'History', values: history, colour: 'past' },
  { label: 'Forecast', values: forecast, colour: 1 },
  { label: 'Capacity 140', values: days.map(() => 140), colour: 5, kind: 'dashed', isLimit: true },
] as const

/** Tables, figures, code and charts. */
export function DataSections() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['src_2']))
  const [range, setRange] = useState<'day' | 'week' | 'month'>('week')
  return (
    <>
      <Card title="Badges">
        <Cluster>
          {['active', 'running', 'queued', 'paused', 'failed', 'cancelled', 'draft'].map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
          <Badge tone="accent">12 new</Badge>
          <Badge>built in</Badge>
        </Cluster>
      </Card>
      <Stats>
        <Stat label="Deliveries" value={formatNumber(128_934)} note="99.8 % successful" />
        <Stat label="Median latency" value="84 ms" note="95th percentile 210 ms" />
        <Stat label="Next peak" value="Tue 11:00" note="92 % of capacity" />
      </Stats>
      <Card title="Table" isFlush>
        <DataTable
          label="Example"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          selection={{ keys, onChange: setKeys, noun: 'source', actions: <Button size="small">Pause</Button> }}
          empty={null}
        />
      </Card>
      <Card title="Empty state" isFlush>
        <EmptyState
          icon="webhooks"
          title="No webhooks yet"
          actions={<Button variant="primary">Add a webhook</Button>}
          snippet={
            <CodeBlock label="Request" code={'curl -X POST "$BASE/v1/webhooks/webhooks" \\\n  -H "x-api-key: $KEY"'} />
          }
        >
          A webhook tells your program by a signed request when something has happened.
        </EmptyState>
      </Card>
      <Card
        title="Chart"
        actions={
          <Segmented
            label="Range"
            value={range}
            onChange={setRange}
            options={[
              { value: 'day', label: 'Day' },
              { value: 'week', label: 'Week' },
              { value: 'month', label: 'Month' },
            ]}
          />
        }
      >
        <Chart
          title="Occupancy of the example"
          times={days}
          series={series}
          unit="People present"
          marker={{ time: start + 27 * dayMs, label: 'Forecast' }}
        />
      </Card>
      <Columns>
        <Card title="Details">
          <DefinitionList
            items={[
              ['Id', <Id key="id" value="src_01jy7v3g6ce3htq2v5rz8k4x9d" />],
              ['Created', <Time key="time" value="2026-11-20T09:30:00.000Z" format="absolute" />],
              ['Keys', <Kbd key="keys">Ctrl K</Kbd>],
            ]}
          />
        </Card>
        <Card title="Progress">
          <div style={{ display: 'grid', gap: 'var(--space-3)' }}>
            <Progress label="Upload" value={0.42} />
            <Progress label="Records" value={0.86} tone="warning" text="4.3M of 5M" />
            <Progress label="Stored bytes" value={1} tone="danger" text="20 of 20 GiB" />
          </div>
        </Card>
      </Columns>
      <Columns>
        <Card title="Snippets">
          <Snippets
            label="List sources"
            snippets={[
              { language: 'curl', code: 'curl "$BASE/v1/data/sources" -H "x-api-key: $KEY"' },
              { language: 'TypeScript', code: 'const { items } = await client.data.listSources()' },
            ]}
          />
        </Card>
        <Card title="JSON">
          <JsonView value={{ event: 'FORECASTING_FINISHED', payload: { id: 'fr_1', status: 'finished' } }} />
        </Card>
      </Columns>
    </>
  )
}
