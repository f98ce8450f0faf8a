import type { Ref } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/form/controls.tsx'
import { formatDay } from '../../ui/format/format-time.ts'
import { useReader } from '../../ui/format/reader.ts'
import { isolate } from '../../ui/format/untrusted-text.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { describeIncomplete, describeMapping, missingRoles } from '../../workplace/datasets/dataset-words.ts'
import { type DatasetChoice, KindField, MappingFields, ZoneField } from '../../workplace/datasets/mapping-fields.tsx'
import type { UploadOptions } from './file-types.ts'
import { forecastSearch } from './forecast-search.ts'
import { personalColumns } from './personal-columns.ts'
import { formatReadTime, type Preview } from './review/preview/preview-values.ts'
import type { NextStep } from './review/review-props.ts'

/** Says what a file is about, with the column of each part, and asks how people in it are protected. */
export function FileUse({
  preview,
  choice,
  onChoose,
  isProtected,
  onProtect,
  headingRef,
}: {
  preview: Preview
  choice: DatasetChoice
  onChoose: (choice: DatasetChoice) => void
  isProtected: boolean
  onProtect: (isProtected: boolean) => void
  headingRef: Ref<HTMLHeadingElement>
}) {
  const { suggestions } = preview
  const columns = preview.columns.map((column) => ({ ...column, examples: column.examples.map(formatReadTime) }))
  const { kind, mapping } = choice
  const missing = kind === undefined ? [] : missingRoles(kind, mapping)
  const incomplete = kind === 'spaces' ? describeIncomplete(preview.rows, mapping) : undefined
  const personal = personalColumns(suggestions.personal, mapping)
  const hasNumbers = suggestions.timestamp.length > 0 && suggestions.value.length > 0
  return (
    <Card
      title="What this file is about"
      headingRef={headingRef}
      description={
        kind !== undefined
          ? describeMapping(kind, mapping)
          : hasNumbers
            ? 'Numbers over time. To see them by building, say below what the columns mean.'
            : 'A table. If it tells about the use of buildings, say what the columns mean.'
      }
    >
      <Stack>
        <KindField
          columns={columns}
          choice={choice}
          onChange={onChoose}
          noneLabel={hasNumbers ? 'Numbers over time' : 'Something else'}
        />
        {kind !== undefined && (
          <MappingFields
            columns={columns}
            kind={kind}
            mapping={mapping}
            onChange={(changed) => onChoose({ ...choice, mapping: changed })}
          />
        )}
        <ZoneField choice={choice} onChange={onChoose} />
        {missing.length > 0 && (
          <p role="status">To see utilization, choose the column that tells: {missing.join(', ')}.</p>
        )}
        {incomplete !== undefined && <Callout tone="warning">{incomplete}</Callout>}
        {personal.length > 0 && (
          <Checkbox
            label="Protect the people in this file"
            hint={`${personal.map((name) => isolate(name)).join(', ')}: replaced by codes before anything is stored, and no one can open single rows. Only counts are shown. A number or name has the same code in every protected file, so that lists of people and badges still match. This cannot be undone later.`}
            checked={isProtected}
            onChange={(event) => onProtect(event.target.checked)}
          />
        )}
      </Stack>
    </Card>
  )
}

/** Offers to go to the data that a file continues, or whose days it has again. */
export function ContinuedData({
  preview: { suggestions },
  onJoin,
}: {
  preview: Preview
  onJoin: (sourceId: string, mode: UploadOptions['mode']) => void
}) {
  const reader = useReader()
  return suggestions.continues.map(({ data_source_id: id, name, until, overlaps }) => (
    <Callout key={id} title={overlaps ? `${isolate(name)} has rows of the same days` : `Continues ${isolate(name)}?`}>
      <p>
        It {until !== null && `ends on ${formatDay(until, reader)} and `}has the same columns.
        {overlaps && ' As data of its own, what this file tells again would count twice.'}
      </p>
      <div className="row-2 above-2">
        <Button size="small" onClick={() => onJoin(id, 'incremental')}>
          Add to {isolate(name)}
        </Button>
        {overlaps && (
          <Button size="small" onClick={() => onJoin(id, 'period')}>
            Replace these days there
          </Button>
        )}
      </div>
    </Callout>
  ))
}

/** Files that add to a list, and tell no utilization by themselves. */
const countedSteps: Partial<Record<NonNullable<DatasetChoice['kind']>, NextStep>> = {
  people: 'teams',
  spaces: 'buildings',
}

/** Returns the steps that a file allows, the likeliest first. */
export function nextStepsOf({ suggestions }: Preview, { kind, mapping }: DatasetChoice): NextStep[] {
  const isCounted = kind !== undefined && missingRoles(kind, mapping).length === 0
  const isForecast = forecastSearch('', suggestions, kind) !== undefined
  return [...(isCounted ? [countedSteps[kind] ?? 'utilization'] : []), ...(isForecast ? (['forecast'] as const) : [])]
}
