import type { EventFilter } from '@wp/contracts'
import { useState } from 'react'
import { usePortal } from '../../session/portal-context.ts'
import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox, Input, Radio, Textarea } from '../../ui/form/controls.tsx'
import { Field, FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { type EventKindView, groupByArea, sampleBody, searchKinds } from '../shared/event-kinds.ts'
import { filterError, formatFilter, parseFilter, type TypedFilter } from '../shared/filter-text.ts'
import { useEventKinds } from '../shared/queries.ts'
import styles from '../shared/webhooks.module.css'

const allKinds = '*'

/** A choice of event kinds: all, also those of the future, or some, grouped by area. */
export function EventsPicker({
  value,
  onChange,
  error,
}: {
  value: readonly string[]
  onChange: (events: string[]) => void
  error?: string | undefined
}) {
  const { data: kinds, error: failure, refetch } = useEventKinds()
  const [text, setText] = useState('')
  const isPortal = usePortal() !== undefined
  const isAll = value.includes(allKinds)
  const chosen = new Set(value)
  const set = (own: readonly string[], isChosen: boolean) => {
    const next = new Set(value)
    for (const kind of own) {
      if (isChosen) next.add(kind)
      else next.delete(kind)
    }
    onChange([...next])
  }
  return (
    <FieldGroup label="Events" error={error}>
      <Stack>
        <FieldRow>
          <Radio
            name="events"
            label="All events"
            hint={isPortal ? 'Every kind of the list' : 'Also kinds that are added later'}
            checked={isAll}
            onChange={() => onChange([allKinds])}
          />
          <Radio
            name="events"
            label="Chosen events"
            hint={isAll ? 'You choose from the catalogue' : `${formatCount(value.length, 'kind')} chosen`}
            checked={!isAll}
            onChange={() => onChange([])}
          />
        </FieldRow>
        {!isAll && failure && <ErrorMessage error={failure} onRetry={() => void refetch()} />}
        {!isAll && kinds === undefined && !failure && <Skeleton height="60rem" />}
        {!isAll && kinds !== undefined && (
          <>
            <Input
              type="search"
              aria-label="Search the events"
              placeholder="Search the events"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <div className={styles.areas}>
              {groupByArea(searchKinds(kinds, text)).map(({ area, kinds: own }) => (
                <Area key={area} area={area} kinds={own} chosen={chosen} onSet={set} />
              ))}
            </div>
          </>
        )}
      </Stack>
    </FieldGroup>
  )
}

function Area({
  area,
  kinds,
  chosen,
  onSet,
}: {
  area: string
  kinds: readonly EventKindView[]
  chosen: ReadonlySet<string>
  onSet: (kinds: readonly string[], isChosen: boolean) => void
}) {
  const [sample, setSample] = useState<EventKindView>()
  const names = kinds.map(({ kind }) => kind)
  const isAll = names.every((kind) => chosen.has(kind))
  return (
    <fieldset className={styles.area} aria-label={area}>
      <div className={styles.areaHead}>
        <strong>{area}</strong>
        {names.length > 1 && (
          <Button
            size="small"
            variant="quiet"
            aria-label={`${isAll ? 'Choose none' : 'Choose all'} of ${area}`}
            onClick={() => onSet(names, !isAll)}
          >
            {isAll ? 'None' : 'All'}
          </Button>
        )}
      </div>
      {kinds.map((entry) => (
        <div key={entry.kind} className={styles.kindRow}>
          <Checkbox
            label={<span className={styles.kind}>{entry.kind}</span>}
            hint={entry.summary}
            checked={chosen.has(entry.kind)}
            onChange={(event) => onSet([entry.kind], event.target.checked)}
          />
          <Button size="small" variant="quiet" aria-label={`Sample of ${entry.kind}`} onClick={() => setSample(entry)}>
            Sample
          </Button>
        </div>
      ))}
      {sample && <SampleDrawer kind={sample} onClose={() => setSample(undefined)} />}
    </fieldset>
  )
}

/** The filter of a subscription, as JSON. @param errors those of the form, by member */
export function FilterField({
  initial,
  onChange,
  errors,
}: {
  initial: EventFilter | null
  onChange: (value: TypedFilter) => void
  errors: unknown
}) {
  const [text, setText] = useState(() => formatFilter(initial))
  return (
    <Field
      label="Filter"
      isOptional
      hint="Conditions on the payload, as JSON. Only events that match all of “all” and one of “any” are delivered."
      error={filterError(parseFilter(text), errors)}
    >
      <Textarea
        isMono
        rows={4}
        spellCheck={false}
        placeholder='{"all": {"counts.failed": {"gt": 0}}}'
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChange(parseFilter(event.target.value))
        }}
      />
    </Field>
  )
}

/** The body of a delivery of an event kind, with made values. */
function SampleDrawer({ kind, onClose }: { kind: EventKindView; onClose: () => void }) {
  const workspaceId = useWorkspaceId()
  return (
    <Dialog isOpen onClose={onClose} size="drawer" title={kind.kind} description={kind.summary}>
      <Stack>
        <JsonView value={sampleBody(kind, workspaceId)} label="Body of a delivery" />
        <p>
          The payload always has id, status and occurred_at. New fields may be added: ignore those that you do not know.
        </p>
      </Stack>
    </Dialog>
  )
}
